import sys

from bookproof.lint import lint_book

if __name__ == "__main__":
    sys.exit("\n".join(lint_book(names=sys.argv[1:])) or None)
