import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Name, nameKey } from "../../src/dns/name/name.ts";
import {
  type SecondaryForm,
  type ServerOfList,
  secondariesText,
  secondaryForms,
} from "../../src/formats/server-config/secondaries.ts";
import { readZoneList } from "../../src/formats/server-config/zone-list.ts";
import { nameIn } from "../dns/arbitrary.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { samples, seed } from "../properties.ts";
import { complaint, tsigName as key, listServers } from "./list-servers.ts";

const primaries: ServerOfList[] = [
  { address: "192.0.2.1", port: 53 },
  { address: "2001:db8::1", port: 5353 },
  { address: "192.0.2.1", port: 5353 },
];

/** Odd names, each once. */
const generated = fc.sample(nameIn(domainName("example.test.")), { numRuns: samples(100).numRuns, seed });
const written = ["0/25.2.0.192.in-addr.arpa.", "a\\.b.test.", "*.x.test.", "p%s.test.", "\\.hidden.test.", "."];
const zones = [...new Map([...written.map(domainName), ...generated].map((name) => [nameKey(name), name])).values()];

/** Whether the server's own checker accepts a configuration. */
const isAccepted = (form: SecondaryForm, text: string) => complaint(form, text) === "";

/** The zone again, each octet of its labels by its number, as an entry that its server has to take for a duplicate. */
function duplicate(form: SecondaryForm, zone: Name): string {
  const octets = zone.slice(0, -1).replaceAll(/\\(\d{3})|\\(.)|([^.\\])/g, (_, number, escaped, plain) => {
    const code = number === undefined ? (escaped ?? plain).charCodeAt(0) : Number(number);
    return `\\${String(code).padStart(3, "0")}`;
  });
  const name = octets === "" ? "." : octets;
  switch (form) {
    case "named.conf":
      return `zone "${name}" { type secondary; primaries { "zonewright"; }; file "other"; };\n`;
    case "knot.conf":
      return `  - domain: "${name}"\n    file: other\n`;
    case "nsd.conf":
      return `zone:\n  name: "${name}"\n  zonefile: other\n`;
  }
}

describe.each(secondaryForms)("%s", (form) => {
  const { judge, start } = listServers[form];
  const none = start.slice(0, start.search(/^key/m));

  test.skipIf(isMissing(judge))("its server accepts it, and knows each zone by its name", () => {
    const text = start + secondariesText(form, { zones, primaries, key });
    expect(isAccepted(form, text)).toBe(true);
    expect(isAccepted(form, none + secondariesText(form, { zones, primaries }))).toBe(true);
    // The list has the name of the key only; BIND's checker does not look for it in lists of primaries.
    expect(isAccepted(form, none + secondariesText(form, { zones, primaries, key }))).toBe(form === "named.conf");
    const asked = zones.slice(0, written.length + 6);
    expect(asked.filter((zone) => isAccepted(form, text + duplicate(form, zone)))).toEqual([]);
  });

  test("each zone has a file of its own", () => {
    const text = secondariesText(form, { zones, primaries });
    const files = [...text.matchAll(/^\s+(?:zonefile|file):? "([\w.=-]+)"/gm)].map(([, file]) => file);
    expect(new Set(files).size).toBe(zones.length);
  });

  test("the zones can be imported from it", () => {
    const text = secondariesText(form, { zones, primaries, key });
    const listed = readZoneList({ file: form, text }, () => []);
    expect(listed.map(({ name }) => nameKey(domainName(name.replace(/\.?$/, "."))))).toEqual(zones.map(nameKey));
  });
});
