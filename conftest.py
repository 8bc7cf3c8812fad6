"""Makes the project's root importable, from whichever folder pytest is started."""
