"""Check comments such as `# (5, 1)` or `# (points, n_out)` while a cell runs.

A shape at the end of a statement's last line speaks of that statement's
value. `watch` rewrites the statement so that the value is looked at as soon
as it is there (later the name may stand for something else). A number must
be met exactly; a name must be met where it is a whole number in that place,
and otherwise stands for any size.
"""

import ast
import re

from bookproof.notebook import without_magics
from bookproof.run import Page

COMMENT = re.compile(r"#\s*\(((?:\w+, )*\w+,?)\)\s*$")


def shape_of(value):
    """The shape of an array, a tensor, or a number; None for anything else."""
    if isinstance(value, (int, float)):
        return ()
    shape = getattr(value, "shape", None)
    return tuple(shape) if shape is not None else None


def fits(stated, shape, names):
    """Whether `shape` is what a comment states, with `names` the sizes in scope."""
    sizes = [size.strip() for size in stated.split(",") if size.strip()]
    if shape is None or len(sizes) != len(shape):
        return False
    known = [int(s) if s.isdigit() else names.get(s) for s in sizes]
    return all(not isinstance(want, int) or want == got for want, got in zip(known, shape))


class Watch(ast.NodeTransformer):
    """Put a call of `_look` behind each statement that states a shape."""

    def __init__(self, source):
        self.lines = source.split("\n")
        self.count = 0

    def visit(self, node):
        self.generic_visit(node)
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
            return node
        comment = COMMENT.search(self.lines[node.end_lineno - 1])
        if comment is None:
            return node
        self.count += 1
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", node.value)
        value = ast.unparse(target)
        look = f"_look({comment.group(1)!r}, {value}, {{**globals(), **locals()}}, {node.end_lineno})"
        return [node, *ast.parse(look).body]


def watch(source):
    """(source that calls `_look(stated, value, names, line)`, number of comments)."""
    rewriter = Watch(source)
    tree = ast.fix_missing_locations(rewriter.visit(ast.parse(source)))
    return ast.unparse(tree), rewriter.count


def watched_page(path):
    """(the page, run with its shape comments looked at; the faults, a line each; the number of comments)."""
    faults, count, at = [], 0, None

    def transform(cell):
        nonlocal count, at
        code, found = watch(without_magics(cell.source))
        count, at = count + found, cell.name
        return code if found else cell.source

    def look(stated, value, names, line):
        shape = shape_of(value)
        if not fits(stated, shape, names):
            faults.append(f"{at} line {line}: the comment states ({stated}), the shape is {shape}.")

    page = Page(path, transform)
    page.namespace["_look"] = look
    return page.run(), faults, count
