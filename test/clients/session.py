"""Evaluates expressions with the Linode drivers of Apache Libcloud, one after the other, and prints what each gives."""

import json
import sys
from datetime import datetime

from libcloud.compute.providers import get_driver as get_compute_driver
from libcloud.compute.types import Provider as ComputeProvider
from libcloud.dns.base import Record, Zone
from libcloud.dns.providers import get_driver
from libcloud.dns.types import Provider, RecordType


def shown(value):
    if isinstance(value, (Zone, Record)):
        return {key: part for key, part in vars(value).items() if key not in ("driver", "zone")}
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value))


given = json.load(sys.stdin)
driver = get_driver(Provider.LINODE)
compute = get_compute_driver(ComputeProvider.LINODE)
names = {"RecordType": RecordType}
for name, token in given["tokens"].items():
    names[name] = (compute if name == "compute" else driver)(token, host="127.0.0.1", port=given["port"], secure=False)
for expression in given["expressions"]:
    try:
        value = eval(expression, names)
    except Exception as error:
        value = f"{type(error).__name__}: {getattr(error, 'value', error)}"
    print(json.dumps(value, default=shown))
