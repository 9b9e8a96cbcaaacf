"""What a name server serves, read by dnspython: JSON lines in, JSON lines out.

A request {"zone": ..., "port": ..., "text": ...} compares the zone with a master file: `missing` and `more` are lines of
records, `doubled` those that the server sends twice. `states` is the number of zones that were served since the last
request for this zone: by IXFR, one for each serial, or if the server replies with a whole zone, those that requests
without a text noted, by AXFR. It is null if there are none of either. `dark` are the names that had records then and
have records now, but had none in one of these zones. Records of DNSSEC and the SOA record do not count.
"""

import json
import socket
import sys
from collections import Counter

import dns.message
import dns.query
import dns.rdatatype
import dns.zone

OF_SERVER = {"RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "ZONEMD", "TYPE65534", "SOA"}


def rows(rrset):
    kind = dns.rdatatype.to_text(rrset.rdtype)
    if kind in OF_SERVER:
        return []
    return [(rrset.name.to_text().lower(), rrset.ttl, kind, rdata.to_digestable().hex()) for rdata in rrset]


def lines(records):
    """The records as lines of owner, TTL, type and RDATA in hexadecimal digits."""
    return sorted(" ".join(map(str, record)) for record in records)


def axfr(zone, port):
    """The records in RRsets of one each, as they are sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        dns.query.send_tcp(connection, dns.message.make_query(zone, "AXFR"))
        soas = 0
        while soas < 2:
            message, _ = dns.query.receive_tcp(connection, one_rr_per_rrset=True)
            soas += sum(rrset.rdtype == dns.rdatatype.SOA for rrset in message.answer)
            yield from message.answer


def ixfr(zone, port, serial):
    for message in dns.query.xfr("127.0.0.1", zone, "IXFR", port=port, serial=serial, relativize=False, lifetime=60):
        yield from message.answer


def records_of_file(zone, text):
    parsed = dns.zone.from_text(text, zone, relativize=False, check_origin=False)
    for name, ttl, rdata in parsed.iterate_rdatas():
        kind = dns.rdatatype.to_text(rdata.rdtype)
        if kind not in OF_SERVER:
            yield name.to_text().lower(), ttl, kind, rdata.to_digestable().hex()


def names(records):
    return {record[0] for record in records}


def states_since(zone, port, serial, records):
    """The records of each zone that was served after that of a serial; None if the server sends no differences."""
    rrsets = list(ixfr(zone, port, serial))
    is_soa = [rrset.rdtype == dns.rdatatype.SOA for rrset in rrsets]
    if len(rrsets) == 1:
        return []
    if not is_soa[1]:
        return None
    states = []
    current = set(records)
    soas = 0
    for rrset, ends in zip(rrsets[1:], is_soa[1:]):
        if ends:
            soas += 1
            if soas > 1 and soas % 2 == 1:
                states.append(set(current))
        elif soas % 2 == 1:
            current -= set(rows(rrset))
        else:
            current |= set(rows(rrset))
    return states


class Reader:
    def __init__(self):
        self.last = {}
        self.noted = {}

    def note(self, zone, port):
        """Keeps the zone as a state to look at with the next comparison."""
        records = {row for rrset in axfr(zone, port) for row in rows(rrset)}
        self.noted.setdefault(zone, []).append(records)
        return {}

    def compare(self, zone, port, text):
        found = {"states": None, "dark": []}
        if zone in self.last:
            serial, records = self.last[zone]
            states = states_since(zone, port, serial, records)
            noted = self.noted.pop(zone, None)
            if states is None:
                states = noted
            if states is not None:
                found["states"] = len(states)
                kept = names(records) & names(states[-1]) if states else set()
                found["dark"] = sorted(set().union(*(kept - names(state) for state in states)))
        rrsets = list(axfr(zone, port))
        served = Counter(row for rrset in rrsets for row in rows(rrset))
        self.last[zone] = (rrsets[0][0].serial, set(served))
        wanted = lines(records_of_file(zone, text))
        found["missing"] = sorted(set(wanted) - set(lines(served)))
        found["more"] = sorted(set(lines(served)) - set(wanted))
        found["doubled"] = lines(row for row, count in served.items() if count > 1)
        return found


reader = Reader()
for line in sys.stdin:
    request = json.loads(line)
    found = reader.compare(**request) if "text" in request else reader.note(**request)
    print(json.dumps(found), flush=True)
