"""Problems: what a training draws its batches from."""
