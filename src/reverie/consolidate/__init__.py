"""The dream: what becomes of formed memories while nobody asks. One step a file, all of them pure."""
