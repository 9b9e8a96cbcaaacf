"""Evaluates expressions with the Python client of the live service, one after the other, and prints what each gives."""

import json
import sys

from linode_api4 import (
    Domain,
    Instance,
    Invoice,
    LinodeClient,
    LinodeLoginClient,
    OAuthClient,
    OAuthScopes,
    Region,
    ServiceTransfer,
)
from linode_api4.objects import Base, MappedObject
from linode_api4.objects.serializable import JSONObject
from linode_api4.paginated_list import PaginatedList


def shown(value):
    if isinstance(value, Base):
        value._api_get()
        return value._raw_json
    if isinstance(value, PaginatedList):
        return list(value)
    if isinstance(value, (MappedObject, JSONObject)):
        return value.dict
    return repr(value)


given = json.load(sys.stdin)
url = given["url"]
login = LinodeLoginClient(given["client"]["id"], given["client"]["secret"], url)
names = dict(globals())
for name, token in given["tokens"].items():
    names[name] = LinodeClient(token, base_url=url + "/v4")
for expression in given["expressions"]:
    try:
        value = eval(expression, names)
    except Exception as error:
        value = f"{type(error).__name__}: {error}"
    print(json.dumps(value, default=shown))
