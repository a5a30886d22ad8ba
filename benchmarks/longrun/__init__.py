"""The long run: months of a conversation with chatter, repeats, changed facts and tight capacity, lived through."""
