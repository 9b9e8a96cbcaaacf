"""Reads messages, as JSON a list of their octets in Latin-1, by Python's e-mail package, and prints what it finds."""

import email
import email.policy
import email.utils
import json
import sys
from email.header import decode_header, make_header


def mailboxes(octets, name):
    """Names and addresses by the older parser: that of Python 3.11 adds blanks between encoded words."""
    header = email.message_from_bytes(octets)[name]
    pairs = email.utils.getaddresses([header])
    return [[str(make_header(decode_header(shown))), address] for shown, address in pairs]


def read(octets):
    message = email.message_from_bytes(octets, policy=email.policy.SMTP)
    part = message.get_body()
    defects = [*message.defects, *(one for _, value in message.items() for one in value.defects)]
    return {
        "names": message.keys(),
        "from": mailboxes(octets, "From"),
        "to": mailboxes(octets, "To"),
        "addresses": [one.addr_spec for one in message["To"].addresses],
        "subject": message["Subject"],
        "date": email.utils.parsedate_to_datetime(message["Date"]).isoformat(),
        "id": message["Message-ID"],
        "text": part.get_content(),
        "defects": [repr(one) for one in defects],
        "longest": max(len(line) for line in octets.split(b"\r\n")),
        "other line ends": octets.replace(b"\r\n", b"").count(b"\n") + octets.replace(b"\r\n", b"").count(b"\r"),
        "lines of a dot": octets.split(b"\r\n").count(b"."),
        "is ASCII": octets.isascii(),
    }


print(json.dumps([read(octets.encode("latin-1")) for octets in json.load(sys.stdin)]))
