"""What everything uses: errors, files, records, processes, randomness."""
