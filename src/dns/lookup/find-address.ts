import { type Name, type NameKey, nameKey } from "../name/name.ts";
import type { OwnerSets } from "../zone/owners.ts";
import { type RRset, targets, type ZoneRecord } from "../zone/zone.ts";
import { findNode } from "./lookup.ts";
import type { IndexedZone, RuleFinding } from "./rule.ts";

/** Types by which a name has an address of its own, or that of another name. */
export const typesWithAddress = ["A", "AAAA", "ALIAS", "CNAME"] as const;

/** The maximum number of delegations that a lookup goes through; more than any real zone needs. */
const mostCuts = 50;

/** Why a name inside a zone has no address. */
export type AddressFault = "missing" | "without-address" | "unreachable";

/**
 * Why a lookup of the addresses of a name certainly finds none in its zone; undefined if it may find one, also for
 * names outside the zone. Aliases are not followed. `tried` are the delegations whose servers were looked up before.
 */
export function findAddressFault(
  zone: IndexedZone,
  name: Name,
  tried: Set<NameKey> = new Set(),
): AddressFault | undefined {
  if (!zone.isInside(name) || zone.isInDoubt(name, typesWithAddress)) return undefined;
  const node = findNode<RRset, OwnerSets>(zone, nameKey(name), "A");
  switch (node.kind) {
    case "nxdomain":
      return "missing";
    case "renamed":
      return undefined;
    case "node":
      return typesWithAddress.some((type) => node.sets.has(type)) ? undefined : "without-address";
    case "referral": {
      if (zone.has(name, "A") || zone.has(name, "AAAA")) return undefined;
      if (tried.has(node.cut)) return "unreachable";
      if (tried.size >= mostCuts) return undefined;
      tried.add(node.cut);
      const servers = node.servers.records.flatMap(targets);
      const isReachable = servers.some((server) => findAddressFault(zone, server, tried) === undefined);
      return isReachable ? undefined : "unreachable";
    }
  }
}

const faults: Readonly<Record<Exclude<AddressFault, "missing">, readonly [clause: string, fix: string]>> = {
  "without-address": ["which has no A or AAAA record", "Add its address"],
  unreachable: ["which is below a delegation whose name servers have no address", "Add the addresses of those (glue)"],
};

/**
 * The finding about a target without an address. `answering` is the zone of the target, whose name is shown if it is
 * not the zone of the record.
 */
export function addressFinding(
  zone: IndexedZone,
  record: ZoneRecord,
  target: Name,
  { fault, answering = zone }: { readonly fault: AddressFault; readonly answering?: IndexedZone },
): RuleFinding {
  const points = `${zone.show(record.owner)} ${record.type} points to "${answering === zone ? zone.show(target) : target}"`;
  if (fault === "missing") {
    const where = answering === zone ? "the zone" : `the zone "${answering.zone.name}"`;
    return {
      summary: `${points}, which does not exist in ${where}`,
      at: record,
      fix: adviseMissing(zone, record, target, answering),
    };
  }
  const [clause, fix] = faults[fault];
  return { summary: `${points}, ${clause}`, at: record, fix: `${fix}, or point to a host that has one.` };
}

/** The fix for a target that does not exist in its zone. */
export function adviseMissing(zone: IndexedZone, { type }: ZoneRecord, target: Name, answering = zone): string {
  const shown = answering.show(target);
  if (answering !== zone)
    return `Add "${shown}" to "${answering.zone.file ?? answering.zone.name}", or change the target.`;
  if (type === "PTR" && isReverse(zone))
    return `Write the full name of the host with its final dot, such as "${shown}.example.net.".`;
  const written = zone.zone.dotlessTargets.find(({ name }) => name === target)?.written;
  return written === undefined
    ? `Add "${shown}" to the zone, or change the target.`
    : `If you mean "${target}", add "${shown}" to the zone. If you mean "${written}.", write it with its final dot.`;
}

/** Whether the names of a zone are addresses: the targets of its PTR records are hosts. */
export function isReverse({ apex }: IndexedZone): boolean {
  return /(?:^|\.)(?:in-addr|ip6)\.arpa\.$/.test(apex);
}
