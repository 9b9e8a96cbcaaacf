"""Prints what PyYAML reads in plain scalars: its type, its text and, for numbers, its integer in Python.

Reads a JSON list of scalars, prints a list of lists; null for one that it cannot read.
"""

import json
import sys

import yaml


def read(text):
    try:
        value = yaml.safe_load(f"- {text}\n")[0]
        integer = str(int(value)) if isinstance(value, (int, float)) else None
    except OverflowError:
        integer = None
    except ValueError:
        # Not a finite number, or a date that does not exist.
        return None if "value" not in locals() else [type(value).__name__, str(value), None]
    except yaml.YAMLError:
        return None
    return [type(value).__name__, str(value), integer]


print(json.dumps([read(text) for text in json.load(sys.stdin)]))
