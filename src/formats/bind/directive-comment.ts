import { nearest } from "../../diagnostics/nearest.ts";
import type { Place } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/name/fault.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { Excuse } from "../../dns/zone/zone.ts";
import { findSetting, type Setting, type SettingValue } from "../../dns/zone/zone-settings.ts";
import { readManage, scopeKeys, targetsKey } from "../kit/scope.ts";
import { readExcuses, readSetting } from "../kit/setting.ts";

/**
 * A directive comment: a setting (`;@ tags: production`), the types for name servers only (`;@ implicit: SOA`), rules
 * whose severity is lowered at a name (`;@ lenient www: private-address`, or `private-address for public`), or the
 * managed part of the zone (`;@ manage: listed`, `;@ ignore: {"type": "A", "reason": "…"}`), or its targets
 * (`;@ targets: office`).
 */
export type DirectiveComment = { readonly key: string } & (
  | { readonly value: SettingValue }
  | { readonly types: readonly string[] }
  | { readonly owner: string; readonly excuses: readonly Omit<Excuse, "owner">[] }
  | { readonly manage: "all" | "listed" }
  | { readonly pattern: string }
  | { readonly targets: readonly string[] }
);

/**
 * Reads the octets after `;@`. Undefined for a commented-out record of the apex, such as `;@ IN A 192.0.2.1`.
 * @throws {Fault} `unknown-key`, `setting-value`, `ttl-syntax`
 */
export function readDirectiveComment(
  octets: string,
  settings: readonly Setting[],
  at: Place,
): DirectiveComment | undefined {
  const excuse = /^\s*lenient\s+(?:(\S+):)?\s*(.*?)\s*$/i.exec(octets);
  if (excuse) {
    const [, owner, rules = ""] = excuse;
    if (owner === undefined || rules === "")
      throw new Fault(
        "setting-value",
        "lenient has no name or no rules",
        'Write both, such as ";@ lenient www: private-address".',
      );
    if (/^\[.*\]$/.test(rules))
      throw new Fault(
        "lenient-rule",
        "the rules of lenient are in brackets",
        fromOctets(`Write ";@ lenient ${owner}: ${rules.slice(1, -1).trim()}".`),
      );
    return {
      key: `lenient ${owner}`,
      owner,
      excuses: fromOctets(rules)
        .split(",")
        .flatMap((entry) => readExcuses(entry, at)),
    };
  }
  const [, key = "", colon = "", value = ""] = /^\s*([a-z_]+)(:?)\s*(.*?)\s*$/is.exec(fromOctets(octets)) ?? [];
  const setting = findSetting(settings, key);
  if (colon === "" && !setting) return undefined;
  if (colon === "")
    throw new Fault("setting-value", `"${key}" has no colon after it`, `Write ";@ ${key}:" and its value.`);
  if (key === "implicit") return { key, types: value.split(/[\s,]+/) };
  if (key === "manage") return { key, manage: readManage(value) };
  if (key === targetsKey) return { key, targets: value.split(/[\s,]+/).filter(Boolean) };
  if (key === "ignore") return { key, pattern: value };
  if (setting) return { key, value: readSetting(setting, value) };
  const known = nearest(key, [...settings.map(({ name }) => name), ...scopeKeys, targetsKey, "implicit"]);
  throw new Fault("unknown-key", `"${key}" is not a zone setting`, known && `Did you mean "${known}"?`);
}
