import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonDigest } from "../../src/planner/changes/canonical-json.ts";
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

const the = {
  records: (where: string) =>
    `error[plan-files] the records of example.com changed (${where}) after the plan was made\n`,
  settings: (where: string) =>
    `error[plan-files] the settings of example.com changed (${where}) after the plan was made\n`,
  scope: (where: string) =>
    `error[plan-files] the scope (manage, ignore) of example.com changed (${where}) after the plan was made\n`,
};
const fix =
  "  Check out the files that the plan was made from, or make a new plan with `zonewright plan --out FILE`.\n";

test.each<[string, (desk: ApiDesk) => void, string]>([
  ["a value that the plan writes", replaced(zone, "192.0.2.11", "192.0.2.12"), the.records(zone)],
  ["a value that the plan leaves as it is", replaced(zone, "192.0.2.80", "192.0.2.81"), the.records(zone)],
  ["a record more", edit(zone, (text) => text.replace("api", "new IN A 192.0.2.1\napi")), the.records(zone)],
  ["a record less", replaced(zone, "api IN A 192.0.2.80\n", ""), the.records(zone)],
  ["a TTL of its own that equals the default", replaced(zone, "api IN A", "api 1h IN A"), the.records(zone)],
  ["a value in an include", replaced("zones/mail.inc", "10 mail", "11 mail"), the.records("zones/mail.inc")],
  ["the TTL of the zone", replaced(zone, "$TTL 1h", "$TTL 2h"), the.settings(zone)],
  ["a setting of the zone", replaced(zone, "hostmaster@", "dns@"), the.settings(zone)],
  ["a default", replaced("zonewright.yaml", "[shop, mail]", "[shop]"), the.settings("the config")],
  ["manage in the config", edit("zonewright.yaml", (text) => `${text}manage: listed\n`), the.scope("the config")],
  [
    "a pattern more",
    edit("zonewright.yaml", (text) => `${text}  - { name: api, reason: tests }\n`),
    the.scope("the config"),
  ],
  ["another pattern", replaced("zonewright.yaml", "name: lab", "name: lab, type: TXT"), the.scope("the config")],
  [
    "a pattern in the zone file",
    replaced(zone, "$TTL 1h", ';@ ignore: {"name": "api", "reason": "x"}\n$TTL 1h'),
    the.scope(zone),
  ],
  [
    "two parts at once",
    (desk) => {
      replaced(zone, "$TTL 1h", "$TTL 2h")(desk);
      replaced(zone, "192.0.2.80", "192.0.2.81")(desk);
    },
    `${the.settings(zone)}${fix}\n${the.records(zone)}`,
  ],
])("refuses: %s", async (_, change, error) => {
  const desk = await planned();
  change(desk);
  expect(await desk.run("apply plan.json --yes")).toEqual({ code: 4, out: "", talk: `${error}${fix}` });
  expect(desk.writes).toEqual([]);
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
    talk: `error[plan-files] the zone file ${file} of example.com was removed after the plan was made\n${fix}`,
  });
});

/** The plan file as a version before `desired` wrote it. */
function asBefore(desk: ApiDesk): void {
  const { planDigest, ...plan } = JSON.parse(desk.read("plan.json"));
  for (const zone of plan.source.zones) delete zone.desired;
  desk.write("plan.json", JSON.stringify({ ...plan, planDigest: jsonDigest(plan) }));
}

test("binds a plan file of an earlier version to the bytes of its zone files", async () => {
  const desk = await planned();
  asBefore(desk);
  edit(zone, (text) => `${text}; a comment\n`)(desk);
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: `error[plan-files] ${zone} changed after the plan was made\n${fix}`,
  });
  desk.write(zone, wanted);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});
