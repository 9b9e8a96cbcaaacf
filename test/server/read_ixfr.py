"""Prints the records of an incremental transfer of a zone from a serial on, and then those of the whole zone."""

import sys

import dns.message
import dns.query
import dns.rdatatype
import dns.rrset
import dns.zone

host, port, name, serial = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])

query = dns.message.make_query(name, "IXFR")
query.authority.append(dns.rrset.from_text(name, 0, "IN", "SOA", f". . {serial} 0 0 0 0"))
reply = dns.query.tcp(query, host, port=port, timeout=20, one_rr_per_rrset=True)
for rrset in reply.answer:
    print(rrset.to_text())
zone = dns.zone.Zone(name, relativize=False)
dns.query.inbound_xfr(host, zone, port=port, timeout=20)
for line in sorted(f"{owner} {ttl} IN {dns.rdatatype.to_text(rdata.rdtype)} {rdata}" for owner, ttl, rdata in zone.iterate_rdatas()):
    print(line)
