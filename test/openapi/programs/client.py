"""Creates a record with the client that openapi-python-client has generated in the folder api."""

import json
import sys

from api import AuthenticatedClient
from api.api.domains import create_record, list_records
from api.models import Errors, NewDomainRecord, NewDomainRecordType

url, token = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{url}/v4", token=token)

record = create_record.sync(1, client=client, body=NewDomainRecord(NewDomainRecordType.A, name="www", target="192.0.2.1"))
keys = ["id", "name", "target", "created", "tag"]
print(json.dumps({key: getattr(record, key) for key in keys}))

page = list_records.sync(1, client=client, page_size=25)
print(json.dumps({"results": page.results, "names": [record.name for record in page.data]}))

refused = create_record.sync_detailed(1, client=client, body=NewDomainRecord(NewDomainRecordType.A, target="x"))
assert isinstance(refused.parsed, Errors)
entry = refused.parsed.errors[0]
print(json.dumps({"status": refused.status_code, "reason": entry.reason, "field": entry.field}))
