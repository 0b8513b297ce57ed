"""What collecting a table and collecting a figure share: plans, the command line, what exists so far, files."""
