import { type Problem, problem } from "../../diagnostics/problem.ts";
import { Fault } from "../../dns/fault.ts";
import { scopeKeys } from "../kit/scope.ts";
import { isSettingName } from "../kit/setting.ts";
import type { YamlMap, YamlNode } from "./tree.ts";

const setTtl = "Put the TTL into the RRset: `A: { ttl_sec: 5m, values: 192.0.2.1 }`.";

/** What people of other tools write beside the types of a name, and where it belongs; by the key in small letters. */
export const keysOfOthers: Readonly<Record<string, string>> = {
  ttl: setTtl,
  ttl_sec: setTtl,
  alias: "Write the addresses of the target, or use a CNAME below the apex.",
};

/** A name without record types; `A:192.0.2.1` is one text to YAML. */
export function noTypes(owner: string, value: YamlNode): Fault {
  const isGlued = value.kind === "text" && /^[A-Za-z]+:\S/.test(value.text);
  const fix = isGlued ? "Add a space after the colon of the type." : `Write \`${owner}: { A: 192.0.2.1 }\`.`;
  return new Fault("records-shape", `"${owner}" has no record types`, fix);
}

/** Does a file that is read as one of ours hold the record sets of octoDNS: names at its top, and no `records`? */
export function isOctodnsFile({ entries }: YamlMap): boolean {
  const own: readonly string[] = ["zone", ...scopeKeys];
  const ofOthers = entries.filter(({ key }) => !isSettingName(key) && !own.includes(key));
  return (
    ofOthers.length > 0 &&
    ofOthers.every(({ key }) => key !== "records") &&
    ofOthers.some(({ value }) => isOctodns(value))
  );
}

/** The one error for it. */
export function octodnsInside(file: string, { entries }: YamlMap): Problem {
  const at = entries.find(({ value }) => isOctodns(value))?.keyAt;
  const summary = "the file contains record sets of octoDNS, but its folder is configured for zonewright's own format";
  const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ".";
  const fix = `Set \`zones: [{ path: ${folder}, format: octodns }]\` in zonewright.yaml.`;
  return problem("file-format", summary, { fix, place: at });
}

/** Is that the value of a name in a file of octoDNS: a set with its type, or a list of them? */
function isOctodns(value: YamlNode): boolean {
  if (value.kind === "list") return value.items.length > 0 && value.items.every(isOctodns);
  return value.kind === "map" && value.entries.some(({ key }) => key === "type");
}
