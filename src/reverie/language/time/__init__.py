"""Times in a text: spans of the calendar, and the words that name them."""
