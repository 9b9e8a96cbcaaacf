import type { Config } from "../../config/config.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { Fault } from "../../dns/name/fault.ts";
import { findSetting, type Setting } from "../../dns/zone/zone-settings.ts";
import { scopeKeys } from "../kit/scope.ts";
import type { YamlMap, YamlNode } from "./tree.ts";

const setTtl = "Put the TTL into the RRset, such as `A: { ttl_sec: 5m, values: 192.0.2.1 }`.";

/** Fixes for keys that other tools allow beside the types of a name, by the key in lower case. */
export const foreignKeyFixes: ReadonlyMap<string, string> = new Map([
  ["ttl", setTtl],
  ["ttl_sec", setTtl],
  ["override", "Put it into the RRset, such as `A: { override: true, values: 192.0.2.1 }`."],
]);

/** Fixes for top-level keys that belong elsewhere or to zone files of BIND, by the key in capitals. */
export const misplacedKeyFixes: ReadonlyMap<string, string> = new Map([
  ["$TTL", "Write the TTL as a setting, such as `ttl_sec: 1h`."],
  ["$ORIGIN", "Write the name as a setting, such as `zone: example.com`."],
  ["LENIENT", "Put it below a name, such as `lab: { lenient: [private-address], A: 10.0.0.1 }`."],
  ["OVERRIDE", "Put it into an RRset, such as `A: { override: true, values: 192.0.2.1 }`."],
]);

/** The fault of a name without record types; `A:192.0.2.1` is one string to YAML. */
export function missingTypesFault(owner: string, value: YamlNode, settings: readonly Setting[]): Fault {
  if (findSetting(settings, owner))
    return new Fault("records-shape", `"${owner}" is a setting of the zone, not a name`, "Move it above `records:`.");
  return new Fault("records-shape", `"${owner}" has no record types`, typesFix(owner, value));
}

function typesFix(owner: string, value: YamlNode): string {
  if (/:[{[]/.test(owner)) return "Add a space after the colon of the name.";
  if (value.kind === "text" && /^[A-Za-z]+:\S/.test(value.text)) return "Add a space after the colon of the type.";
  if (value.kind === "list" && value.items.some(({ kind }) => kind === "map"))
    return "Its types are a map, not a list: write them without hyphens, or in braces instead of brackets.";
  return `Write \`${owner}: { A: 192.0.2.1 }\`.`;
}

/** Whether a file contains record sets of octoDNS: owner names at the top level, and no `records`. */
export function isOctodnsFile({ entries }: YamlMap): boolean {
  const own: readonly string[] = ["zone", "templates", ...scopeKeys];
  const ofOthers = entries.filter(({ key }) => !own.includes(key));
  return (
    ofOthers.length > 0 &&
    ofOthers.every(({ key }) => key !== "records") &&
    ofOthers.some(({ value }) => isOctodns(value))
  );
}

/** The only error of such a file. */
export function octodnsProblem(file: string, { entries }: YamlMap): Problem {
  const at = entries.find(({ value }) => isOctodns(value))?.keyAt;
  const summary = "the file contains record sets of octoDNS, but its folder is configured for zonewright's own format";
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const fix = `Set \`zones: [{ path: ${folder}, format: octodns }]\` in zonewright.yaml.`;
  return problem("file-format", summary, { fix, place: at });
}

/** The only error of a YAML file of settings, which is not a zone file; undefined for other files. */
export function settingsProblem(source: SourceText, root: YamlNode): Problem | undefined {
  const kind = kindOf(root);
  if (kind === undefined) return undefined;
  const summary = `${source.file} is ${kind.name}, not a zone file`;
  return problem("file-format", summary, { place: source.place(0), fix: kind.fix });
}

/** Keys of a config that no zone file has. */
const configKeys = [
  "api_url",
  "api_words",
  "api_records",
  "defaults",
  "guards",
  "nameservers",
  "policy",
  "rules",
  "zones",
] as const satisfies readonly (keyof Config)[];

function kindOf(root: YamlNode): { name: string; fix: string } | undefined {
  const keysOf = (node: YamlNode | undefined) => (node?.kind === "map" ? node.entries.map(({ key }) => key) : []);
  const keys = keysOf(root);
  const has = (...words: string[]) => words.every((word) => keys.includes(word));
  if (has("providers", "zones"))
    return { name: "a configuration of octoDNS", fix: "Name the files of its zones, such as config/example.com.yaml." };
  if (root.kind === "list" && keysOf(root.items[0]).includes("guard"))
    return {
      name: "a list of acknowledgements",
      fix: "Leave it out: acks.yaml beside zonewright.yaml is read with every plan.",
    };
  if (keys.some((key) => (configKeys as readonly string[]).includes(key)) && !has("records"))
    return {
      name: "a config of zonewright",
      fix: "Leave it out: every command reads it by itself. Keep it at the root of the repository, not among the zone files.",
    };
  return undefined;
}

/** Whether it is the value of an owner name in octoDNS: a record set with its type, or a list of them. */
function isOctodns(value: YamlNode): boolean {
  if (value.kind === "list") return value.items.length > 0 && value.items.every(isOctodns);
  return value.kind === "map" && value.entries.some(({ key }) => key === "type");
}
