import type { Problem } from "../diagnostics/problem.ts";
import { decodeText } from "../diagnostics/source-text.ts";
import { isInside, type NameKey, nameKey, readName, root } from "../dns/name/name.ts";
import { toOctets } from "../dns/name/text.ts";
import { isZoneName, type ZoneOfFile } from "./files.ts";
import { readerOf, readers } from "./readers.ts";

/**
 * The name of the zone of a file with errors; undefined if it is not certain: the file's own name counts only if
 * nothing in the file may say another one.
 */
export function findStatedName({ zone, problems, file, bytes, format }: ZoneOfFile): NameKey | undefined {
  const at = zone.places.zone;
  // The reader reports an invalid name at the very place that it gives to the name.
  const isDoubt = ({ id, severity, place }: Problem) =>
    id === "zone-name" || id === "soa-owner" || (at !== undefined && place === at && severity === "error");
  if (problems.some(isDoubt)) return undefined;
  const isWhole = !problems.some(({ id }) => id === "yaml-documents");
  if (at && isWhole) return nameKey(zone.name);
  const own = nameKey(zone.name);
  const { text } = decodeText(bytes);
  const isYaml = readerOf(file) === readers.yaml;
  const stated = format === "octodns" ? own : isYaml ? nameInYaml(text, own) : nameInMasterFile(text, own);
  if (stated !== own) return stated;
  const lines = text.split("\n");
  const isElsewhere = problems.some(
    ({ id, place }) =>
      id === "out-of-zone" ||
      (id === "unknown-key" && place?.column === 1 && namesZone(lines[place.line - 1]?.replace(/^[^:]*:/, "") ?? "")),
  );
  return isZoneName(own) && !isElsewhere ? own : undefined;
}

/** The one name after `zone:` at the start of a line; the file's own name if no key is written so. */
function nameInYaml(text: string, own: NameKey): NameKey | undefined {
  const keys = text.match(/(?:^|[{,])[ \t]*["']?zone["']?[ \t]*:(?=\s)/gm) ?? [];
  if (keys.length === 0) return own;
  const names = [...text.matchAll(/^zone:(.*)$/gm)].map(([, value = ""]) => nameAfterKey(value));
  return names.length === keys.length && new Set(names).size === 1 ? names[0] : undefined;
}

/** The one owner of SOA records; without any the file's own name, if each `$ORIGIN` is inside. */
function nameInMasterFile(text: string, own: NameKey): NameKey | undefined {
  const line = /^(?:\$ORIGIN[ \t]+([^\s;]+)|([^\s;]*)[ \t]+(?:(?:\d\w*|IN|CH|HS)[ \t]+)*SOA[ \t])/gim;
  const names = new Set<NameKey | undefined>();
  let origin: NameKey | undefined = own;
  let isInsideOwn = true;
  for (const [, written, owner = ""] of text.matchAll(line)) {
    if (written === undefined) names.add(["", "@"].includes(owner) ? origin : toKey(owner, origin));
    else {
      origin = toKey(written, origin);
      isInsideOwn &&= origin !== undefined && isInside(origin, own);
    }
  }
  if (names.size > 0) return names.size === 1 ? [...names][0] : undefined;
  return isInsideOwn ? own : undefined;
}

/** The name that is the value of a key; undefined for anything else. */
function nameAfterKey(written: string): NameKey | undefined {
  const [, , name] = /^[ \t]+(["']?)([^\s"'#]+)\1[ \t]*(?:#.*)?\r?$/.exec(written) ?? [];
  return name === undefined ? undefined : toKey(name, root);
}

function namesZone(written: string): boolean {
  const name = nameAfterKey(written);
  return name !== undefined && isZoneName(name);
}

function toKey(name: string, origin: NameKey | undefined): NameKey | undefined {
  try {
    return origin === undefined && !name.endsWith(".") ? undefined : nameKey(readName(toOctets(name), origin));
  } catch {
    return undefined;
  }
}
