"""What a name server serves, read by dnspython: JSON lines in, JSON lines out.

{"zone": ..., "port": ..., "text": ...} compares the zone with a master file; {"zone": ..., "port": ..., "serial": ...}
lists every zone that was served since a serial, one for each IXFR difference.
"""

import json
import sys

import dns.message
import dns.query
import dns.rdatatype
import dns.zone

OF_SERVER = {"RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "ZONEMD", "TYPE65534"}


def lines(records):
    """The records as lines of owner, TTL, type and RDATA in hexadecimal digits, without those of the server."""
    return sorted(f"{name} {ttl} {kind} {data}" for name, ttl, kind, data in records if kind not in OF_SERVER and kind != "SOA")


def rows(rrset):
    kind = dns.rdatatype.to_text(rrset.rdtype)
    return [(rrset.name.to_text().lower(), rrset.ttl, kind, rdata.to_digestable().hex()) for rdata in rrset]


def transfer(zone, port, kind, serial=0):
    for message in dns.query.xfr("127.0.0.1", zone, kind, port=port, serial=serial, relativize=False, lifetime=60):
        yield from message.answer


def records_of_file(zone, text):
    parsed = dns.zone.from_text(text, zone, relativize=False, check_origin=False)
    for name, ttl, rdata in parsed.iterate_rdatas():
        yield name.to_text().lower(), ttl, dns.rdatatype.to_text(rdata.rdtype), rdata.to_digestable().hex()


def compare(zone, port, text):
    served = lines(row for rrset in transfer(zone, port, "AXFR") for row in rows(rrset))
    wanted = lines(records_of_file(zone, text))
    return {"missing": sorted(set(wanted) - set(served)), "more": sorted(set(served) - set(wanted))}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(compare(request["zone"], request["port"], request["text"])), flush=True)
