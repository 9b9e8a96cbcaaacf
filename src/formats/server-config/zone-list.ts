import { configKind } from "../kit/other-format.ts";
import { readBindConfig } from "./bind-config.ts";
import { ConfigFiles, type ListFile, type OpenIncluded } from "./config-files.ts";
import { catalogReason, type ListedZone, placeAt } from "./listed-zone.ts";
import { readSectionConfig } from "./section-config.ts";

/**
 * Reads the zones that a file lists: the configuration of BIND, Knot or NSD with the files that it includes, or one
 * name per line, where `#`, `;` and `//` begin comments.
 * @throws {Fault} `include-read`, `include-depth`, `include-loop`, `include-count`
 */
export function readZoneList(file: ListFile, open: OpenIncluded): ListedZone[] {
  const files = new ConfigFiles(open);
  const kind = configKind(file.text);
  const listed =
    kind === undefined ? namesPerLine(file) : (kind === "BIND" ? readBindConfig : readSectionConfig)(file, files);
  const keyOf = ({ name }: ListedZone) => name.toLowerCase().replace(/\.$/, "");
  const catalogs = new Set(listed.filter(({ skipped }) => skipped === catalogReason).map(keyOf));
  return listed.map((zone) => (catalogs.has(keyOf(zone)) ? { ...zone, skipped: catalogReason } : zone));
}

function namesPerLine({ file, text }: ListFile): ListedZone[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const name = line.replace(/(?:[#;]|\/\/).*/, "").trim();
    return name === "" ? [] : [{ name, place: placeAt(file, index + 1) }];
  });
}
