"""Text: letters, words, sentences, search terms; and what two texts have in common."""
