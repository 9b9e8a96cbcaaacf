"""Evaluates expressions with a session of Authlib's OAuth client, one after the other, and prints what each gives."""

import json
import sys

from authlib.integrations.requests_client import OAuth2Session

given = json.load(sys.stdin)
url = given["url"]
verifier = given["verifier"]
session = OAuth2Session(code_challenge_method="S256", **given["options"])
for expression in given["expressions"]:
    try:
        value = eval(expression)
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    print(json.dumps(value))
