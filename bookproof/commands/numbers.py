"""The numbers in the prose of some pages: what is wrong with them, a line each, within a second.

    python -m bookproof.commands.numbers PAGE ...      (notebooks, or pages without cells)
"""

import sys

from bookproof import numbers, plain_numbers


def main(paths):
    found, count, labelled = [], 0, 0
    for path in paths:
        page, pages = numbers.Page(path), numbers.beside(path)
        found += [*numbers.faults(page, pages), *plain_numbers.faults(page, pages)]
        count += len(page.numbers)
        labelled += sum(number.label is not None for number in page.numbers)
    print("\n".join([*found, f"{count} numbers, {labelled} with a label, {len(found)} findings"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
