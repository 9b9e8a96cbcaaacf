"""A primary that serves one zone and rejects the signature of each update, by dnspython.

The first line of standard input is JSON: "zone", its "text", "key" and "secret", and the TSIG error of updates by its
number, "error". The port is printed once the server listens on 127.0.0.1, over UDP and TCP.
"""

import json
import selectors
import socket
import struct
import sys
import time

import dns.flags
import dns.message
import dns.opcode
import dns.rcode
import dns.rdatatype
import dns.rrset
import dns.tsig
import dns.tsigkeyring
import dns.zone

NOT_SIGNED = {16, 17}  # BADSIG and BADKEY (RFC 8945 §5.3.2)
BADTIME = 18

request = json.loads(sys.stdin.readline())
zone = dns.zone.from_text(request["text"], request["zone"], relativize=False)
keyring = dns.tsigkeyring.from_text({request["key"]: request["secret"]})
error = request["error"]


def with_unsigned_tsig(wire, query):
    """The message with a TSIG record that has no MAC, in octets as RFC 8945 §4.2 has them."""
    key = query.keyname.to_wire()
    rdata = query.keyalgorithm.to_wire() + struct.pack("!HIHHHHH", 0, int(time.time()), 300, 0, query.id, error, 0)
    record = key + struct.pack("!HHIH", dns.rdatatype.TSIG, 255, 0, len(rdata)) + rdata
    additional = struct.unpack("!H", wire[10:12])[0] + 1
    return wire[:10] + struct.pack("!H", additional) + wire[12:] + record


def rejection(query):
    reply = dns.message.make_response(query, tsig_error=error)
    reply.set_rcode(dns.rcode.NOTAUTH)
    if error in NOT_SIGNED:
        reply.tsig = None
        return with_unsigned_tsig(reply.to_wire(), query)
    other = struct.pack("!Q", int(time.time()) + 3600)[2:] if error == BADTIME else b""
    reply.use_tsig(keyring, query.keyname, tsig_error=error, other_data=other, algorithm=query.keyalgorithm)
    reply.request_mac = query.mac
    return reply.to_wire()


def answer(wire):
    query = dns.message.from_wire(wire, keyring=keyring)
    if query.opcode() == dns.opcode.UPDATE:
        return rejection(query)
    reply = dns.message.make_response(query)
    reply.flags |= dns.flags.AA
    question = query.question[0]
    soa = dns.rrset.from_rdata(zone.origin, 300, zone.get_rdataset(zone.origin, "SOA")[0])
    if question.name != zone.origin:
        reply.set_rcode(dns.rcode.REFUSED)
    elif question.rdtype == dns.rdatatype.SOA:
        reply.answer = [soa]
    elif question.rdtype == dns.rdatatype.AXFR:
        sets = [dns.rrset.from_rdata_list(name, data.ttl, data) for name, data in zone.iterate_rdatasets()]
        reply.answer = [soa, *(one for one in sets if one.rdtype != dns.rdatatype.SOA), soa]
    return reply.to_wire()


def receive(connection, count):
    octets = b""
    while len(octets) < count:
        octets += connection.recv(count - len(octets)) or sys.exit("the client hung up")
    return octets


tcp = socket.create_server(("127.0.0.1", 0))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(tcp.getsockname())
print(tcp.getsockname()[1], flush=True)
selector = selectors.DefaultSelector()
for listener in (tcp, udp):
    selector.register(listener, selectors.EVENT_READ)
while True:
    for ready, _ in selector.select():
        if ready.fileobj is udp:
            wire, client = udp.recvfrom(65535)
            udp.sendto(answer(wire), client)
        else:
            connection, _ = tcp.accept()
            with connection:
                wire = receive(connection, struct.unpack("!H", receive(connection, 2))[0])
                reply = answer(wire)
                connection.sendall(struct.pack("!H", len(reply)) + reply)
