"""Print all cases of docs/proofs.md as one file: `.venv-dev/bin/python -m tests.proofs >cases.json`."""

import json

from tests.proofs import all_cases

if __name__ == "__main__":
    print(json.dumps({"cases": all_cases()}, ensure_ascii=False))
