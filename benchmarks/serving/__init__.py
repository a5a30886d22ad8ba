"""How fast and how steadily `reverie serve` answers: one client after the other, and many at once."""
