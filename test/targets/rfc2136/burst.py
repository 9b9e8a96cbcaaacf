"""Six writers that read the same RRset and replace it in one moment, by dnspython: one line of JSON in, one out.

{"zone", "port", "key", "secret", "rounds"} asks for rounds at www; the reply is the number of rounds by the number of
writers that the server told NOERROR.
"""

import collections
import json
import socket
import struct
import sys

import dns.message
import dns.name
import dns.rcode
import dns.tsig
import dns.tsigkeyring
import dns.update

WRITERS = 6


def receive(connection, count):
    octets = b""
    while len(octets) < count:
        part = connection.recv(count - len(octets))
        if not part:
            raise EOFError
        octets += part
    return octets


request = json.loads(sys.stdin.readline())
zone = dns.name.from_text(request["zone"])
keyring = dns.tsigkeyring.from_text({request["key"]: request["secret"]})
won = collections.Counter()
stored = request["stored"]
for round in range(request["rounds"]):
    writers = []
    for number in range(WRITERS):
        value = f"198.51.100.{round % 2 * 100 + number + 1}"
        update = dns.update.UpdateMessage(zone, keyring=keyring, keyalgorithm=dns.tsig.HMAC_SHA256)
        update.present("www", *[dns.rdata.from_text("IN", "A", one) for one in stored])
        update.delete("www", "A")
        update.add("www", 300, "A", value)
        connection = socket.create_connection(("127.0.0.1", request["port"]), timeout=30)
        writers.append((value, update, connection, update.to_wire()))
    for _, _, connection, octets in writers:
        connection.sendall(struct.pack("!H", len(octets)) + octets)
    winners = []
    for value, update, connection, _ in writers:
        (length,) = struct.unpack("!H", receive(connection, 2))
        reply = dns.message.from_wire(receive(connection, length), keyring=keyring, request_mac=update.mac)
        if reply.rcode() == dns.rcode.NOERROR:
            winners.append(value)
        connection.close()
    won[len(winners)] += 1
    if len(winners) == 1:
        stored = winners
print(json.dumps(won))
