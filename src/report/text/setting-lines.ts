import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { zoneKindOf } from "../../dns/zone/zone-settings.ts";
import type { Deletion, Gap, SettingChange, ZonePlan } from "../../planner/changes/change.ts";
import { gapSeconds, gapTexts } from "./gap-text.ts";
import type { Line, Symbols, Value } from "./line.ts";

/** A line without its step number. */
export type Unnumbered = Omit<Line, "step">;

/** The line of a new zone, with its settings. */
export function newZoneLine({ zone, activation }: ZonePlan): Unnumbered {
  const { type, kind, status, ...settings } = zone.settings;
  const texts = Object.entries(settings)
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== ""))
    .map(([name, value]) => `${name} ${quoteValue(value)}`);
  const until = type === "slave" ? "enabled by a second write" : "disabled until its records are written";
  const served = status === undefined ? "served from its creation on" : until;
  const effect = status === "disabled" ? "stays disabled" : served;
  return {
    ...zoneLine("create", [zoneKindOf(zone.settings), ...texts].join("; ")),
    gaps: gapTexts(activation?.gaps, zone.name),
    ...gapTimes(activation?.gaps),
    effects: [effect],
  };
}

/** The line of a deleted domain, with its records. */
export function deletionLine({ name, settings, records, defaultTimes, gaps }: Deletion): Unnumbered {
  const { ttl_sec } = settings;
  const ttls = records.map(({ ttl }) => ttl ?? (ttl_sec || defaultTimes.ttl_sec));
  const oldSeconds = ttls.reduce((most, ttl) => Math.max(most, ttl), 0);
  const times = gapTimes(gaps);
  return {
    ...zoneLine("delete", `${escapeControl(zoneKindOf(settings))} with ${count(records.length, "record")}`),
    gaps: gapTexts(gaps, name),
    ...times,
    settling: Math.max(oldSeconds, times.gapSeconds),
    oldSeconds,
    effects: ["last of all, after it is saved as a zone file"],
  };
}

/** The line of a changed setting, with the effects. */
export function settingLine({ name, before, after }: SettingChange, zone: ZonePlan, { arrow }: Symbols): Unnumbered {
  const line = zoneLine("change", `${name} ${quoteValue(before)}`, { joint: arrow, text: quoteValue(after) });
  if (name === "status") {
    const gaps = zone.activation?.gaps;
    return { ...line, gaps: gapTexts(gaps, zone.zone.name), ...gapTimes(gaps), effects: effects() };
  }
  if (name === "type" && after !== "slave")
    return { ...line, gaps: ["gap: lookups fail until its records are written"], settling: 0, effects: [] };
  return { ...line, settling: 0, effects: effects() };

  function effects(): string[] {
    if (name === "status") return [after === "active" ? "is served from now on" : "no longer served"];
    if (name === "type") return ["its records come from its masters from now on"];
    if (name !== "ttl_sec") return [];
    const followers = zone.zone.records.filter(({ ttl }) => ttl === undefined).length;
    if (followers === 0) return [];
    return [`${count(followers, "record")} without a TTL ${followers === 1 ? "follows" : "follow"}`];
  }
}

/** The times for which resolvers may keep "no such record" from gaps. */
function gapTimes(gaps: readonly Gap[] | undefined): { readonly settling: number; readonly gapSeconds: number } {
  const seconds = gapSeconds(gaps);
  return { settling: seconds, gapSeconds: seconds };
}

function zoneLine(kind: Line["kind"], text: string, after?: Value): Omit<Unnumbered, "effects" | "settling"> {
  const values: Value[] = [{ text, isProse: true }];
  if (after) values.push({ ...after, isProse: true });
  return { kind, owner: "(zone)", values, place: "" };
}

/** Quotes text from users, so that it cannot be mistaken for the rest of the line. */
export function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map(quoteValue).join(", ");
  const text = String(value ?? "");
  if (text === "") return "(none)";
  return /^[\w@.:/+-]+$/.test(text) ? text : escapeControl(JSON.stringify(text));
}
