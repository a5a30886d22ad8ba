"""Text: letters, words, sentences, search terms, and overlap of two texts."""
