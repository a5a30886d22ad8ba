"""Classification of texts: category, worth of a memory, type of question, foresight."""
