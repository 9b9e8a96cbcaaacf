import { nearest } from "../../diagnostics/nearest.ts";
import type { Place } from "../../diagnostics/problem.ts";
import { isDay } from "../../diagnostics/quantities.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Ignore, ignoreKeys, type Scope } from "../../dns/zone/scope.ts";
import type { TargetOfZone, Zone } from "../../dns/zone/zone.ts";

/** The keys of the scope in a zone file; in a BIND zone file they follow `;@`. */
export const scopeKeys = ["manage", "ignore"] as const;

const example = "Write `{ name: www, type: A, reason: the load balancer writes it }`.";

/** The key of the targets that a zone is applied to; in a BIND zone file it follows `;@`. */
export const targetsKey = "targets";

/** @throws {Fault} `setting-value` */
export function readTargets(names: readonly string[], at: Place): TargetOfZone[] {
  if (names.length > 0 && !names.includes("")) return names.map((name) => ({ name, at }));
  throw new Fault("setting-value", '"targets" names no target', "Write `targets: [public]`, or remove it.");
}

/** @throws {Fault} `setting-value` */
export function readManage(text: string): "all" | "listed" {
  if (text === "all" || text === "listed") return text;
  throw new Fault("setting-value", '"manage" must be "all" or "listed"');
}

/**
 * Reads a pattern from its keys and values.
 * @throws {Fault} `setting-value`, `unknown-key`
 */
export function readIgnore(entries: readonly (readonly [key: string, text: string])[], at: Place): Ignore {
  const ignore = Object.fromEntries(entries);
  for (const [key] of entries) {
    if ((ignoreKeys as readonly string[]).includes(key)) continue;
    const near = nearest(key, ignoreKeys);
    const fix = near ? `Did you mean "${near}"?` : `Known keys: ${ignoreKeys.join(", ")}.`;
    throw new Fault("unknown-key", `"${key}" is not a key of an ignore pattern`, fix);
  }
  if (!ignore.reason?.trim()) throw new Fault("setting-value", "the ignore pattern has no reason", example);
  if (ignore.name === undefined && ignore.type === undefined && ignore.value === undefined)
    throw new Fault(
      "setting-value",
      "the ignore pattern has no name, type or value, so it would match every record",
      example,
    );
  if (ignore.until !== undefined && !isDay(ignore.until))
    throw new Fault("setting-value", '"until" is not a date', "Write the last day as 2027-01-31.");
  return { ...ignore, reason: ignore.reason, at };
}

/**
 * Parses the pattern after `;@ ignore:`, a JSON object of strings.
 * @throws {Fault} `setting-value`, `unknown-key`
 */
export function parseIgnore(text: string, at: Place): Ignore {
  return readIgnore(Object.entries(texts(text)), at);
}

function texts(json: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && Object.values(value).every((item) => typeof item === "string"))
      return value as Record<string, string>;
  } catch {}
  throw new Fault(
    "setting-value",
    "the ignore pattern is not a JSON object of strings",
    'Write `;@ ignore: {"name": "www", "type": "A", "reason": "the load balancer writes it"}`.',
  );
}

/** A pattern without its place, with its keys in a fixed order. */
export function ignoreEntries(ignore: Ignore): Record<string, string> {
  return Object.fromEntries(ignoreKeys.flatMap((key) => (ignore[key] === undefined ? [] : [[key, ignore[key]]])));
}

/** The scope and the targets as canonical text, for comparison. */
export function scopeText({ scope, targets }: Pick<Zone, "scope" | "targets">): string {
  const { manage, ignore = [] }: Partial<Scope> = scope ?? {};
  return JSON.stringify([manage, ignore.map(ignoreEntries), targets?.map(({ name }) => name)]);
}
