"""Recomputes the invoices of two accounts from their event logs, as docs/server/billing.md and docs/server/transfers.md describe them.

It shares nothing with the server. Standard input has the events, each with its account, the prices, the facts that events
lack (types of nodes, addresses after moves, sizes of volumes, samples of traffic), and the moments at which the history
ends and the first account was cancelled.
"""

import json
import sys
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil, floor

given = json.load(sys.stdin)


def moment(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")


def exact(number):
    return Fraction(str(number))


def month_after(time):
    return datetime(time.year + time.month // 12, time.month % 12 + 1, 1)


types = {kind["id"]: kind for kind in given["types"]}
prices = given["prices"]
nodes = {}
volumes = {}
closed = []


class Charge:
    def __init__(self, account, since, price, times=1, node=None, transfer=0):
        self.account, self.since, self.until, self.node, self.transfer = account, since, None, node, transfer
        self.hourly, self.monthly = exact(price["hourly"]) * times, exact(price["monthly"]) * times


def close(charge, time):
    charge.until = time
    closed.append(charge)


def begin_node(number, time, account):
    fact = given["nodes"][str(number)]
    node = {"account": account, "type": fact["type"], "public": [fact["address"]], "extra": {}, "types": list(fact["resizes"]), "moves": list(fact["moves"])}
    node["charge"] = node_charge(number, node, time)
    node["backups"] = backup_charge(node, time) if fact["backups"] else None
    nodes[number] = node


def node_charge(number, node, time):
    kind = types[node["type"]]
    return Charge(node["account"], time, kind["price"], node=number, transfer=kind["transfer"])


def backup_charge(node, time):
    return Charge(node["account"], time, types[node["type"]]["addons"]["backups"]["price"])


def settle_addresses(node, time):
    wanted = node["public"][1:]
    for address in list(node["extra"]):
        if address not in wanted:
            close(node["extra"].pop(address), time)
    for address in wanted:
        if address not in node["extra"]:
            node["extra"][address] = Charge(node["account"], time, prices["public_ipv4"])


def end_node(number, time):
    node = nodes.pop(number)
    close(node["charge"], time)
    if node["backups"]:
        close(node["backups"], time)
    node["public"] = []
    settle_addresses(node, time)


def transfer_node(number, time, account):
    node = nodes[number]
    public, node["public"] = node["public"], []
    settle_addresses(node, time)
    close(node["charge"], time)
    node["account"], node["public"] = account, public
    node["charge"] = node_charge(number, node, time)
    settle_addresses(node, time)
    if node["backups"]:
        close(node["backups"], time)
        node["backups"] = backup_charge(node, time)


def apply(event, time):
    action, number = event["action"], event["entity"].get("id")
    if action == "linode_create":
        begin_node(number, time, event["account"])
    elif action == "linode_clone":
        begin_node(event["secondary_entity"]["id"], time, event["account"])
    elif action == "entity_transfer_accept":
        transfer_node(int(event["entity"]["label"].removeprefix("linode")), time, event["account"])
    elif action == "linode_delete":
        end_node(number, time)
    elif action == "linode_resize":
        node = nodes[number]
        before, node["type"] = node["type"], node["types"][event["turn"]]
        if node["type"] == before:
            return
        close(node["charge"], time)
        node["charge"] = node_charge(number, node, time)
        if node["backups"]:
            close(node["backups"], time)
            node["backups"] = backup_charge(node, time)
    elif action == "linode_migrate_datacenter":
        node = nodes[number]
        # After the last request nothing names the addresses any more.
        moved = node["moves"].pop(0) if node["moves"] else ["moved %d" % index for index in range(len(node["public"]))]
        assert len(moved) == len(node["public"])
        node["public"] = []
        settle_addresses(node, time)
        node["public"] = moved
        settle_addresses(node, time)
    elif action == "backups_enable":
        nodes[number]["backups"] = backup_charge(nodes[number], time)
    elif action == "backups_cancel":
        close(nodes[number]["backups"], time)
        nodes[number]["backups"] = None
    elif action in ("linode_addip", "linode_deleteip"):
        change = list.append if action == "linode_addip" else list.remove
        change(nodes[number]["public"], event["message"])
        settle_addresses(nodes[number], time)
    elif action in ("volume_create", "volume_resize", "volume_delete"):
        sizes = given["volumes"][str(number)]
        if number in volumes:
            close(volumes.pop(number), time)
        if action != "volume_delete":
            volumes[number] = Charge(event["account"], time, prices["volume_gb"], sizes.pop(0))


def timeline():
    turns = {}
    events = sorted(given["events"], key=lambda event: event["id"])
    failed = {(one["entity"]["label"], one["created"]) for one in events if one["action"] == "entity_transfer_fail"}
    for event in events:
        time = moment(event["created"])
        if event["action"] == "entity_transfer_accept":
            # The event of the sender names the addresses that leave; the other one is of the receiver.
            end = time + timedelta(seconds=10)
            if not event["message"] and end <= moment(given["ends"]) and (event["entity"]["label"], end.isoformat()) not in failed:
                yield end, 0, event["id"], event
        elif event["action"] in ("linode_resize", "linode_migrate_datacenter"):
            if event["action"] == "linode_resize":
                number = event["entity"].get("id")
                event["turn"] = turns.get(number, 0)
                turns[number] = event["turn"] + 1
            if event["status"] != "finished":
                continue
            yield time + timedelta(seconds=event["duration"]), 0, event["id"], event
        else:
            yield time, 1, event["id"], event


for time, _, _, event in sorted(timeline(), key=lambda entry: entry[:3]):
    apply(event, time)

charges = closed + [node["charge"] for node in nodes.values()]
charges += [node["backups"] for node in nodes.values() if node["backups"]]
charges += [charge for node in nodes.values() for charge in node["extra"].values()] + list(volumes.values())


def cents(amount):
    return Fraction(floor(amount * 100 + Fraction(1, 2)), 100)


def item(kind, since, until, quantity, unit_price):
    return {
        "type": kind,
        "from": since.isoformat(),
        "to": until.isoformat(),
        "quantity": quantity,
        "unit_price": float(unit_price),
        "amount": float(cents(quantity * unit_price)),
    }


def octets_sent(charge, since, until):
    sent = 0
    for sample in given["samples"]:
        end = moment(sample["at"]) + timedelta(minutes=5)
        if sample["node"] == charge.node and since < end <= until:
            sent += Fraction(sample["bits"] * 300, 8)
    return sent


def invoice(account, start, end):
    """The items of the use from a month's beginning, or since then, to its end."""
    items, sent, pool, spans = [], 0, 0, []
    length = month_after(start) - start
    for charge in charges:
        if charge.account != account:
            continue
        since, until = max(charge.since, start), min(charge.until or end, end)
        if until < since or (until == since and (charge.since < start or since == month_after(start))):
            continue
        hours = max(1, ceil((until - since) / timedelta(hours=1)))
        # A price of 0 is none: the other one counts.
        if charge.monthly and (not charge.hourly or charge.monthly < hours * charge.hourly):
            items.append(item("hourly", since, until, 1, charge.monthly))
        elif charge.hourly:
            items.append(item("hourly", since, until, hours, charge.hourly))
        if charge.node:
            spans.append((since, until))
            sent += octets_sent(charge, since, until)
            pool += floor(Fraction(charge.transfer * (until - since) // timedelta(seconds=1), length // timedelta(seconds=1)) + Fraction(1, 2))
    excess = floor(sent / 10**9) - pool
    if excess > 0:
        since, until = min(since for since, _ in spans), max(until for _, until in spans)
        items.append(item("misc", since, until, excess, exact(prices["transfer_gb"])))
    total = sum((Fraction(str(one["amount"])) for one in items), Fraction(0))
    return {"date": end.isoformat(), "total": float(total), "items": items}


def invoices(account, cancelled):
    found = []
    start = moment(given["begins"]).replace(day=1, hour=0, minute=0, second=0)
    ends = moment(cancelled or given["ends"])
    while month_after(start) <= ends:
        found.append(invoice(account, start, month_after(start)))
        start = month_after(start)
    if cancelled:
        found.append(invoice(account, start, ends))
    return [one for one in found if one["total"] > 0]


print(json.dumps([invoices(0, given["cancelled"]), invoices(1, None)]))
