"""Judges updates (RFC 2136) with dnspython, and signatures (RFC 8945) with Python's hmac. JSON in, JSON out."""

import hmac
import json
import struct
import sys

import dns.exception
import dns.message
import dns.name
import dns.rdata
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import dns.update

SIZES = {"hmac-sha256-128": 16, "hmac-sha384-192": 24, "hmac-sha512-256": 32}


def lines(message):
    """Each section of an update: a line of text for each record, RDATA in hexadecimal digits."""
    for section in (message.zone, message.prerequisite, message.update):
        yield [line for rrset in section for line in lines_of(rrset)]


def lines_of(rrset):
    shown = dns.rdataclass.to_text(rrset.deleting or rrset.rdclass)
    head = f"{rrset.name} {rrset.ttl} {shown} {dns.rdatatype.to_text(rrset.rdtype)}"
    return [f"{head} {rdata.to_wire().hex()}" for rdata in rrset] or [head]


def build(zone, prerequisites, steps):
    """The update that dnspython writes for the same conditions and steps."""
    update = dns.update.UpdateMessage(dns.name.from_text(zone))
    for kind, owner, type_name, values in prerequisites:
        name = dns.name.from_text(owner)
        if kind == "set equals":
            update.present(name, *[rdata(type_name, value) for value in values])
        elif kind in ("set exists", "name exists"):
            update.present(*[name, type_name][: 2 if kind == "set exists" else 1])
        else:
            update.absent(*[name, type_name][: 2 if kind == "no set" else 1])
    for kind, owner, type_name, ttl, value in steps:
        name = dns.name.from_text(owner)
        if kind == "add":
            update.add(name, ttl, rdata(type_name, value))
        elif kind == "delete record":
            update.delete(name, rdata(type_name, value))
        else:
            update.delete(*[name, type_name][: 2 if kind == "delete set" else 1])
    return update


def rdata(type_name, text):
    return dns.rdata.from_text("IN", type_name, text, origin=dns.name.from_text("example."), relativize=False)


def judge_update(zone, prerequisites, steps, wire):
    try:
        theirs = build(zone, prerequisites, steps).to_wire()
    except dns.exception.DNSException as error:
        return {"unread": str(error)}
    return [list(lines(dns.message.from_wire(octets))) for octets in (bytes.fromhex(wire), theirs)]


def name_wire(text):
    return dns.name.from_text(text).canonicalize().to_wire()


def sign(message, prior, key, algorithm, wire_algorithm, secret, time, is_first, error=0, other=""):
    """The message with a TSIG record, and its MAC with the length before it; `prior` are the octets signed first."""
    octets = bytes.fromhex(message)
    timers = struct.pack(">HIH", time >> 32, time & 0xFFFFFFFF, 300)
    end = struct.pack(">HH", error, len(bytes.fromhex(other))) + bytes.fromhex(other)
    variables = name_wire(key) + struct.pack(">HI", 255, 0) + name_wire(wire_algorithm) + timers + end
    digest = "md5" if algorithm == "hmac-md5" else algorithm.split("-")[1]
    mac = hmac.new(bytes.fromhex(secret), prior + octets + (variables if is_first else timers), digest).digest()
    mac = mac[: SIZES.get(algorithm, len(mac))]
    sized = struct.pack(">H", len(mac)) + mac
    data = name_wire(wire_algorithm) + timers + sized + octets[:2] + end
    record = name_wire(key) + struct.pack(">HHIH", 250, 255, 0, len(data)) + data
    count = struct.unpack(">H", octets[10:12])[0] + 1
    return octets[:10] + struct.pack(">H", count) + octets[12:] + record, sized


def judge_signed(messages, mac, **key):
    """Signs the messages of one answer: each comes with whether it has a signature of its own."""
    request = bytes.fromhex(mac)
    prior = struct.pack(">H", len(request)) + request if mac else b""
    signed = []
    is_first = True
    for message, is_signed in messages:
        if is_signed:
            octets, prior = sign(message, prior, is_first=is_first, **key)
            is_first = False
            signed.append(octets.hex())
        else:
            prior += bytes.fromhex(message)
            signed.append(message)
    return signed


judges = {"update": judge_update, "signed": judge_signed}
json.dump([judges[case.pop("judge")](**case) for case in json.load(sys.stdin)], sys.stdout)
