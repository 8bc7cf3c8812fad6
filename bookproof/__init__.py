"""How the book is built and proved. Each module says at its head what it does; the rooms are named in CONTRIBUTING.md."""
