"""What the screen catches and what it touches wrongly."""
