import type { Severity } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { acrossRules } from "../../dns/across.ts";
import { rules } from "../../dns/check.ts";
import type { Example, RuleSet } from "../../dns/rule.ts";
import { isRecordLimit, limits, unyielding } from "../../targets/api/limits.ts";
import { reading } from "./reading.ts";
import { running } from "./running.ts";

/** What there is to know of an id that findings carry. */
export interface Explained {
  readonly id: string;
  readonly set: RuleSet | "reading" | "project" | "service";
  readonly severity: Severity;
  /** The reason in a sentence, with its source. */
  readonly why: string;
  readonly example?: Example;
}

/** What is said of a zone besides rules: what the API stores otherwise than it is written, and sets with several TTLs. */
const notices: readonly Explained[] = [
  {
    id: "apex-ns",
    set: "api",
    severity: "note",
    why: "The NS set at the zone's own name is the service's (service: Records, NS); what the file says there is not sent.",
  },
  {
    id: "rrset-ttl",
    set: "dns",
    severity: "warning",
    why: "The records of one name and type have one TTL (RFC 2181 §5.2).",
    example: {
      format: "bind",
      ok: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 5m A 192.0.2.2",
      ko: "$TTL 1h\nwww 5m A 192.0.2.1\nwww 1h A 192.0.2.2",
    },
  },
  {
    id: "text-resplit",
    set: "api",
    severity: "note",
    why: "The API holds a text as a whole; it is split at 255 octets when it is rendered (service: Records, TXT).",
  },
  {
    id: "ttl-rounded",
    set: "api",
    severity: "note",
    why: "The API stores times from a list of its own (specification: Domain, ttl_sec); --strict makes another one an error.",
    example: { ok: "ttl_sec: 1h", ko: "ttl_sec: 10m" },
  },
  {
    id: "zone-name-differs",
    set: "practice",
    severity: "warning",
    why: "A zone file is named after its zone; where the file says another name, that name counts and the zone of the file's name is not managed.",
  },
];

/** Everything that can be said, by id. */
export const rulebook: ReadonlyMap<string, Explained> = new Map(
  [...rules, ...acrossRules, ...limits, ...notices, ...reading, ...running].map((entry) => [entry.id, entry]),
);

/** The sets that the config can switch as a whole. */
export const ruleSets: readonly RuleSet[] = ["api", "dns", "practice"];

/** The ids that the config can switch, and zone files can excuse. */
export const yielding: readonly string[] = [...rulebook.values()]
  .filter(({ id, set }) => (ruleSets as readonly string[]).includes(set) && !unyielding.has(id))
  .map(({ id }) => id)
  .sort();

/** Why an id cannot be switched or excused, with what to do; undefined when it can. */
export function whyNotYielding(id: string): { summary: string; fix: string } | undefined {
  if (yielding.includes(id)) return undefined;
  if (unyielding.has(id)) return { summary: `${id} cannot be made milder: the API refuses it`, fix: "Fix the zone." };
  if (rulebook.has(id)) return { summary: `${id} is no rule about zones and cannot be made milder`, fix: "Remove it." };
  const near = nearest(id, yielding);
  return {
    summary: `${id} is no rule`,
    fix: near ? `Did you mean ${near}?` : "zonewright explain lists all rules.",
  };
}

/** What the config can set a rule or a set of rules to. */
export function severitiesOf(id: string): readonly string[] {
  const isHeldBack = id === "api" || isRecordLimit(id);
  return ["error", "warning", "note", ...(isHeldBack ? [] : ["off"])];
}

/** What zone files can excuse: notes are none that could count less. */
export const excusable: readonly Explained[] = [...rulebook.values()].filter(
  ({ id, severity }) => yielding.includes(id) && severity !== "note",
);
