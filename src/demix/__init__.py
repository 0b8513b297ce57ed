"""demix: when does contrastive learning recover the true generative factors of data?"""
