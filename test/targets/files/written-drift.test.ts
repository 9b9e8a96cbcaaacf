import { expect, test } from "vitest";
import { Fleet } from "./fleet.ts";

const zone = `$TTL 1h
@ IN SOA ns1 hostmaster 1 4h 1h 2w 1h ; of the shop
@ NS ns1
ns1 A 192.0.2.1
mail A 192.0.2.25 ; the mail
`;

const yaml = `# the shop
soa_email: hostmaster@example.net
retry_sec: 1h
records:
  "@": { NS: [ns1, ns2, ns3] } # ours
  ns1: { A: 192.0.2.61 }
  ns2: { A: 192.0.2.62 }
  ns3: { A: 192.0.2.63 }
  mail: { A: 192.0.2.25 }
`;

const soa = "{ NS: [ns1, ns2, ns3], SOA: ns9 hostmaster 1 14400 3600 1209600 3600 } # ours";

/** Someone edits the written files of both zones: the lines that differ afterwards in the files of the project. */
test.each<[title: string, edit: (text: string) => string, inZone: string[], inYaml: string[]]>([
  [
    "a record is added",
    (text) => `${text}shop IN A 192.0.2.44\n`,
    ["+shop A 192.0.2.44"],
    ["+  shop:", "+    A: 192.0.2.44"],
  ],
  [
    "a record of an RRset is added",
    (text) => `${text}@ IN NS ns9\n`,
    ["+@ NS ns9"],
    ['-  "@": { NS: [ns1, ns2, ns3] } # ours', '+  "@": { NS: [ns1, ns2, ns3, ns9] } # ours'],
  ],
  [
    "a record is changed",
    (text) => text.replace("192.0.2.25", "192.0.2.26"),
    ["-mail A 192.0.2.25 ; the mail", "+mail A 192.0.2.26 ; the mail"],
    ["-  mail: { A: 192.0.2.25 }", "+  mail: { A: 192.0.2.26 }"],
  ],
  [
    "a TTL is changed",
    (text) => text.replace(/^mail +(?:IN )?A/m, "mail 300 IN A"),
    ["-mail A 192.0.2.25 ; the mail", "+mail 300 A 192.0.2.25 ; the mail"],
    ["-  mail: { A: 192.0.2.25 }", "+  mail: { A: { ttl_sec: 5m, values: 192.0.2.25 } }"],
  ],
  [
    "a record is deleted",
    (text) => text.replace(/^mail.*\n/m, ""),
    ["-mail A 192.0.2.25 ; the mail"],
    ["-  mail: { A: 192.0.2.25 }"],
  ],
  [
    "a setting of the SOA record is changed",
    (text) => text.replace(/2w|1209600/, "604800"),
    ["-@ IN SOA ns1 hostmaster 1 4h 1h 2w 1h ; of the shop", "+@ IN SOA ns1 hostmaster 1 4h 1h 1w 1h ; of the shop"],
    ["+expire_sec: 1w"],
  ],
  [
    "the primary in the SOA record is changed",
    (text) => text.replace("SOA ns1", "SOA ns9"),
    ["-@ IN SOA ns1 hostmaster 1 4h 1h 2w 1h ; of the shop", "+@ IN SOA ns9 hostmaster 1 4h 1h 2w 1h ; of the shop"],
    ['-  "@": { NS: [ns1, ns2, ns3] } # ours', `+  "@": ${soa}`],
  ],
])("%s in the written files: `drift --write` makes exactly this edit", async (_, edit, inZone, inYaml) => {
  const fleet = new Fleet({ "example.com.zone": zone, "example.net.yaml": yaml }, "serial: unixtime");
  expect(await fleet.apply()).toMatchObject({ code: 0 });
  for (const name of ["com", "net"])
    fleet.write(`srv/example.${name}.zone`, edit(fleet.read(`srv/example.${name}.zone`)));
  const { code, talk } = await fleet.run("drift --write");
  expect([code, talk]).toEqual([
    0,
    `1 change of example.com written to zones/example.com.zone
1 change of example.net written to zones/example.net.yaml
To keep these changes, commit the files. To restore the zones, revert the files and run \`zonewright apply\`.
`,
  ]);
  expect(differences(zone, fleet.read("zones/example.com.zone"))).toEqual(inZone);
  expect(differences(yaml, fleet.read("zones/example.net.yaml"))).toEqual(inYaml);
  // Secondaries transfer the edit with a higher serial.
  expect((await fleet.run("plan")).out).toContain("plan: 2 changes in 2 of 2 zones");
  expect(await fleet.apply()).toMatchObject({ code: 0 });
  expect((await fleet.run("plan")).out).toBe("in sync: 2 zones, nothing to do\n");
});

/** The lines that only one text has, each as often as it has more of it. */
function differences(before: string, after: string): string[] {
  const left = before.split("\n");
  const added = after.split("\n").filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...left.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
}
