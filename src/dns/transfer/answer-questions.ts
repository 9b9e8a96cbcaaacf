import { cutOf, findNode, type LookupZone } from "../lookup/lookup.ts";
import {
  isInside,
  isWildcard,
  type Name,
  type NameKey,
  nameKey,
  parent,
  readExactName,
  withLabel,
} from "../name/name.ts";
import { typeCode } from "../rdata/type-codes.ts";
import type { OwnerSets, Owners } from "../zone/owners.ts";
import { type RRset, targets } from "../zone/zone.ts";
import { aliasTypes } from "./compare-records.ts";
import type { UnreadRecord } from "./message.ts";

/** A question that compares two name servers. */
export interface AnswerQuestion {
  readonly name: NameKey;
  readonly type: string;
  readonly reason: "record" | "absent type" | "absent name" | "wildcard" | "empty non-terminal" | "alias target";
}

/** A version of a zone: its records, and the lookup in them. */
export interface ZoneVersion {
  readonly owners: Owners;
  readonly lookup: LookupZone<RRset, OwnerSets>;
  /** Records with an invalid value. */
  readonly unread?: readonly UnreadRecord[];
}

/**
 * The questions that show whether two versions of a zone are answered alike: every name and type of both, a type that
 * the name does not have, empty non-terminals, targets of aliases, a random name below each wildcard with its types,
 * and one below each other name that has names below it. `label` is a random label that no version contains.
 */
export function answerQuestions(apex: NameKey, versions: readonly ZoneVersion[], label: string): AnswerQuestion[] {
  const questions = new Map<string, AnswerQuestion>();
  const add = (name: NameKey | undefined, type: string, reason: AnswerQuestion["reason"]) => {
    const key = `${name} ${type}`;
    if (name !== undefined && !questions.has(key)) questions.set(key, { name, type, reason });
  };
  const typesOf = (name: NameKey) => new Set(versions.flatMap(({ owners }) => typesToAsk(owners.get(name))));
  const names = new Set(versions.flatMap(({ owners }) => [...owners.keys()]));
  const asked = [...names].filter((name) => isInside(name, apex) && (name === apex || typesOf(name).size > 0));
  // Whether the zone is signed matters even if the known version is not.
  for (const type of ["SOA", "NS", "DNSKEY"]) add(apex, type, "record");
  for (const { owner, type } of versions.flatMap(({ unread = [] }) => unread)) add(nameKey(owner), type, "record");
  const parents = new Set<NameKey>([apex]);
  for (const name of asked) {
    const types = typesOf(name);
    for (const type of types) add(name, type, "record");
    add(name, absentType(types), "absent type");
    for (let above = name; above !== apex; above = parent(above)) {
      const next = parent(above);
      if (parents.has(next) && next !== apex) break;
      parents.add(next);
    }
    if (isWildcard(name)) {
      const below = nameBelow(parent(name), label);
      for (const type of types) add(below, type, "wildcard");
      add(below, absentType(types), "wildcard");
    }
    if (types.has("DNAME") || isCut(name, apex, versions)) add(nameBelow(name, label), "A", "absent name");
  }
  for (const name of parents) {
    if (!names.has(name)) add(name, "A", "empty non-terminal");
    add(nameBelow(name, label), "A", "absent name");
  }
  for (const { owners } of versions) for (const target of aliasTargets(owners, apex)) add(target, "A", "alias target");
  return [...questions.values()];
}

/** Types that name servers answer like any other; those of signing differ between servers. For ALIAS, addresses. */
function typesToAsk(sets: OwnerSets | undefined): string[] {
  const types = (sets?.keys() ?? []).filter((type) => !unasked.has(type) && typeCode(type) !== undefined);
  if (!aliasTypes.some((type) => sets?.has(type))) return types;
  return [...new Set([...types.filter((type) => !aliasTypes.includes(type)), "A", "AAAA"])];
}

const unasked: ReadonlySet<string> = new Set(["NSEC", "NSEC3", "RRSIG", "SIG", "NXT"]);

/** A common type that a name does not have. */
function absentType(types: ReadonlySet<string>): string {
  return ["TXT", "AAAA", "A", "MX", "SRV"].find((type) => !types.has(type)) ?? "HINFO";
}

function isCut(name: NameKey, apex: NameKey, versions: readonly ZoneVersion[]): boolean {
  return versions.some(({ owners }) => cutOf(apex, name, (at) => owners.get(at)?.has("NS") ?? false) === name);
}

/** The names below the apex that aliases lead to, whether they exist or not. */
function aliasTargets(owners: Owners, apex: NameKey): NameKey[] {
  return [...owners.values()]
    .flatMap((sets) => sets.get("CNAME")?.records ?? [])
    .flatMap(targets)
    .map(nameKey)
    .filter((target) => isInside(target, apex));
}

/** Undefined if the name would be too long. */
function nameBelow(name: NameKey, label: string): NameKey | undefined {
  try {
    return nameKey(readExactName(withLabel<Name>(label, name)));
  } catch {
    return undefined;
  }
}

/** The owner whose records answer for a name: the name itself, a wildcard, or the owner of a DNAME or NS set above. */
export function answeringOwner({ lookup }: ZoneVersion, name: NameKey, type: string): NameKey | undefined {
  const node = findNode(lookup, name, type);
  if (node.kind === "nxdomain") return undefined;
  return node.kind === "referral" ? node.cut : node.owner;
}
