"""Calls the client that openapi-python-client has generated in the folder api."""

import importlib
import json
import sys
import typing
from pathlib import Path

from api import AuthenticatedClient
from api.api.domains import create_record, list_records
from api.models import Errors, NewDomainRecord, NewDomainRecordType

url, token, domain = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{url}/v4", token=token)

record = create_record.sync(int(domain), client=client, body=NewDomainRecord(NewDomainRecordType.A, name="www", target="192.0.2.1"))
keys = ["id", "name", "target", "created", "tag"]
print(json.dumps({key: getattr(record, key) for key in keys}))

page = list_records.sync(int(domain), client=client, page_size=25)
print(json.dumps({"results": page.results, "names": [record.name for record in page.data]}))

refused = create_record.sync_detailed(int(domain), client=client, body=NewDomainRecord(NewDomainRecordType.A, target="x"))
assert isinstance(refused.parsed, Errors)
entry = refused.parsed.errors[0]
print(json.dumps({"status": refused.status_code, "reason": entry.reason, "field": entry.field}))

files = {file.stem.replace("_", ""): file for file in Path("api/api").glob("*/*.py")}
for operation in json.loads(Path("operations.json").read_text()):
    file = files[operation["id"].lower()]
    module = importlib.import_module(".".join(file.with_suffix("").parts))
    arguments = {}
    if "body" in operation:
        body = typing.get_type_hints(module.sync_detailed)["body"]
        (model,) = [part for part in typing.get_args(body) or [body] if hasattr(part, "from_dict")]
        arguments["body"] = model.from_dict(operation["body"])
    response = module.sync_detailed(client=client, **arguments)
    understood = response.parsed.to_dict() if response.parsed is not None else ""
    reply = json.loads(response.content) if response.content else ""
    print(json.dumps({"id": operation["id"], "status": response.status_code, "reply": reply, "understood": understood}))
