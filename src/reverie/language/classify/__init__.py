"""What kind of text one is: its category, whether it is worth a memory, what it asks, what it foresees."""
