"""The formats that a table is rendered to."""

import pandas as pd
from tabulate import tabulate

from demix.tables.view import LABEL_HEADS, Cell, TableView

ID_WIDTH = 26
"""Columns that a row id gets in a terminal: three settings then fill 80."""

TEX = {
    "κ": r"$\kappa$", "λ": r"$\lambda$", "σ": r"$\sigma$", "β": r"$\beta$", "±": r"$\pm$", "✓": r"$\checkmark$",
    "✗": r"$\times$", "~": r"$\sim$", "″": "''", "¹": r"$^1$", "²": r"$^2$", "→": r"$\to$", "Δ": r"$\Delta$",
    "z̃": r"$\tilde z$", "%": r"\%", "_": r"\_", "&": r"\&", "#": r"\#", "|": r"$\mid$",
}  # fmt: skip


def to_markdown(view: TableView) -> str:
    """A pipe table with title and footer."""
    frame = _frame(view).map(_markdown)
    table = tabulate(
        [list(row) for row in frame.itertuples(index=False)],
        headers=[_markdown(" ".join(filter(None, column))) for column in frame.columns],
        tablefmt="pipe",
        disable_numparse=True,
    )
    claims = "\n".join(f"- {head}<br>{behind}" for head, behind in view.claims)
    parts = [f"# {view.plan.title}", table, "## Claims" if claims else "", claims, *view.footer()]
    return "\n\n".join(filter(None, parts)) + "\n"


def to_html(view: TableView) -> str:
    """A page of its own, with a rule between blocks and nothing fetched from elsewhere."""
    frame = _frame(view)
    starts = [{"selector": f"tbody tr:nth-child({i})", "props": "border-top: 1px solid #666"} for i in _starts(view)]
    rules = [
        {"selector": "", "props": "border-collapse: collapse; border-block: 2px solid #222"},
        {"selector": "th, td", "props": "padding: .25em .7em; white-space: nowrap; text-align: left"},
        {"selector": "thead tr:last-child th", "props": "border-bottom: 1px solid #222"},
        *starts,
    ]
    table = frame.style.hide(axis="index").set_table_styles(rules).format(escape="html").to_html()
    claims = "\n".join(f"<dt>{_html(head)}</dt><dd>{_html(behind)}</dd>" for head, behind in view.claims)
    notes = "\n".join(f"<p>{_html(line)}</p>" for line in view.footer())
    title = _html(view.plan.title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>\n'
        "<style>body { font: 15px/1.5 sans-serif; margin: 2em; } p, dl { max-width: 60em; color: #444; }</style>\n"
        "</head>\n"
        f"<body>\n<h1 style='font-size: 1.2em'>{title}</h1>\n<div style='overflow-x: auto'>{table}</div>\n"
        + (f"<h2 style='font-size: 1em'>Claims</h2>\n<dl>{claims}</dl>\n" if claims else "")
        + f"{notes}\n</body>\n</html>\n"
    )


def to_tex(view: TableView) -> str:
    """A booktabs table environment; needs the packages booktabs, amssymb and graphicx."""
    frame = _frame(view).map(_tex)
    frame.columns = pd.MultiIndex.from_tuples([tuple(map(_tex, column)) for column in frame.columns])
    # the caption and the labels must not end up in a moving argument with the footer: it follows the tabular
    tabular = frame.style.hide(axis="index").to_latex(
        hrules=True, multicol_align="c", column_format="l" * frame.shape[1]
    )
    lines = tabular.splitlines()
    first = lines.index(r"\midrule") + 1
    for start in sorted(_starts(view), reverse=True):
        lines.insert(first + start - 1, r"\midrule")
    notes = r"\\".join(_tex(line) for line in view.footer())
    return "\n".join(
        [
            r"% packages: booktabs, amssymb, graphicx",
            r"\begin{table*}",
            rf"\caption{{{_tex(view.plan.title)}}}",
            r"\resizebox{\textwidth}{!}{%",
            *lines[:-1],
            lines[-1] + "}",
            r"\par\smallskip\footnotesize\raggedright",
            notes,
            r"\end{table*}",
            "",
        ]
    )


def to_csv(view: TableView) -> str:
    """Numbers rather than text: one line a row, without ditto marks."""
    wanted = ["mean", "std", "n_seeds", "printed_mean", "printed_std", "difference", "verdict"]
    keys = ["row", "row_id", "space", "marginal", "conditional", "model_space", "model_conditional", "matches"]
    wide = view.table.pivot(index="row", columns=["setting", "metric"], values=wanted)
    order = [(value, *column) for column in view.columns for value in wanted]
    wide = wide[order]
    wide.columns = [f"{setting}_{metric}_{value}" for value, setting, metric in order]
    labels = view.table[keys].drop_duplicates("row").set_index("row")
    return labels.join(wide).round(4).to_csv()


def to_text(view: TableView, width: int = 80) -> str:
    """For a terminal of 80 columns: one table for each score, ours beside print."""
    parts = [_wrapped(view.plan.title, width)]
    for metric in view.plan.metrics:
        settings = [setting for setting, of in view.columns if of == metric]
        head = view.plan.head(metric)
        beside, above = ("", [head]) if len(head) > ID_WIDTH else (head, [])
        heads = f"{beside:<{ID_WIDTH}}" + "".join(f" {_words(setting):^17}" for setting in settings)
        under = " " * ID_WIDTH + "".join(f" {'ours':>9} {'print':>5}  " for _ in settings)
        lines = [*above, heads.rstrip(), under.rstrip(), "─" * (ID_WIDTH + 18 * len(settings))]
        for row in view.rows:
            if view.starts_block(row):
                lines.append("")
            name = row if len(row) <= ID_WIDTH else row[: ID_WIDTH - 1] + "…"
            cells = (_short(view.cell(row, setting, metric)) for setting in settings)
            lines.append(f"{name:<{ID_WIDTH}} {' '.join(cells)}".rstrip())
        parts.append("\n".join(lines))
    claims = "\n".join(f"{_wrapped(head, width)}\n{_wrapped(behind, width, '    ')}" for head, behind in view.claims)
    parts += ["Claims\n" + claims] if claims else []
    return "\n\n".join([*parts, *(_wrapped(line, width) for line in view.footer())]) + "\n"


def _words(setting: str) -> str:
    return setting.replace("_", " ")


def _short(cell: Cell) -> str:
    """17 characters: 65.9±2.8, the printed mean, the mark of the verdict."""
    number, *seeds = cell.ours.split(" (")
    mean, _, spread = number.partition(" ± ")
    try:
        text = f"{float(mean):.1f}" + (f"±{float(spread):.1f}" if spread else "")
    except ValueError:  # missing, diverged, a ditto mark
        text = mean
    if seeds:  # fewer than planned: their number says more than the spread
        text = f"{float(mean):.1f} {seeds[0].rstrip(')')}"
    mark = cell.difference.split()[-1][:1] if " " in cell.difference else ""
    return f"{text:>9} {cell.printed.split(' ')[0]:>5} {mark:<1}"


def _frame(view: TableView) -> pd.DataFrame:
    """The table as text, columns in two levels."""
    columns = [(head, "") for head in LABEL_HEADS.values()]
    for setting, metric in view.columns:
        group = f"{_words(setting).capitalize()} {view.plan.head(metric)}"
        columns += [(group, part) for part in ("ours", "print", "difference")]
    rows = []
    for row in view.rows:
        cells = (view.cell(row, *column) for column in view.columns)
        rows.append(view.labels(row) + [text for cell in cells for text in (cell.ours, cell.printed, cell.difference)])
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(columns))


def _starts(view: TableView) -> list[int]:
    """1-based positions of the rows that a rule stands above."""
    return [position for position, row in enumerate(view.rows, start=1) if view.starts_block(row)]


def _markdown(text: str) -> str:
    return text.replace("|", r"\|")  # p(z̃|z) would end its cell


def _tex(text: str) -> str:
    for character, command in TEX.items():
        text = text.replace(character, command)
    return text


def _html(text: str) -> str:
    import html

    return html.escape(text)


def _wrapped(text: str, width: int, indent: str = "") -> str:
    import textwrap

    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent)


FORMATS = {"md": to_markdown, "tex": to_tex, "html": to_html, "csv": to_csv, "txt": to_text}
