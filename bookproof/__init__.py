"""How the book is built and proved. Each module says what it does; CONTRIBUTING.md names the rooms."""
