"""Four people who have never seen Reverie: what each types, and what each must see."""
