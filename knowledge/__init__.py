"""What the sources say: articles, clean passages, their index and the search over them."""
