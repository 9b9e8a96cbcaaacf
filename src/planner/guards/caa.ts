import { typesWithAddress } from "../../dns/lookup/find-address.ts";
import { ancestors, isWildcard, type NameKey, root } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import { effectsAt, type Finding, type Guard, noLimit } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";
import { handoverText } from "../risk/policies.ts";

/** Changes of the authorities that may issue certificates (RFC 8659). */
export const caa: Guard = {
  guard: "G19",
  title: "CAA",
  about: "makes CAA allow more certificate authorities, or none, or replaces it by an alias to an unmanaged name",
  ofNew: true,
  of: { types: ["CAA"] },
  counts: `Compares the authorities that may issue certificates for each changed name before and after the plan. ${noLimit}`,
  examples: {
    valid: ['+ @ CAA 0 issue "ca.example"', "  @ A 192.0.2.1"],
    invalid: {
      lines: ['  @ CAA 0 issue "ca.example"', '+ @ CAA 0 issue "other.example"'],
      finding: "example.com CAA: CAA lets other.example issue certificates",
    },
  },
  *check(zone, context) {
    const isNew = zone.plan.domainId === undefined;
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "CAA");
      if (effects.length === 0) continue;
      const [before, after] = [relevantSet(context.answersBefore, name), relevantSet(context.answersAfter, name)];
      if (before !== undefined && after === undefined && before.owner === name) {
        const { decidedBy } = context.answersAfter.find(name, "CAA");
        const text = handoverText("the CAA records", name, decidedBy);
        yield { text, effects: effectsAt(zone, name, "CAA", "CNAME") } satisfies Finding;
      }
      if (before === undefined || after === undefined) continue;
      const isGone = !context.answersAfter.hasRecords(name) && name !== zone.zone && !isWildcard(name);
      const loosened = isNew || isGone ? undefined : loosenedText(before, after);
      const text = loosened ?? refusedText(before, after, isNew && !hasAddresses(zone.after.values()));
      const facts = [before, after].flatMap((set) => (set.owner === name ? [] : set.lines));
      if (text !== undefined) yield { text, effects, facts } satisfies Finding;
    }
  },
};

/** The relevant set of a name: its own, or the nearest one above (RFC 8659 §3). */
interface CaaSet {
  readonly owner: NameKey;
  readonly lines: readonly string[];
  readonly properties: readonly Property[];
}

interface Property {
  readonly tag: string;
  readonly value: string;
  readonly isCritical: boolean;
}

/** Undefined if it depends on zones outside the run. */
function relevantSet(answers: ZoneAnswers, name: NameKey): CaaSet | undefined {
  const none = { owner: root, lines: [], properties: [] };
  for (const at of ancestors(name)) {
    if (answers.zoneOf(at) === undefined) return none;
    const { records, isKnown } = answers.find(at, "CAA");
    if (!isKnown) return undefined;
    if (records.length > 0) return caaSet(at, records);
  }
  return none;
}

function caaSet(owner: NameKey, records: readonly ZoneRecord<"CAA">[]): CaaSet {
  const properties = records.map(({ data }) => ({
    tag: data.tag.toLowerCase(),
    value: fromOctets(data.value).trim(),
    isCritical: data.flags >= 128,
  }));
  return { owner, properties, lines: properties.map(({ tag, value }) => `${owner} CAA ${tag} ${value}`).sort() };
}

/** Tags that restrict each kind of certificate; the first one in the set applies (RFC 8659 §4.3, RFC 9495). */
const kinds = [
  { about: "certificates", tags: ["issue"] },
  { about: "wildcard certificates", tags: ["issuewild", "issue"] },
  { about: "S/MIME certificates", tags: ["issuemail"] },
  { about: "mark certificates", tags: ["issuevmc"] },
] as const;

const knownTags: readonly string[] = [
  "issue",
  "issuewild",
  "issuemail",
  "issuevmc",
  "iodef",
  "contactemail",
  "contactphone",
];

function loosenedText(before: CaaSet, after: CaaSet): string | undefined {
  for (const { about, tags } of kinds) {
    const [were, are] = [issuersOf(before, tags), issuersOf(after, tags)];
    if (were === undefined) continue;
    if (are === undefined) return `any authority may issue ${about}: CAA no longer restricts them`;
    const added = are.find((issuer) => !were.some((other) => covers(other, issuer)));
    if (added === undefined) continue;
    const isKnown = were.some(({ name }) => name === added.name);
    return isKnown
      ? `CAA has weaker conditions for ${added.name} to issue ${about}`
      : `CAA lets ${added.name} issue ${about}`;
  }
  const hasUnknownCritical = (set: CaaSet) =>
    set.properties.some(({ tag, isCritical }) => isCritical && !knownTags.includes(tag));
  return hasUnknownCritical(before) && !hasUnknownCritical(after)
    ? "CAA no longer has a critical property that keeps authorities from issuing"
    : undefined;
}

/** The message if an authority could issue certificates for hosts before, and none can now (`issue ";"`). */
function refusedText(before: CaaSet, after: CaaSet, isUnused: boolean): string | undefined {
  if (isUnused) return undefined;
  for (const { about, tags } of kinds.slice(0, 2)) {
    const [were, are] = [issuersOf(before, tags), issuersOf(after, tags)];
    // `issuewild ";"` beside an issuer is the usual way to forbid wildcard certificates.
    const isWhole = tags.length === 1 || before.properties.some(({ tag }) => tag === "issuewild");
    if (are?.length === 0 && were?.length !== 0 && isWhole) return `no authority may issue ${about} (CAA)`;
  }
  return undefined;
}

interface Issuer {
  /** In lower case. */
  readonly name: string;
  /** As `tag=value`; each restricts the issuer further (RFC 8657). */
  readonly parameters: readonly string[];
}

/** Undefined if the set does not restrict this kind of certificate. */
function issuersOf({ properties }: CaaSet, tags: readonly string[]): Issuer[] | undefined {
  const tag = tags.find((tag) => properties.some((property) => property.tag === tag));
  if (tag === undefined) return undefined;
  return properties.flatMap((property) => {
    const [name = "", ...parameters] = property.value.split(";").map((part) => part.trim());
    if (property.tag !== tag || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?$/i.test(name)) return []; // a malformed one forbids issuance
    return [{ name: name.toLowerCase().replace(/\.$/, ""), parameters: parameters.filter(Boolean) }];
  });
}

/** Whether one entry allows everything that the other one does. */
function covers(wider: Issuer, narrower: Issuer): boolean {
  return wider.name === narrower.name && wider.parameters.every((one) => narrower.parameters.includes(one));
}

function hasAddresses(owners: Iterable<{ has(type: string): boolean }>): boolean {
  for (const sets of owners) if (typesWithAddress.some((type) => sets.has(type))) return true;
  return false;
}
