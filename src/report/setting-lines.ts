import { count, plain } from "../diagnostics/plain.ts";
import type { Deletion, SettingChange, ZonePlan } from "../planner/change.ts";
import { gapText } from "./gap-text.ts";
import type { Line, Symbols } from "./line.ts";

/** A zone that does not exist yet, with all that its file says of it. */
export function newZoneLine({ zone, activation }: ZonePlan): Line {
  const { type, status, ...settings } = zone.settings;
  const said = Object.entries(settings)
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== ""))
    .map(([name, value]) => `${name} ${shown(value)}`);
  const effect = status === "disabled" ? "stays disabled" : "disabled until its records are written";
  const comment = [gapText(activation?.gaps, zone.name), effect].filter(Boolean).join("  ");
  return { kind: "create", owner: "(zone)", cells: [[type, ...said].join("; ")], comment };
}

/** A domain that goes, with all that is in it. */
export function deletionLine({ name, settings: { type }, records, gaps }: Deletion): Line {
  const text = `${type} with ${count(records.length, "record")}`;
  const comment = [gapText(gaps, name), "last of all, after it is saved as a zone file"].filter(Boolean).join("  ");
  return { kind: "delete", owner: "(zone)", cells: [text], comment };
}

/** A setting that changes, and what that does. */
export function settingLine({ name, before, after }: SettingChange, zone: ZonePlan, { arrow, dot }: Symbols): Line {
  const text = `${name} ${shown(before)} ${arrow} ${shown(after)}`;
  return { kind: "change", owner: "(zone)", cells: [text], comment: effect() };

  function effect(): string {
    if (name === "status") {
      const effect = after === "active" ? "is served from now on" : "no longer served";
      return [gapText(zone.activation?.gaps, zone.zone.name), effect].filter(Boolean).join("  ");
    }
    if (name === "type" && after === "slave") return "its records are those of its masters from now on";
    if (name === "type") return `gap ${dot} lookups fail until its records are written`;
    if (name !== "ttl_sec") return "";
    const followers = zone.zone.records.filter(({ ttl }) => ttl === undefined).length;
    if (followers === 0) return "";
    return followers === 1 ? "the record without a TTL follows" : `${followers} records without a TTL follow`;
  }
}

/** A text of anybody's making is in quotes, so that it cannot pass for anything else. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map(shown).join(", ");
  const text = String(value ?? "");
  if (text === "") return "(none)";
  return /^[\w@.:/+-]+$/.test(text) ? text : plain(JSON.stringify(text));
}
