"""Measures how a name server treats updates (RFC 2136): PORT KEY SECRET [TYPE], prints a JSON object of rows and cells.

It shares no code with zonewright: messages and signatures are those of dnspython. Each row has a zone of its own, as
`servers.ts` writes it. With TYPE, it measures only what a record of this type does, which may end the server. Port 0
prints the rows and the types.
"""

import base64
import json
import socket
import struct
import sys
import time

import dns.exception
import dns.message
import dns.name
import dns.query
import dns.rcode
import dns.rdatatype
import dns.tsigkeyring
import dns.update
import dns.zone

PORT, KEY, SECRET = int(sys.argv[1]), sys.argv[2], sys.argv[3]
HOST = "127.0.0.1"
ROUNDS, WRITERS = 40, 6
# A server that signs works after its reply: seconds until a zone counts as unchanged.
PATIENCE = 2
MADE_BY_SIGNERS = {"RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY", "TYPE65534"}

rows = []
keyring = dns.tsigkeyring.from_text({KEY: SECRET})


def row(title):
    def keep(measure):
        rows.append((title, measure))

    return keep


def connect():
    return socket.create_connection((HOST, PORT), timeout=30)


def framed(octets):
    return struct.pack(">H", len(octets)) + octets


def receive(connection):
    octets = b""
    while len(octets) < 2 or len(octets) < 2 + struct.unpack(">H", octets[:2])[0]:
        chunk = connection.recv(65536)
        if not chunk:
            return None
        octets += chunk
    # Without a check of the signature: some replies have none.
    return dns.message.from_wire(octets[2:], keyring=False)


def code(reply):
    """The rcode, the error of the signature, and whether an error is signed."""
    if reply is None:
        return "no reply"
    text = dns.rcode.to_text(reply.rcode())
    tsig = reply.tsig[0] if reply.tsig else None
    if tsig and tsig.error:
        text += f" {dns.rcode.to_text(tsig.error, tsig=True)}"
    return text if tsig and tsig.mac else f"{text}, unsigned"


class Zone:
    def __init__(self, number):
        self.name = dns.name.from_text(f"z{number:02}.example.")

    def at(self, label):
        return dns.name.from_text(label, self.name)

    def message(self, *steps):
        """An update of steps in words: `add OWNER TTL TYPE RDATA`, `delete OWNER [TYPE [RDATA]]`."""
        update = dns.update.UpdateMessage(self.name, keyring=keyring)
        for step in steps:
            word, owner, *rest = step.split(" ")
            if word == "add":
                ttl, type_name, *data = rest
                update.add(self.at(owner), int(ttl), self.rdata(type_name, " ".join(data)))
            elif len(rest) > 1:
                update.delete(self.at(owner), self.rdata(rest[0], " ".join(rest[1:])))
            else:
                update.delete(self.at(owner), *rest)
        return update

    def rdata(self, type_name, text):
        return dns.rdata.from_text("IN", type_name, text, origin=self.name, relativize=False)

    def send(self, message):
        with connect() as connection:
            connection.sendall(framed(message.to_wire()))
            return receive(connection)

    def transfer(self):
        zone = dns.zone.Zone(self.name, relativize=True)
        query = dns.message.make_query(self.name, "AXFR", use_edns=False)
        dns.query.inbound_xfr(HOST, zone, query, port=PORT)
        return zone

    def soa(self):
        served = self.transfer().get_rdataset("@", "SOA")[0]
        return self.rdata("SOA", served.to_text(origin=self.name, relativize=False))

    def lines(self):
        zone = self.transfer()
        for name, ttl, rdata in zone.iterate_rdatas():
            type_name = dns.rdatatype.to_text(rdata.rdtype)
            if type_name != "SOA":
                yield type_name, f"{name} {ttl} {type_name} {rdata.to_text(origin=self.name, relativize=True)}"

    def content(self):
        """The records without SOA and what a signer writes."""
        return {line for type_name, line in self.lines() if type_name not in MADE_BY_SIGNERS}

    def settled(self, wanted):
        """The content as soon as it is the wanted one, or after some patience."""
        end = time.time() + PATIENCE
        while True:
            content = self.content()
            if content == wanted or time.time() > end:
                return content
            time.sleep(0.05)

    def effect(self, messages, leave=(), come=()):
        """The effect of messages after which some records should have left, and others come."""
        before = self.content()
        wanted = (before - set(leave)) | set(come)
        for message in messages:
            reply = self.send(message)
            if reply is None or reply.rcode() != 0:
                same = self.settled(wanted) == before
                return code(reply) + ("" if same else ", and the zone changed")
        got = self.settled(wanted)
        if got == wanted:
            return "done"
        if got == before:
            return "ignored"
        extra = got - wanted
        parts = [("lacks", wanted - got), ("keeps", extra & before), ("has", extra - before)]
        texts = [f"{word} {', '.join(f'`{line}`' for line in sorted(lines))}" for word, lines in parts if lines]
        return "; ".join(texts)


WWW = ["192.0.2.10", "192.0.2.11"]


def with_values(message, zone, owner, values):
    message.present(zone.at(owner), *[zone.rdata("A", value) for value in values])
    return message


@row("the SOA record as served is a prerequisite")
def _(zone):
    message = zone.message("add new 300 A 192.0.2.1")
    message.present(zone.name, zone.soa())
    return zone.effect([message], come=["new 300 A 192.0.2.1"])


def race(zone, prepare):
    """The rounds in which several of six updates, sent in one burst, had NOERROR."""
    several = none = 0
    for turn in range(ROUNDS):
        messages = [message.to_wire() for message in prepare(turn)]
        connections = [connect() for _ in messages]
        for connection, message in zip(connections, messages):
            connection.sendall(framed(message))
        codes = [dns.rcode.to_text(receive(connection).rcode()) for connection in connections]
        for connection in connections:
            connection.close()
        several += codes.count("NOERROR") > 1
        none += codes.count("NOERROR") == 0
        if none > 2:
            return "each update fails"
    return f"{several} of {ROUNDS}"


@row("six writers with one SOA record as the prerequisite: rounds in which several succeed")
def _(zone):
    def prepare(turn):
        soa = zone.soa()
        for writer in range(WRITERS):
            message = zone.message(f"add w{turn}-{writer} 300 A 192.0.2.1")
            message.present(zone.name, soa)
            yield message

    return race(zone, lambda turn: list(prepare(turn)))


@row("six writers with one RRset and its values as the prerequisite: rounds in which several succeed")
def _(zone):
    def prepare(turn):
        wanted = sorted(line for line in zone.content() if line.startswith("www "))
        values = [line.split(" ")[3] for line in wanted]
        for writer in range(WRITERS):
            message = zone.message("delete www A", f"add www 300 A 10.0.{turn}.{writer}")
            yield with_values(message, zone, "www", values)

    def patient(turn):
        # A server that signs later may still transfer the zone as it was.
        end = time.time() + PATIENCE
        while turn > 0 and f"10.0.{turn - 1}." not in str(zone.content()) and time.time() < end:
            time.sleep(0.05)
        return list(prepare(turn))

    return race(zone, patient)


@row("a prerequisite with the old values, after someone changed only the TTL")
def _(zone):
    zone.effect([zone.message("delete www A", *[f"add www 60 A {value}" for value in WWW])])
    reply = zone.send(with_values(zone.message("add new 300 A 192.0.2.1"), zone, "www", WWW))
    return "holds" if reply.rcode() == 0 else code(reply)


@row("a message with prerequisites only: the serial")
def _(zone):
    before = zone.soa().serial
    reply = zone.send(with_values(zone.message(), zone, "www", WWW))
    zone.settled({"nothing"})
    moved = zone.soa().serial - before
    return code(reply) if reply.rcode() != 0 else "stays" if moved == 0 else f"+{moved}"


@row("one update of one record: the serial")
def _(zone):
    before = zone.soa().serial
    zone.effect([zone.message("add new 300 A 192.0.2.1")], come=["new 300 A 192.0.2.1"])
    zone.settled({"nothing"})
    serial = zone.soa().serial
    return "a date" if str(serial).startswith(time.strftime("%Y%m")) else f"+{serial - before}"


OLD_NS = ["@ 300 NS ns1", "@ 300 NS ns2"]


@row("apex NS, all new: delete the RRset, add the new ones")
def _(zone):
    message = zone.message("delete @ NS", "add @ 300 NS ns3", "add @ 300 NS ns4")
    return zone.effect([message], leave=OLD_NS, come=["@ 300 NS ns3", "@ 300 NS ns4"])


@row("apex NS, all new: add the new ones, delete the old ones singly")
def _(zone):
    message = zone.message("add @ 300 NS ns3", "add @ 300 NS ns4", "delete @ NS ns1", "delete @ NS ns2")
    return zone.effect([message], leave=OLD_NS, come=["@ 300 NS ns3", "@ 300 NS ns4"])


@row("apex NS, one leaves and the TTL changes: add the new one and the staying one with it, delete the old one")
def _(zone):
    message = zone.message("add @ 600 NS ns3", "add @ 600 NS ns1", "delete @ NS ns2")
    return zone.effect([message], leave=OLD_NS, come=["@ 600 NS ns3", "@ 600 NS ns1"])


@row("apex NS, one leaves and the TTL changes: delete and add the staying one, too")
def _(zone):
    message = zone.message("add @ 600 NS ns3", "delete @ NS ns1", "add @ 600 NS ns1", "delete @ NS ns2")
    return zone.effect([message], leave=OLD_NS, come=["@ 600 NS ns3", "@ 600 NS ns1"])


@row("apex NS, TTL only: add all again")
def _(zone):
    message = zone.message("add @ 600 NS ns1", "add @ 600 NS ns2")
    return zone.effect([message], leave=OLD_NS, come=["@ 600 NS ns1", "@ 600 NS ns2"])


@row("apex NS, TTL only: delete and add each in turn")
def _(zone):
    message = zone.message("delete @ NS ns1", "add @ 600 NS ns1", "delete @ NS ns2", "add @ 600 NS ns2")
    return zone.effect([message], leave=OLD_NS, come=["@ 600 NS ns1", "@ 600 NS ns2"])


@row("apex NS, TTL of the only one: add it again")
def _(zone):
    zone.effect([zone.message("delete @ NS ns2")], leave=["@ 300 NS ns2"])
    return zone.effect([zone.message("add @ 600 NS ns1")], leave=["@ 300 NS ns1"], come=["@ 600 NS ns1"])


@row("apex NS, TTL of the only one: delete and add it")
def _(zone):
    zone.effect([zone.message("delete @ NS ns2")], leave=["@ 300 NS ns2"])
    message = zone.message("delete @ NS ns1", "add @ 600 NS ns1")
    return zone.effect([message], leave=["@ 300 NS ns1"], come=["@ 600 NS ns1"])


OLD_WWW = [f"www 300 A {value}" for value in WWW]


@row("A → CNAME: delete the RRset, add")
def _(zone):
    message = zone.message("delete www A", "add www 300 CNAME host")
    return zone.effect([message], leave=OLD_WWW, come=["www 300 CNAME host"])


@row("A → CNAME: delete the name, add")
def _(zone):
    message = zone.message("delete www", "add www 300 CNAME host")
    return zone.effect([message], leave=OLD_WWW, come=["www 300 CNAME host"])


@row("CNAME → A: delete the RRset, add")
def _(zone):
    message = zone.message("delete alias CNAME", "add alias 300 A 192.0.2.1")
    return zone.effect([message], leave=["alias 300 CNAME www"], come=["alias 300 A 192.0.2.1"])


@row("CNAME → CNAME: delete the RRset, add")
def _(zone):
    message = zone.message("delete alias CNAME", "add alias 300 CNAME host")
    return zone.effect([message], leave=["alias 300 CNAME www"], come=["alias 300 CNAME host"])


@row("CNAME → CNAME: add")
def _(zone):
    message = zone.message("add alias 300 CNAME host")
    return zone.effect([message], leave=["alias 300 CNAME www"], come=["alias 300 CNAME host"])


@row("CNAME, TTL only: add again")
def _(zone):
    message = zone.message("add alias 60 CNAME www")
    return zone.effect([message], leave=["alias 300 CNAME www"], come=["alias 60 CNAME www"])


@row("CNAME, TTL only: delete the RRset, add")
def _(zone):
    message = zone.message("delete alias CNAME", "add alias 60 CNAME www")
    return zone.effect([message], leave=["alias 300 CNAME www"], come=["alias 60 CNAME www"])


NEW_WWW = [f"www 60 A {value}" for value in WWW]


@row("A, TTL only: add all again")
def _(zone):
    message = zone.message(*[f"add www 60 A {value}" for value in WWW])
    return zone.effect([message], leave=OLD_WWW, come=NEW_WWW)


@row("A, TTL only: delete the RRset, add all")
def _(zone):
    message = zone.message("delete www A", *[f"add www 60 A {value}" for value in WWW])
    return zone.effect([message], leave=OLD_WWW, come=NEW_WWW)


@row("A, one more with another TTL: add it alone")
def _(zone):
    message = zone.message("add www 60 A 192.0.2.12")
    return zone.effect([message], leave=OLD_WWW, come=[*NEW_WWW, "www 60 A 192.0.2.12"])


@row("a CNAME at a name with an A")
def _(zone):
    return zone.effect([zone.message("add host 300 CNAME www")], come=["host 300 CNAME www"])


@row("an A at a name with a CNAME")
def _(zone):
    return zone.effect([zone.message("add alias 300 A 192.0.2.1")], come=["alias 300 A 192.0.2.1"])


@row("an A below a DNAME")
def _(zone):
    return zone.effect([zone.message("add a.dname 300 A 192.0.2.1")], come=["a.dname 300 A 192.0.2.1"])


@row("a DNAME above an A")
def _(zone):
    return zone.effect([zone.message("add tree 300 DNAME example.net.")], come=["tree 300 DNAME example.net."])


@row("NS and DS of a child: add both")
def _(zone):
    digest = "12345 13 2 " + "ab" * 32
    message = zone.message("add child 300 NS ns.example.net.", f"add child 300 DS {digest}")
    return zone.effect([message], come=["child 300 NS ns.example.net.", f"child 300 DS {digest}"])


@row("delete the name of the apex: the records there that stay")
def _(zone):
    reply = zone.send(zone.message("delete @"))
    zone.settled({"nothing"})
    types = sorted({line.split(" ")[2] for line in zone.content() if line.startswith("@ ")} | {"SOA"})
    return " ".join(types) if reply.rcode() == 0 else code(reply)


@row("a name outside of the zone")
def _(zone):
    message = zone.message()
    message.add(dns.name.from_text("www.example.net."), 300, zone.rdata("A", "192.0.2.1"))
    return zone.effect([message])


@row("a zone that the server does not have")
def _(_zone):
    return code(Zone(99).send(Zone(99).message("add new 300 A 192.0.2.1")))


@row("no signature")
def _(zone):
    message = zone.message("add new 300 A 192.0.2.1")
    message.tsig = None
    message.keyring = None
    return code(zone.send(message))


def signed_otherwise(zone, name, secret):
    message = zone.message("add new 300 A 192.0.2.1")
    message.use_tsig(dns.tsigkeyring.from_text({name: base64.b64encode(secret).decode()}), name)
    return code(zone.send(message))


@row("a key that the server does not have")
def _(zone):
    return signed_otherwise(zone, "unknown.", b"unknown")


@row("a key with another secret")
def _(zone):
    return signed_otherwise(zone, KEY, b"another")


@row("a clock that is an hour late")
def _(zone):
    clock = time.time
    time.time = lambda: clock() - 3600
    octets = zone.message("add new 300 A 192.0.2.1").to_wire()
    time.time = clock
    with connect() as connection:
        connection.sendall(framed(octets))
        return code(receive(connection))


def key_data(octet):
    return base64.b64encode(bytes([octet]) * 64).decode()


OF_SIGNERS = {
    "RRSIG": "www {} A 13 3 300 20300101000000 20200101000000 1 @ AAAA",
    "NSEC": "www {} zzz A",
    "NSEC3": "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv {} 1 0 0 - VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV0 A",
    "DNSKEY": "@ {} 256 3 13 " + key_data(1),
    "CDS": "@ {} 1 13 2 " + "ab" * 32,
    "CDNSKEY": "@ {} 257 3 13 " + key_data(2),
    "ZONEMD": "@ {} 1 1 1 " + "ab" * 48,
    "TYPE65534": "@ {} \\# 5 0d00010000",
    "NSEC3PARAM": "@ {} 1 0 0 -",
}


def add_of_signer(zone, type_name):
    owner, _, data = OF_SIGNERS[type_name].split(" ", 2)
    wanted = zone.rdata(type_name, data)
    before = zone.transfer().get_rdataset(owner, type_name)
    reply = zone.send(zone.message(f"add {owner} 300 {type_name} {data}"))
    if reply is None or reply.rcode() != 0:
        return code(reply)
    end = time.time() + PATIENCE
    while time.time() < end:
        after = zone.transfer().get_rdataset(owner, type_name)
        if after != before and after is not None:
            break
        time.sleep(0.05)
    texts = [rdata.to_text(origin=zone.name, relativize=False) for rdata in after or []]
    if wanted.to_text() in texts:
        return "done"
    return "ignored" if after == before else "changes others"


def effect_of_signer(type_name):
    zone, other = Zone(1), Zone(2)
    told = add_of_signer(zone, type_name)
    later = [attempt(lambda: code(each.send(each.message("add later 300 A 192.0.2.1")))) for each in (zone, other)]
    if later == ["NOERROR", "NOERROR"]:
        return told
    if later[0] == later[1]:
        return f"{told}, then {later[0]} to every update of every zone"
    return f"{told}, then {later[0]} to every update of the zone"


def attempt(measure):
    try:
        return measure()
    except ConnectionRefusedError:
        return "no connection"


def until_served(count):
    """Waits until the server has all zones, and has signed them: until no serial moves any more."""
    zones = [Zone(number) for number in range(1, count + 1)]
    before = None
    for _ in range(60):
        try:
            serials = [zone.soa().serial for zone in zones]
            if serials == before:
                return
            before = serials
        except (OSError, EOFError, dns.exception.DNSException):
            pass
        time.sleep(1)
    raise SystemExit("the server does not serve the zones")


if PORT == 0:
    json.dump({"rows": [title for title, _ in rows], "types": [*OF_SIGNERS]}, sys.stdout)
elif len(sys.argv) > 4:
    until_served(2)
    json.dump({f"{sys.argv[4]}: add": attempt(lambda: effect_of_signer(sys.argv[4]))}, sys.stdout)
else:
    until_served(len(rows))
    json.dump({title: measure(Zone(number)) for number, (title, measure) in enumerate(rows, 1)}, sys.stdout)
