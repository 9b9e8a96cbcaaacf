"""Asks octoDNS about zones: reads cases as JSON, writes for each the messages, or null if it cannot express one."""

import json
import logging
import sys

from octodns.record import Record
from octodns.record.rr import Rrset
from octodns.zone import Zone

logging.disable(logging.CRITICAL)


def messages_of(error):
    reasons = getattr(error, "reasons", None)
    return [str(reason) for reason in reasons] if reasons else [str(error)]


def check_zone(name, rrsets):
    messages = []
    zone = Zone(name + ".", [])
    for owner, type_, ttl, rdatas in rrsets:
        try:
            # As a file of YAML is read: a faulty record is reported, and the others are read all the same.
            record = Record.from_rrset(zone, Rrset(owner, type_, ttl, rdatas))
            zone.add_record(record)
        except Exception as error:  # Values that it cannot read end in many kinds of exceptions.
            messages += messages_of(error)
            try:
                record = Record.from_rrset(zone, Rrset(owner, type_, ttl, rdatas), lenient=True)
                zone.add_record(record, lenient=True)
            except Exception:
                pass
    try:
        zone.validate()
    except Exception as error:
        messages += messages_of(error)
    return messages


def main():
    request = json.load(sys.stdin)
    Record.enable_validators(request["sets"])
    Zone.enable_zone_validators(request["sets"])
    verdicts = []
    for zones in request["cases"]:
        if zones is None:
            verdicts.append(None)
        else:
            verdicts.append([message for name, rrsets in zones.items() for message in check_zone(name, rrsets)])
    json.dump(verdicts, sys.stdout)


main()
