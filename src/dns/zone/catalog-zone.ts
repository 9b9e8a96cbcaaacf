import { Fault } from "../name/fault.ts";
import { isSameName, type Name, type NameKey, nameKey, shownName, withLabel } from "../name/name.ts";
import { isType, type ZoneRecord } from "./zone.ts";

/**
 * Reads the zones that a catalog zone lists (RFC 9432): the PTR records two labels below it, `<id>.zones.<catalog>`.
 * @throws {Fault} `transfer/catalog`: such a catalog must not be processed (RFC 9432 §5.1).
 */
export function readCatalogZone(catalog: Name, records: readonly ZoneRecord[]): Name[] {
  const versionName = withLabel("version", catalog);
  const versions = records.filter((record) => isSameName(record.owner, versionName));
  const schemas = versions.flatMap((record) => (isType(record, "TXT") ? [record.data.strings.join("")] : []));
  if (schemas.length !== 1 || !/^[12]$/.test(schemas[0] ?? ""))
    throw brokenCatalog(`"${shownName(versionName)}" has no TXT record "2"`);
  const suffix = `.${nameKey(withLabel("zones", catalog))}`;
  const entries = new Set<NameKey>();
  const members = new Map<NameKey, Name>();
  for (const record of records) {
    const key = nameKey(record.owner);
    if (!isType(record, "PTR") || !key.endsWith(suffix) || key.slice(0, -suffix.length).includes(".")) continue;
    const member = record.data.ptrdname;
    if (entries.has(key)) throw brokenCatalog(`"${shownName(record.owner)}" lists several zones`);
    if (members.has(nameKey(member))) throw brokenCatalog(`it lists "${shownName(member)}" twice`);
    entries.add(key);
    members.set(nameKey(member), member);
  }
  return [...members.values()];
}

function brokenCatalog(reason: string): Fault {
  return new Fault(
    "transfer/catalog",
    `this is not a valid catalog zone: ${reason}`,
    "Fix the catalog zone on its server.",
  );
}
