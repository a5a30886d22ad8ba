"""Whether requests to be reminded are understood, and reminders come up when they should."""
