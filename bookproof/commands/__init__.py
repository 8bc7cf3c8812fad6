"""What make calls: `python -m bookproof.commands.NAME`."""
