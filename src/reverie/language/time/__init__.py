"""Times in a text: calendar spans, and the words that name them."""
