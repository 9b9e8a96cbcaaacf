import { Fault } from "../../zone/fault.ts";
import type { YamlNode } from "./tree.ts";

const setTtl = "Write it into the set: A: { ttl_sec: 5m, values: 192.0.2.1 }.";

/** What people of other tools write beside the types of a name, and where it belongs; by the key in small letters. */
export const keysOfOthers: Readonly<Record<string, string>> = {
  ttl: setTtl,
  ttl_sec: setTtl,
  alias: "Write the addresses of the target, or a CNAME below the zone's own name.",
};

/** A name without record types; `A:192.0.2.1` is one text to YAML. */
export function noTypes(owner: string, value: YamlNode): Fault {
  const isGlued = value.kind === "text" && /^[A-Za-z]+:\S/.test(value.text);
  const fix = isGlued ? "Write a space behind the colon of the type." : `Write ${owner}: { A: 192.0.2.1 }.`;
  return new Fault("records-shape", `${owner} has no record types`, fix);
}

/** Is that the value of a name in a file of octoDNS: a set with its type, or a list of them? */
export function isOctodns(value: YamlNode): boolean {
  if (value.kind === "list") return value.items.length > 0 && value.items.every(isOctodns);
  return value.kind === "map" && value.entries.some(({ key }) => key === "type");
}
