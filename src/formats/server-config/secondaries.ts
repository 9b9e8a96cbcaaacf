import { commandLine } from "../../diagnostics/advice.ts";
import { type Name, nameKey, withoutDot } from "../../dns/name/name.ts";

/** Configurations of name servers that list zones. */
export const secondaryForms = ["named.conf", "knot.conf", "nsd.conf"] as const;
export type SecondaryForm = (typeof secondaryForms)[number];

/** Another server. Configurations have addresses and no host names. */
export interface ServerOfList {
  readonly address: string;
  readonly port: number;
}

export interface Secondaries {
  readonly zones: readonly Name[];
  readonly primaries: readonly ServerOfList[];
  /** The name of the TSIG key that signs transfers; its secret is in another file. */
  readonly key?: string | undefined;
}

/**
 * The part of a configuration of BIND, Knot or NSD that makes a name server secondary for zones: what to transfer, from
 * where, and whose NOTIFY is accepted. The operator's own configuration includes it.
 */
export function secondariesText(form: SecondaryForm, secondaries: Secondaries): string {
  return writers[form](secondaries);
}

/** The name of servers, rules and patterns in a list, or its beginning. */
export const shortName = "zonewright";

const writers: Readonly<Record<SecondaryForm, (secondaries: Secondaries) => string>> = {
  "named.conf": ({ zones, primaries, key }) => {
    const servers = primaries.map(
      ({ address, port }) => `  ${address} port ${port}${key === undefined ? "" : ` key ${quoteWord(key)}`};\n`,
    );
    const senders = [...new Set(primaries.map(({ address }) => `${address};`))].join(" ");
    const blocks = zones.map(
      (zone) => `zone ${quoteWord(withoutDot(zone))} {
  type secondary;
  primaries { "${shortName}"; };
  allow-notify { ${senders} };
  file ${quoteWord(zoneFile(zone))};
};
`,
    );
    return `${headOfList("//", "Secondary", key)}primaries "${shortName}" {\n${servers.join("")}};\n${blocks.join("")}`;
  },

  "knot.conf": ({ zones, primaries, key }) => {
    const ids = primaries.map((_, index) => `${shortName}-${index + 1}`);
    const remotes = primaries.map(({ address, port }, index) =>
      [
        `  - id: ${ids[index]}\n    address: ${address}@${port}\n`,
        ...(key === undefined ? [] : [`    key: ${quoteWord(key)}\n`]),
      ].join(""),
    );
    const senders = `[${[...new Set(primaries.map(({ address }) => address))].join(", ")}]`;
    // A rule without a key does not match a signed message.
    const rules = [
      `  - id: ${shortName}\n    address: ${senders}\n    action: notify\n`,
      ...(key === undefined
        ? []
        : [`  - id: ${shortName}-signed\n    address: ${senders}\n    key: ${quoteWord(key)}\n    action: notify\n`]),
    ];
    const rulesOfZone = key === undefined ? shortName : `[${shortName}, ${shortName}-signed]`;
    const items = zones.map(
      (zone) => `  - domain: ${quoteWord(withoutDot(zone))}
    master: [${ids.join(", ")}]
    acl: ${rulesOfZone}
    file: ${quoteWord(zoneFile(zone))}
`,
    );
    const sections = [`remote:\n${remotes.join("")}`, `acl:\n${rules.join("")}`, `zone:\n${items.join("")}`];
    return `${headOfList("#", "Secondary", key)}${sections.join("")}`;
  },

  "nsd.conf": ({ zones, primaries, key }) => {
    const transfers = primaries.map(
      ({ address, port }) => `  request-xfr: ${address}@${port} ${key === undefined ? "NOKEY" : key}\n`,
    );
    const senders = [...new Set(primaries.map(({ address }) => address))];
    const notices = senders.flatMap((address) =>
      ["NOKEY", ...(key === undefined ? [] : [key])].map((of) => `  allow-notify: ${address} ${of}\n`),
    );
    const items = zones.map(
      (zone) =>
        `zone:\n  name: ${quoteWord(withoutDot(zone))}\n  zonefile: ${quoteWord(zoneFile(zone))}\n  include-pattern: "${shortName}"\n`,
    );
    return `${headOfList("#", "Secondary", key)}pattern:\n  name: "${shortName}"\n${transfers.join("")}${notices.join("")}${items.join("")}`;
  },
};

/** The comment at the beginning of a list. */
export function headOfList(comment: string, role: "Primary" | "Secondary", key: string | undefined): string {
  const about =
    key === undefined ? "" : `${comment} The TSIG key "${key}" is defined elsewhere, before this file is included.\n`;
  return `${comment} ${role} zones, written by \`${commandLine({ run: "export" })}\`.\n${about}`;
}

/**
 * A file name that is different for each zone and safe in every configuration: other octets than letters, digits, `-`,
 * `_` and `.` are `=` and two hexadecimal digits. Knot and NSD replace `%` in file names.
 */
function zoneFile(zone: Name): string {
  const name = zone === "." ? "" : nameKey(zone).slice(0, -1);
  const safe = name.replaceAll(/[^a-z0-9._-]|^\./g, (octet) => `=${octet.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `${safe}.zone`;
}

export function quoteWord(text: string): string {
  return `"${text}"`;
}
