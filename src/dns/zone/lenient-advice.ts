import { type RuleId, registry } from "../../diagnostics/registry.ts";
import { relativeTo } from "../name/name.ts";
import type { Zone, ZoneRecord } from "./zone.ts";

/** The entry that lowers the severity of a rule for a record, in the syntax of its zone's file. */
export function lenientEntry(
  { name, fileFormat }: Pick<Zone, "name"> & { readonly fileFormat?: Zone["fileFormat"] },
  { owner }: Pick<ZoneRecord, "owner">,
  id: RuleId,
): string {
  if (fileFormat === "bind") return `the line \`;@ lenient ${relativeTo(owner, name)}: ${id}\``;
  // Readers of octoDNS files skip `lenient`, which means something else there.
  if (fileFormat === "octodns")
    return `\`rules: { ${id}: ${registry[id].severity === "error" ? "warning" : "note"} }\` in zonewright.yaml`;
  return `\`lenient: [${id}]\` at its name`;
}
