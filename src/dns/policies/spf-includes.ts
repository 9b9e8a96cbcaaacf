import { findNode } from "../lookup/lookup.ts";
import type { IndexedZone, RuleFinding } from "../lookup/rule.ts";
import { asName, type Name, type NameKey, nameKey, withoutDot } from "../name/name.ts";
import type { OwnerSets } from "../zone/owners.ts";
import type { RRset, ZoneRecord } from "../zone/zone.ts";
import { type Mechanism, type Modifier, type SpfPolicy, spfOf } from "./spf.ts";

/**
 * The includes and redirects of a zone's policies that receivers cannot follow, as far as the zones are known. `counts`
 * tells of the zone of the included name whether its faults are meant; it is undefined if the term is wrong by itself.
 */
export function* checkIncludes(
  zone: IndexedZone,
  zoneOf: ZoneOf,
  counts: (answering: IndexedZone | undefined) => boolean,
): Generator<RuleFinding> {
  for (const { owner, records } of zone.sets("TXT")) {
    for (const record of records) {
      const policy = spfOf(record);
      for (const { text, summary, fix, answering } of policy ? findFaultyIncludes(policy, owner, zoneOf) : [])
        if (counts(answering))
          yield { summary: `${zone.show(owner)} TXT: the SPF term "${text}" ${summary}`, at: record, fix };
    }
  }
}

/** A term whose evaluation ends in an error (RFC 7208 §5.2, §6.1). */
interface FaultyInclude {
  readonly text: string;
  /** The problem, as a continuation of "the SPF term …". */
  readonly summary: string;
  readonly fix: string;
  readonly answering: IndexedZone | undefined;
}

/** Finds the zone of a name, if its records are known. */
type ZoneOf = (name: Name) => IndexedZone | undefined;

function* findFaultyIncludes(policy: SpfPolicy, owner: NameKey, zoneOf: ZoneOf): Generator<FaultyInclude> {
  for (const { term, value } of includesOf(policy)) {
    const { text } = term;
    if (value.includes("/")) {
      const host = /^[a-z]+:\/\/([^/:]+)/i.exec(value)?.[1] ?? /^[^/]+/.exec(value)?.[0] ?? "example.net";
      yield {
        text,
        summary: "names a URL, and receivers look for a domain",
        fix: `Write "${text.slice(0, text.indexOf(value))}${host}".`,
        answering: undefined,
      };
      continue;
    }
    const target = nameOf(value);
    const { answering, policies: found } = findPolicies(target, zoneOf);
    if (found?.length === 0)
      yield {
        text,
        summary: `leads to "${withoutDot(target)}", which has no SPF record`,
        fix: "Remove it, or correct the name.",
        answering,
      };
    else if (target === owner || leadsTo(target, policy, zoneOf, new Set()))
      yield { text, summary: "leads back to the record itself", fix: "Remove it.", answering };
  }
}

/** The terms that include other policies, without those that contain macros. */
function includesOf({ terms }: SpfPolicy): { readonly term: Mechanism | Modifier; readonly value: string }[] {
  const hasAll = terms.some((term) => term.kind === "mechanism" && term.name === "all");
  return terms.flatMap((term) => {
    if (term.kind === "malformed") return [];
    const isInclude = term.kind === "mechanism" ? term.name === "include" : term.name === "redirect" && !hasAll;
    const { value = "" } = term;
    return isInclude && value !== "" && !value.includes("%") ? [{ term, value }] : [];
  });
}

export function nameOf(value: string): NameKey {
  return nameKey(asName(`${value.replace(/\.$/, "")}.`));
}

/** The policies that a lookup of a name finds, and the zone that answers last. */
interface FoundPolicies {
  readonly answering: IndexedZone | undefined;
  /** Undefined if they are unknown. */
  readonly policies?: readonly SpfPolicy[];
}

/** Resolvers follow about as many aliases. */
const mostAliases = 10;

/** Looks a name up in the known zones, through aliases. */
export function findPolicies(name: NameKey, zoneOf: ZoneOf, aliases = 0): FoundPolicies {
  const answering = zoneOf(name);
  if (!answering || answering.isInDoubt(name, ["TXT", "CNAME"])) return { answering };
  const node = findNode<RRset, OwnerSets>(answering, name, "TXT");
  if (node.kind === "nxdomain") return { answering, policies: [] };
  if (node.kind !== "node") return { answering };
  const [alias] = (node.sets.get("CNAME")?.records ?? []) as readonly ZoneRecord<"CNAME">[];
  if (alias)
    return aliases < mostAliases ? findPolicies(nameKey(alias.data.cname), zoneOf, aliases + 1) : { answering };
  const records = (node.sets.get("TXT")?.records ?? []) as readonly ZoneRecord<"TXT">[];
  return { answering, policies: records.flatMap((record) => spfOf(record) ?? []) };
}

/** More policies need more lookups than receivers make, which another rule reports. */
const mostPolicies = 100;

/** Whether the policies of a name are, or lead to, another policy. */
function leadsTo(from: NameKey, to: SpfPolicy, zoneOf: ZoneOf, seen: Set<NameKey>): boolean {
  if (seen.has(from) || seen.size >= mostPolicies) return false;
  seen.add(from);
  const { policies = [] } = findPolicies(from, zoneOf);
  return (
    policies.includes(to) || policies.flatMap(includesOf).some(({ value }) => leadsTo(nameOf(value), to, zoneOf, seen))
  );
}

/** The terms of a policy whose lookups certainly find nothing (RFC 7208 §4.6.4), as far as the zone is known. */
export function findVoidTerms({ terms }: SpfPolicy, owner: NameKey, zone: IndexedZone): Mechanism[] {
  return terms.filter((term): term is Mechanism => {
    if (term.kind !== "mechanism" || !(term.name in voidTypes) || term.value?.includes("%")) return false;
    const types = voidTypes[term.name as keyof typeof voidTypes];
    const name = term.value === undefined ? owner : nameOf(term.value);
    if (!zone.isInside(name) || zone.isInDoubt(name, [...types, "CNAME"])) return false;
    const node = findNode<RRset, OwnerSets>(zone, name, types[0] ?? "A");
    if (node.kind === "nxdomain") return true;
    return node.kind === "node" && ![...types, "CNAME", "ALIAS"].some((type) => node.sets.has(type));
  });
}

/** The types that the lookup of a mechanism asks for. */
const voidTypes = { a: ["A", "AAAA"], mx: ["MX"], exists: ["A"] } as const;
