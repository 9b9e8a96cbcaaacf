import { describe, expect, test } from "vitest";
import { canName, primariesText } from "../../src/formats/server-config/primaries.ts";
import { type SecondaryForm, secondaryForms } from "../../src/formats/server-config/secondaries.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { complaint, tsigName as key, listServers } from "./list-servers.ts";

const secondaries = [
  { address: "192.0.2.1", port: 53 },
  { address: "2001:db8::1", port: 5353 },
  { address: "192.0.2.1", port: 5353 },
];

const zones = ["example.com.", "0/25.2.0.192.in-addr.arpa.", "*.x.test.", "catalog.example."].map((name) => ({
  zone: domainName(name),
  file: `/srv/my zones/${name.replace("/", "%2f").replace("*", "%2a")}zone`,
}));

describe.each(secondaryForms)("%s", (form) => {
  const { judge, start } = listServers[form];
  const named = zones.filter(({ file }) => canName(form, file));

  test.skipIf(isMissing(judge))("its server accepts the list, with secondaries and without", () => {
    for (const list of [
      { zones: named, secondaries: [] },
      { zones: named, secondaries },
      { zones: named, secondaries, key },
    ])
      expect(complaint(form, start + primariesText(form, list))).toBe("");
  });
});

test.each<[form: SecondaryForm, file: string, is: boolean]>([
  ["named.conf", "/srv/zones/0%2f25.zone", true],
  ["knot.conf", "/srv/zones/0%2f25.zone", true],
  ["nsd.conf", "/srv/zones/0%2f25.zone", false],
  ["nsd.conf", "/srv/zones/%40.zone", true],
  ["named.conf", '/srv/"zones"/example.com.zone', false],
  ["knot.conf", "/srv/a\nb/example.com.zone", false],
])("%s can name the file %j: %s", (form, file, is) => {
  expect(canName(form, file)).toBe(is);
});
