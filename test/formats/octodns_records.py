"""Prints the records that octoDNS reads in zone files, as one JSON list for each folder with one zone.

Arguments: folder, zone, and again. Nothing is read leniently, so that octoDNS judges every record that its file does
not call lenient.
"""

import json
import logging
import sys
import warnings

from octodns.provider.yaml import YamlProvider
from octodns.record import Record
from octodns.zone import Zone

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
Record.enable_validators({"legacy"})
Zone.enable_zone_validators({"legacy"})


def rdatas(record):
    """RDATA as octoDNS gives it to providers; texts by their octets, because it prints no others than ASCII."""
    if record._type not in ("TXT", "SPF"):
        return record.to_rrset().rdatas
    octets = [value.to_raw_text().encode() for value in record.values]
    return [" ".join(string(text[at : at + 255]) for at in range(0, len(text) or 1, 255)) for text in octets]


def string(octets):
    return '"' + "".join(f"\\{octet:03d}" for octet in octets) + '"'


for folder, name in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        zone = Zone(name, [])
        provider = YamlProvider("files", folder, escaped_semicolons=True)
        provider.populate(zone)
        zone.validate()
        found = [
            f"{record.fqdn} {record.ttl} IN {record._type} {rdata}" for record in zone.records for rdata in rdatas(record)
        ]
        print(json.dumps(sorted(found)))
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"))
