import { type Name, withoutDot } from "../../dns/name/name.ts";
import { headOfList, quoteWord, type SecondaryForm, type ServerOfList, shortName } from "./secondaries.ts";

/** A zone, and the absolute path of its file. */
export interface FileOfZone {
  readonly zone: Name;
  readonly file: string;
}

export interface PrimaryZones {
  readonly zones: readonly FileOfZone[];
  /** Servers that may transfer the zones and get a NOTIFY of each change; those of the operator's own lines if none. */
  readonly secondaries: readonly ServerOfList[];
  /** The name of the TSIG key that signs transfers; its secret is in another file. */
  readonly key?: string | undefined;
}

/**
 * The part of a configuration of BIND, Knot or NSD that makes a name server the primary of zones, whose files another
 * program writes. The operator's own configuration includes it.
 */
export function primariesText(form: SecondaryForm, zones: PrimaryZones): string {
  return writers[form](zones);
}

/** Whether a configuration can name a file: no server has an escape for control characters and quotes. */
export function canName(form: SecondaryForm, file: string): boolean {
  // NSD replaces these, and has no escape for them.
  if (form === "nsd.conf" && /%[s123xyz]/.test(file)) return false;
  return !/[\0-\x1f"\\\x7f]/.test(file);
}

const writers: Readonly<Record<SecondaryForm, (zones: PrimaryZones) => string>> = {
  "named.conf": ({ zones, secondaries, key }) => {
    const list = secondaries.map(({ address, port }) => `  ${address} port ${port}${key ? ` key "${key}"` : ""};\n`);
    const peers = key ? `key "${key}"` : [...new Set(secondaries.map(({ address }) => address))].join("; ");
    const ofPeers = `  notify explicit;\n  also-notify { "${shortName}-secondaries"; };\n  allow-transfer { ${peers}; };\n`;
    const blocks = zones.map(
      ({ zone, file }) => `zone ${quoteWord(withoutDot(zone))} {
  type primary;
  file ${quoteWord(file)};
  ixfr-from-differences yes;
${list.length > 0 ? ofPeers : ""}};
`,
    );
    const servers = list.length > 0 ? `primaries "${shortName}-secondaries" {\n${list.join("")}};\n` : "";
    return `${headOfList("//", "Primary", key)}${servers}${blocks.join("")}`;
  },

  "knot.conf": ({ zones, secondaries, key }) => {
    const ids = secondaries.map((_, index) => `${shortName}-secondary-${index + 1}`);
    const ofKey = key === undefined ? "" : `    key: ${quoteWord(key)}\n`;
    const remotes = secondaries.map(
      ({ address, port }, index) => `  - id: ${ids[index]}\n    address: ${address}@${port}\n${ofKey}`,
    );
    const addresses = [...new Set(secondaries.map(({ address }) => address))].join(", ");
    const rule = `  - id: ${shortName}-transfer\n    address: [${addresses}]\n${ofKey}    action: transfer\n`;
    const ofPeers = `    notify: [${ids.join(", ")}]\n    acl: ${shortName}-transfer\n`;
    const items = zones.map(
      ({ zone, file }) => `  - domain: ${quoteWord(withoutDot(zone))}
    file: ${quoteWord(file.replaceAll("%", "%%"))}
    zonefile-sync: -1
    zonefile-load: difference
${ids.length > 0 ? ofPeers : ""}`,
    );
    const servers = ids.length > 0 ? `remote:\n${remotes.join("")}acl:\n${rule}` : "";
    return `${headOfList("#", "Primary", key)}${servers}zone:\n${items.join("")}`;
  },

  "nsd.conf": ({ zones, secondaries, key = "NOKEY" }) => {
    const lines = secondaries.map(
      ({ address, port }) => `  notify: ${address}@${port} ${key}\n  provide-xfr: ${address} ${key}\n`,
    );
    const pattern = lines.length > 0 ? `pattern:\n  name: "${shortName}-primary"\n${[...new Set(lines)].join("")}` : "";
    const include = lines.length > 0 ? `  include-pattern: "${shortName}-primary"\n` : "";
    const items = zones.map(
      ({ zone, file }) => `zone:\n  name: ${quoteWord(withoutDot(zone))}\n  zonefile: ${quoteWord(file)}\n${include}`,
    );
    return `${headOfList("#", "Primary", key === "NOKEY" ? undefined : key)}${pattern}${items.join("")}`;
  },
};
