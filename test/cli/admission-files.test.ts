import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestJson } from "../../src/planner/changes/digests.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

/** The zone as it is stored, and as the plan wants it: another address, and `old` deleted. */
const stored = lines`
  $TTL 1h
  ;@ soa_email: hostmaster@example.com
  www IN A 192.0.2.10
  old IN A 192.0.2.44
  api IN A 192.0.2.80
  $INCLUDE mail.inc
`;
const wanted = stored.replace("192.0.2.10", "192.0.2.11").replace("old IN A 192.0.2.44\n", "");
const yaml = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.11 }
    api: { A: 192.0.2.80 }
    "@": { MX: { ttl_sec: 1h, values: [10 mail.example.net., 20 backup.example.net.] } }
`;
const mail = "@ 3600 IN MX 10 mail.example.net.\n@ 1h IN MX 20 backup.example.net.\n";
const config = "defaults: { tags: [shop, mail] }\nignore:\n  - { name: lab, reason: tests }\n";
const zone = "zones/example.com.zone";

/** A plan of the zone, in a checkout without the runs that came before. */
async function planned(): Promise<ApiDesk> {
  const desk = await apiDesk({ [zone]: stored, "zones/mail.inc": mail, "zonewright.yaml": config });
  expect((await desk.run("apply --yes")).code).toBe(0);
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  desk.write(zone, wanted);
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  desk.writes.length = 0;
  return desk;
}

const edit = (file: string, change: (text: string) => string) => (desk: ApiDesk) =>
  desk.write(file, change(desk.read(file)));
const replaced = (file: string, from: string, to: string) =>
  edit(file, (text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  });

test.each<[string, (desk: ApiDesk) => void]>([
  [
    "a checkout with CRLF",
    (desk) => {
      for (const file of [zone, "zones/mail.inc", "zonewright.yaml"])
        edit(file, (text) => text.replaceAll("\n", "\r\n"))(desk);
    },
  ],
  ["a comment more", edit(zone, (text) => `; reviewed\n${text}; the end\n`)],
  ["a comment in the config", edit("zonewright.yaml", (text) => `# ours\n${text}`)],
  ["a byte order mark", edit(zone, (text) => `\ufeff${text}`)],
  ["no final line end", edit(zone, (text) => text.trimEnd())],
  ["another order of the records", edit(zone, (text) => text.replace(/(www.*\n)(api.*\n)/, "$2$1"))],
  [
    "another order in an include",
    edit("zones/mail.inc", (text) => `${text.split("\n").reverse().join("\n").trim()}\n`),
  ],
  [
    "an include written where it was included",
    (desk) => {
      desk.write(zone, wanted.replace("$INCLUDE mail.inc\n", mail));
      rmSync(join(desk.folder, "zones/mail.inc"));
    },
  ],
  ["the same value in another spelling", replaced(zone, "www IN A", "WWW.EXAMPLE.COM. A")],
  ["the same time in another unit", replaced(zone, "$TTL 1h", "$TTL 3600")],
  ["another order of tags", replaced("zonewright.yaml", "[shop, mail]", "[mail, shop]")],
  [
    "a setting in the zone file instead of the config",
    (desk) => {
      replaced("zonewright.yaml", "defaults: { tags: [shop, mail] }\n", "")(desk);
      replaced(zone, "$TTL 1h", ";@ tags: shop, mail\n$TTL 1h")(desk);
    },
  ],
  ["a TTL of its own that equals the default, of a record that stays", replaced(zone, "api IN A", "api 1h IN A")],
  ["another pattern", replaced("zonewright.yaml", "name: lab", "name: lab, type: TXT")],
  ["another reason of an ignore pattern", replaced("zonewright.yaml", "reason: tests", "reason: the lab's own")],
  ["another threshold of a guard", edit("zonewright.yaml", (text) => `${text}guards: { run_zones: 4 }\n`)],
  ["a rule that is switched off", edit("zonewright.yaml", (text) => `${text}rules: { target-exists: off }\n`)],
  [
    "the zone as a file of another name and format",
    (desk) => {
      rmSync(join(desk.folder, zone));
      desk.write("zones/example.com.yaml", yaml);
    },
  ],
  ["another zone beside it", (desk) => desk.write("zones/example.net.zone", stored.replace("$INCLUDE mail.inc\n", ""))],
  [
    "an acknowledgement that the plan does not need",
    (desk) =>
      desk.write(
        "acks.yaml",
        `- { guard: G01, zone: example.com, effects: "${"0".repeat(16)}", reason: later, until: 2026-12-31 }\n`,
      ),
  ],
])("admits: %s", async (_, change) => {
  const desk = await planned();
  change(desk);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk }).toEqual({ code: 0, talk: "example.com: 2 writes\nexample.com: done\n" });
  expect([...desk.writes].sort()).toEqual(["DELETE /v4/domains/1/records/2", "PUT /v4/domains/1/records/3"]);
});

const unapproved = (what: string) => `error[plan-effects] ${what} is not approved`;

test.each<[string, (desk: ApiDesk) => void, ...errors: string[]]>([
  [
    "a value that the plan writes",
    replaced(zone, "192.0.2.11", "192.0.2.12"),
    unapproved("www.example.com A: changing 192.0.2.10 to 192.0.2.12 (the zone's TTL 3600)"),
  ],
  [
    "a value that the plan leaves as it is",
    replaced(zone, "192.0.2.80", "192.0.2.81"),
    unapproved("api.example.com A: changing 192.0.2.80 to 192.0.2.81 (the zone's TTL 3600)"),
  ],
  [
    "a record more",
    edit(zone, (text) => text.replace("api", "new IN A 192.0.2.1\napi")),
    unapproved("new.example.com A: creating 192.0.2.1 (the zone's TTL 3600)"),
  ],
  [
    "a record less",
    replaced(zone, "api IN A 192.0.2.80\n", ""),
    unapproved("api.example.com A: deleting 192.0.2.80 (the zone's TTL 3600)"),
  ],
  [
    "a value in an include",
    replaced("zones/mail.inc", "10 mail", "11 mail"),
    unapproved("example.com MX: changing 10 mail.example.net. to 11 mail.example.net. (TTL 3600)"),
  ],
  [
    "the TTL of the zone",
    replaced(zone, "$TTL 1h", "$TTL 2h"),
    unapproved("example.com ttl_sec: changing it from 3600 to 7200"),
    unapproved("www.example.com A: changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600 to the zone's TTL 7200)"),
  ],
  [
    "a setting of the zone",
    replaced(zone, "hostmaster@", "dns@"),
    unapproved('example.com soa_email: changing it from "hostmaster@example.com" to "dns@example.com"'),
  ],
  [
    "a default",
    replaced("zonewright.yaml", "[shop, mail]", "[shop]"),
    unapproved('example.com tags: changing it from ["mail","shop"] to ["shop"]'),
  ],
  [
    "two parts at once",
    (desk) => {
      replaced(zone, "hostmaster@", "dns@")(desk);
      replaced(zone, "192.0.2.80", "192.0.2.81")(desk);
    },
    unapproved("api.example.com A: changing 192.0.2.80 to 192.0.2.81 (the zone's TTL 3600)"),
    unapproved('example.com soa_email: changing it from "hostmaster@example.com" to "dns@example.com"'),
  ],
])("refuses: %s", async (_, change, ...errors) => {
  const desk = await planned();
  change(desk);
  const { code, out, talk } = await desk.run("apply plan.json --yes");
  expect({ code, out, errors: talk.match(/^error.*$/gm) }).toEqual({ code: 4, out: "", errors });
  expect(desk.writes).toEqual([]);
});

test.each<[string, (desk: ApiDesk) => void]>([
  ["manage in the config", edit("zonewright.yaml", (text) => `${text}manage: listed\n`)],
  ["a pattern more", edit("zonewright.yaml", (text) => `${text}  - { name: old, reason: tests }\n`)],
  ["a pattern in the zone file", replaced(zone, "$TTL 1h", ';@ ignore: {"name": "old", "reason": "x"}\n$TTL 1h')],
])("writes less if the files want less: %s", async (_, change) => {
  const desk = await planned();
  change(desk);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect(desk.writes).toEqual(["PUT /v4/domains/1/records/3"]);
});

test("refuses when the file describes another zone now", async () => {
  const file = "zones/shop.yaml";
  const text = "zone: example.com\nsoa_email: hostmaster@example.com\nrecords: {}\n";
  const desk = await apiDesk({ [file]: text });
  expect((await desk.run("plan --out plan.json")).code).toBe(0);
  replaced(file, "example.com", "example.org")(desk);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk }).toEqual({
    code: 4,
    talk: `error[plan-files] the zone file ${file} of example.com was removed after the plan was made\n  Check out the files that the plan was made from, or make a new plan with \`zonewright plan --out FILE\`.\n`,
  });
});

/** The plan file as a version before `desired` wrote it. */
function asBefore(desk: ApiDesk): void {
  const { planDigest, ...plan } = JSON.parse(desk.read("plan.json"));
  for (const zone of plan.source.zones) delete zone.desired;
  desk.write("plan.json", JSON.stringify({ ...plan, planDigest: digestJson(plan) }));
}

test("a plan file of an earlier version approves its effects, but keeps no edits", async () => {
  const desk = await planned();
  asBefore(desk);
  edit(zone, (text) => `${text}; a comment\n`)(desk);
  const { id } = await desk.call("POST", "/domains/1/records", { type: "A", name: "ops", target: "192.0.2.99" });
  desk.writes.length = 0;
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.split("\n")[0], desk.writes]).toEqual([
    4,
    unapproved("ops.example.com A: deleting 192.0.2.99 (the zone's TTL 3600)"),
    [],
  ]);
  await desk.call("DELETE", `/domains/1/records/${id}`);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});
