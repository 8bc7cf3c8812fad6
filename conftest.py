"""Makes the project's root importable, from whichever folder pytest is started, and loads its plugin."""

pytest_plugins = ["bookproof.proof"]
