"""Names in a text: people, places, products, organisations."""
