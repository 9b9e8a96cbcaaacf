import { createHash } from "node:crypto";
import { nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { digestEffects, settingText } from "./effects.ts";

/** SHA-256 of each part of a zone that determines its plan, in hexadecimal. */
export interface DesiredDigests {
  readonly settings: string;
  readonly records: string;
  /** The managed part: `manage` and the `ignore` patterns that have not expired. */
  readonly scope: string;
}

/**
 * Digests of a desired zone, with defaults and includes applied and values rounded as the provider does. Together with
 * the live zone and the domains to delete, these parts are the whole input of `plan`, so equal digests give equal
 * effects. Comments, line ends, order, units of times, the file's name and format, reasons and acknowledged findings
 * are ignored.
 */
export function digestDesired(zone: DesiredZone): DesiredDigests {
  const { settings, unstated = [], otherTimes, fileTimes, defaultTimes, records, scope } = zone;
  const stated = Object.fromEntries(Object.entries(settings).filter(([name]) => !unstated.some((one) => one === name)));
  const lines = records.map((record) => {
    const { owner, type, ttl, otherTtl, fileTtl } = record;
    const times = [ttl ?? null, otherTtl ?? null, ...(fileTtl === undefined ? [] : [fileTtl])];
    return JSON.stringify([nameKey(owner), type, ...times, canonical(record)]);
  });
  const patterns = (scope?.ignore ?? []).map(({ name, type, value }) =>
    JSON.stringify([name?.toLowerCase() ?? null, type?.toUpperCase() ?? null, value ?? null]),
  );
  return {
    settings: digestJson({ settings: textsOf(stated, defaultTimes), otherTimes, fileTimes }),
    records: digestJson(lines.sort()),
    scope: digestJson({ manage: scope?.manage ?? "all", ignore: [...new Set(patterns)].sort() }),
  };
}

/** SHA-256 of a live zone, independent of order, ids and times. */
export function digestLive({ settings, records }: LiveZone): string {
  const lines = records.map((record) => [nameKey(record.owner), record.type, record.ttl ?? 0, canonical(record)]);
  return digestJson({ settings, records: lines.map((line) => JSON.stringify(line)).sort() });
}

function textsOf(settings: ZoneSettings, defaultTimes: DesiredZone["defaultTimes"]): Record<string, string> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, settingText(name, value, defaultTimes)]));
}

/** Canonical JSON: keys sorted by their UTF-16 units, no white space (RFC 8785; all numbers are integers). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}

/** SHA-256 of the canonical JSON of a value, in hexadecimal. */
export function digestJson(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** The digest of the effects on several targets, in hexadecimal, given that of each; without effects, that of none. */
export function digestTargets(targets: readonly { readonly target: string; readonly digest: string }[]): string {
  const none = digestEffects([]);
  const changing = targets.filter(({ digest }) => digest !== none).map(({ target, digest }) => [target, digest]);
  return changing.length === 0 ? none : digestJson(changing.sort());
}
