import { rcode } from "../transfer/codes.ts";
import { type CompiledZone, type as types } from "./compiled-zone.ts";
import { findLabels, newLabelOffsets } from "./label-tree.ts";
import type { ZoneMessage } from "./zone-message.ts";

/** Maximum number of aliases in an answer; a resolver asks for the rest. */
const mostAliases = 21;

/** The offset of the name in the question. */
const questionAt = 12;
const longestName = 255;

/** The facts about an answer that are in its header. */
export interface AnswerHead {
  readonly rcode: number;
  /** Whether the zone is authoritative for the name in the question. */
  readonly aa: boolean;
  /** Whether a required set did not fit. */
  readonly isTruncated: boolean;
}

const complete: AnswerHead = { rcode: rcode.NOERROR, aa: true, isTruncated: false };
const truncated: AnswerHead = { ...complete, isTruncated: true };

/** The octets of a CNAME record before its target, if its owner is a pointer. */
const aliasHead = 12;

/** The name to look up: that of the question, or the target of the last alias. */
const name = Buffer.alloc(longestName + 1);
const scratch = Buffer.alloc(longestName + 1);
const offsets = newLabelOffsets();

/**
 * Answers the question of a message from the zone that is authoritative for it (RFC 1034 §4.3.2, RFC 4592). Aliases
 * are followed within that zone, as in BIND and Knot: resolvers accept data of other zones only from their servers. A
 * target that may be in another zone of the server, below this one, is left to resolvers. ANY is answered with one
 * RRset of the name (RFC 8482 §4.1).
 */
export function answerQuestion(message: ZoneMessage, zone: CompiledZone, type: number): AnswerHead {
  copyName(message.octets, questionAt, name);
  let visited: string[] | undefined;
  let renamed: number[] | undefined;
  let owner = questionAt;
  for (;;) {
    const found = zone.find(name, 0, type);
    if (found === undefined) return deny(message, zone, rcode.NXDOMAIN);
    if (found.kind === "referral") return refer(message, zone, found.node, visited !== undefined);
    const isFollowed = type !== types.CNAME && type !== types.ANY;
    let target = 0;
    if (found.kind === "renamed") {
      const dname = zone.set(found.node, types.DNAME);
      if (!renamed?.includes(found.node)) {
        if (!message.addNamed("answers", zone.spelling(found.node), zone, dname)) return truncated;
        renamed = [...(renamed ?? []), found.node];
      }
      if (!substitute(zone, found.node, dname)) return { ...complete, rcode: rcode.YXDOMAIN };
      target = message.addAlias(owner, zone.ttl(zone.firstRecord(dname)), name);
      if (target === 0) return truncated;
      if (!isFollowed) return complete;
    } else {
      const alias = isFollowed && !hasBesideCname(zone, found.node, type) ? zone.set(found.node, types.CNAME) : 0;
      if (alias === 0) return answerFrom(message, zone, { node: found.node, type, owner });
      target = message.length + aliasHead;
      if (!message.addAt("answers", owner, zone, alias)) return truncated;
      zone.space.writeName(zone.sharedName(zone.firstRecord(alias)), name, 0);
    }
    visited ??= [keyOf(message.octets, questionAt)];
    const key = keyOf(name, 0);
    if (!zone.isNearestTo(name, 0) || visited.includes(key) || visited.length === mostAliases) return complete;
    visited.push(key);
    owner = target;
  }
}

/** Whether a node has a set of this type, which may be beside a CNAME record (RFC 4035 §2.5), as in BIND and Knot. */
function hasBesideCname(zone: CompiledZone, node: number, type: number): boolean {
  return (type === types.RRSIG || type === types.NSEC) && zone.set(node, type) !== 0;
}

function answerFrom(
  message: ZoneMessage,
  zone: CompiledZone,
  { node, type, owner }: { readonly node: number; readonly type: number; readonly owner: number },
): AnswerHead {
  const set = type !== types.ANY ? zone.set(node, type) : zone.setCount(node) > 0 ? zone.firstSet(node) : 0;
  if (set === 0) return deny(message, zone, rcode.NOERROR);
  if (!message.addAt("answers", owner, zone, set)) return truncated;
  addAddresses(message, zone, set, () => true);
  return complete;
}

/** The SOA record of a negative answer has the TTL of RFC 2308 §3. */
function deny(message: ZoneMessage, zone: CompiledZone, code: number): AnswerHead {
  const ttl = Math.min(zone.soa.ttl, zone.soa.data.minimum);
  const fits = message.addNamed("authorities", zone.spelling(0), zone, zone.set(0, types.SOA), ttl);
  return { rcode: code, aa: true, isTruncated: !fits };
}

/** Addresses that a resolver needs to follow a referral are required (RFC 9471); others are added if they fit. */
function refer(message: ZoneMessage, zone: CompiledZone, cut: number, isAlias: boolean): AnswerHead {
  const servers = zone.set(cut, types.NS);
  const fits =
    message.addNamed("authorities", zone.spelling(cut), zone, servers) &&
    addAddresses(message, zone, servers, (node) => zone.isInside(node, cut));
  if (fits) addAddresses(message, zone, servers, (node) => !zone.isInside(node, cut));
  return { rcode: rcode.NOERROR, aa: isAlias, isTruncated: !fits };
}

/** Adds the addresses of the hosts of a set, once each, also of those below a zone cut; returns whether all fitted. */
function addAddresses(
  message: ZoneMessage,
  zone: CompiledZone,
  set: number,
  isWanted: (node: number) => boolean,
): boolean {
  const type = zone.typeOf(set);
  if (type !== types.NS && type !== types.MX && type !== types.SRV) return true;
  const done: number[] = [];
  let fits = true;
  let record = zone.firstRecord(set);
  for (let left = zone.recordCount(set); left > 0; left--, record = zone.nextRecord(record)) {
    if (type === types.SRV) copyName(zone.space.blocks.octets, zone.text(record) + srvTargetAt, scratch);
    else zone.space.writeName(zone.sharedName(record), scratch, 0);
    const node = zone.nodeOf(scratch, 0);
    if (node < 0 || done.includes(node) || !isWanted(node)) continue;
    done.push(node);
    for (const type of addressTypes) {
      const addresses = zone.set(node, type);
      if (addresses !== 0 && !message.addNamed("additionals", zone.spelling(node), zone, addresses)) fits = false;
    }
  }
  return fits;
}

const addressTypes = [types.A, types.AAAA] as const;

/** The offset of the target in the RDATA of an SRV record (RFC 2782), where it is not compressed. */
const srvTargetAt = 6;

/** Renames `name` by a DNAME record (RFC 6672 §2.2); false if the result is too long. */
function substitute(zone: CompiledZone, owner: number, dname: number): boolean {
  const { octets } = zone.space.blocks;
  const target = zone.text(zone.firstRecord(dname));
  const labels = findLabels(octets, target, offsets);
  const length = (offsets[labels] ?? 0) + 1 - target;
  const prefix = offsets[findLabels(name, 0, offsets) - zone.labelCount(owner)] ?? 0;
  if (prefix + length > longestName) return false;
  octets.copy(name, prefix, target, target + length);
  return true;
}

function copyName(octets: Uint8Array, at: number, target: Uint8Array): void {
  const end = (offsets[findLabels(octets, at, offsets)] ?? 0) + 1;
  for (let from = at; from < end; from++) target[from - at] = octets[from] ?? 0;
}

/** A text that is the same for names that differ in case only (RFC 4343). */
function keyOf(octets: Buffer, at: number): string {
  const end = offsets[findLabels(octets, at, offsets)] ?? 0;
  return octets.toString("latin1", at, end).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
