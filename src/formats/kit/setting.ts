import { escapeControl, escapeQuoted } from "../../diagnostics/escape.ts";
import type { Place } from "../../diagnostics/problem.ts";
import { formatDuration, readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import type { SoaSettings } from "../../dns/zone/soa-settings.ts";
import type { Excuse } from "../../dns/zone/zone.ts";
import type { Setting, SettingValue } from "../../dns/zone/zone-settings.ts";

/**
 * Reads the value of a setting; a list is separated by commas, or JSON.
 * @throws {Fault} `setting-value`
 */
export function readSetting({ name, kind, choices }: Setting, text: string): SettingValue {
  if (kind === "duration") return readDuration(text);
  if (kind === "list")
    return text.startsWith("[")
      ? readJsonList(name, text)
      : text
          .split(",")
          .map((part) => part.trim())
          .filter(Boolean);
  if (choices && !choices.includes(text)) throw new Fault("setting-value", `${name} is ${choices.join(" or ")}`);
  return text.startsWith('"') ? readJsonText(name, text) : text;
}

function readJsonText(name: string, text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw new Fault(
      "setting-value",
      `${name} starts with a quote but is not a JSON string`,
      "Write a complete JSON string, or no quotes.",
    );
  }
}

function readJsonList(name: string, text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
  } catch {}
  throw new Fault("setting-value", `${name} is not a list of strings`, 'Write `one, two` or `["one", "two"]`.');
}

export function writeSetting({ kind }: Setting, value: SettingValue): string {
  if (kind === "duration") return formatDuration(Number(value));
  const isBare = (text: string) => /^[^"\s]\P{C}*(?<!\s)$/u.test(text) && escapeControl(text) === text;
  if (!Array.isArray(value)) return isBare(String(value)) ? String(value) : escapeQuoted(JSON.stringify(value));
  return value.every((item) => isBare(item) && !/^\[|,/.test(item)) && value.length > 0
    ? value.join(", ")
    : escapeQuoted(JSON.stringify(value));
}

/** Finds a contradiction between an SOA record and a setting. */
export function findSoaDifferences(soa: SoaSettings, settings: Readonly<Record<string, unknown>>): Fault[] {
  return Object.entries(soa)
    .filter(([name, value]) => settings[name] !== undefined && settings[name] !== value)
    .map(([name, value]) => {
      const summary = `${name} is ${value} in the SOA record, but ${settings[name]} in the setting`;
      return new Fault("soa-differs", summary, "Keep one of them.");
    });
}

/** An entry of `lenient` as BIND zone files have it: `RULE`, or `RULE for TARGET …`. */
export function formatExcuse({ rule, targets }: Pick<Excuse, "rule" | "targets">): string {
  return targets ? `${rule} for ${targets.map(({ name }) => name).join(" ")}` : rule;
}

/**
 * Reads entries of `lenient` in a BIND zone file: `RULE RULE`, or `RULE for TARGET TARGET`.
 * @throws {Fault} `lenient-rule`
 */
export function readExcuses(text: string, at: Place): Omit<Excuse, "owner">[] {
  const words = text.split(/\s+/).filter(Boolean);
  const end = words.indexOf("for");
  if (end < 0) return words.map((word) => ({ rule: readRuleId(word), at }));
  const targets = words.slice(end + 1).map((name) => ({ name, at }));
  if (end === 0 || targets.length === 0)
    throw new Fault(
      "lenient-rule",
      '"for" in lenient stands between a rule and its targets',
      "Write `private-address for public`.",
    );
  return words.slice(0, end).map((word) => ({ rule: readRuleId(word), targets, at }));
}

/** Reads a rule id in `lenient`, which must not have a special meaning in the file format. */
export function readRuleId(text: string): string {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)) return text;
  throw new Fault(
    "lenient-rule",
    `"${text}" is not a rule`,
    "Use the id in the brackets of the finding, such as private-address.",
  );
}
