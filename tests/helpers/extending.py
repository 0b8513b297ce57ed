"""The files that docs/extending.md shows for parts of a user's own."""

import re

from project import ROOT

CHAPTER = (ROOT / "docs/extending.md").read_text().partition("## Parts of your own")[2]
NAMES = {"my_dots.py", "mine.yaml", "my_kites.py", "kites.yaml", "my_figures.py", "my_drawings.py", "figures.yaml"}


def write_own_parts(folder):
    """Write them to a folder, word for word."""
    files = files_of(CHAPTER)
    assert files.keys() == NAMES
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def files_of(chapter):
    """Text by file name: a fenced block begins with the name of its file, or goes on with the last of its language."""
    files, last = {}, {}
    for language, block in re.findall(r"^```(python|yaml)\n(.*?)^```$", chapter, re.DOTALL | re.MULTILINE):
        if name := re.match(r"# (\S+\.(?:py|yaml))\n", block):
            last[language] = name[1]
        files[last[language]] = files.get(last[language], "") + block + "\n\n"
    return files
