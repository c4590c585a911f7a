"""What models do and where they fail: data first, shown elsewhere."""
