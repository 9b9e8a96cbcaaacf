import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const zone = (records: string) => lines`
  soa_email: h@a.test
  records:
${records}
`;

/** A zone with findings of its own at several names. */
const base = `
    "@": { A: 192.0.2.1, MX: 10 mail, TXT: v=spf1 include:_spf.b.example -all }
    mail: { A: 192.0.2.2 }
    gone: { CNAME: nowhere }
    old: { CNAME: lost }
    www: { A: 192.0.2.1 }
`;

/** The findings of a plan, without the first line of the file. */
async function findings(before: string, after: Record<string, string>, files: Record<string, string> = {}) {
  const desk = await apiDesk({ "zones/a.test.yaml": zone(before), ...files });
  const first = await desk.run("apply --yes --allow G09");
  expect(first.code, first.out + first.talk).toBe(0);
  for (const [file, text] of Object.entries(after)) desk.write(file, text);
  const { out } = await desk.run("plan");
  return out.match(/^(?:warning|note) {2}.*$/gm) ?? [];
}

test("findings about other records are counted in one line", async () => {
  const after = base.replace("www: { A: 192.0.2.1 }", "www: { A: 192.0.2.9 }");
  expect(await findings(base, { "zones/a.test.yaml": zone(after) })).toMatchInlineSnapshot(`
    [
      "note  2 findings about records that this plan does not touch",
    ]
  `);
});

test("a target without its final dot is no finding of a plan for another name", async () => {
  const config = { "zonewright.yaml": "rules: { target-needs-dot: warning }\n" };
  const dotless = `${base}    shop: { CNAME: shop.example.net }\n`;
  const after = dotless.replace("www: { A: 192.0.2.1 }", "www: { A: 192.0.2.9 }");
  expect(await findings(dotless, { "zones/a.test.yaml": zone(after) }, config)).toEqual([
    "note  3 findings about records that this plan does not touch",
  ]);
});

test("a finding about a name that the plan touches is shown", async () => {
  const after = base.replace("old: { CNAME: lost }", "old: { CNAME: lost2 }");
  expect(await findings(base, { "zones/a.test.yaml": zone(after) })).toMatchInlineSnapshot(`
    [
      "warning  old CNAME points to "lost2", which does not exist in the zone  zones/a.test.yaml:7",
      "note  1 finding about records that this plan does not touch",
    ]
  `);
});

test("a plan that changes the target of an MX record to an alias shows what it makes true", async () => {
  const after = base.replace("mail: { A: 192.0.2.2 }", "mail: { CNAME: www }");
  expect(await findings(base, { "zones/a.test.yaml": zone(after) })).toMatchInlineSnapshot(`
    [
      "warning  @ MX points to "mail", which is a CNAME  zones/a.test.yaml:4",
      "note  2 findings about records that this plan does not touch",
    ]
  `);
});

test("a plan that lets SPF exceed its lookups elsewhere shows it at the policy", async () => {
  const chain = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => {
      const number = from + at;
      const next = number + 1 < to ? `include:_${number + 1}.a.test` : "ip4:192.0.2.0/24";
      return `    _${number}: { TXT: v=spf1 ${next} -all }\n`;
    }).join("");
  const own = base.replace("_spf.b.example", "_1.a.test");
  const config = { "zonewright.yaml": "rules: { spf-lookups: warning }\n" };
  const before = `${own}${chain(1, 10)}`;
  const after = `${own}${chain(1, 12)}`;
  expect(await findings(before, { "zones/a.test.yaml": zone(after) }, config)).toMatchInlineSnapshot(`
    [
      "warning  @ TXT: the SPF record needs at least 11 DNS lookups; the limit is 10  zones/a.test.yaml:4",
      "note  2 findings about records that this plan does not touch",
    ]
  `);
});

test("a new zone that hides names of another one is a finding of that zone", async () => {
  const before = `${base}    api.sub: { A: 192.0.2.7 }\n    sub: { NS: [ns1.a.test., ns2.a.test.] }\n`;
  const child = "soa_email: h@a.test\nrecords: { www: { A: 192.0.2.8 } }\n";
  expect(
    await findings(before.replace(/ {4}sub: .*\n/, ""), { "zones/sub.a.test.yaml": child }),
  ).toMatchInlineSnapshot(`
    [
      "warning  api.sub A is hidden by the zone "sub.a.test.", which has no such record  zones/a.test.yaml:9",
      "note  2 findings about records that this plan does not touch",
    ]
  `);
});

test("a plan without changes has no findings of other records", async () => {
  expect(await findings(base, {})).toEqual([]);
});

test("a new zone shows all of its findings", async () => {
  const desk = await apiDesk({ "zones/a.test.yaml": zone(base) });
  const { out } = await desk.run("plan");
  expect(out.match(/^(?:warning|note) {2}.*$/gm)).toMatchInlineSnapshot(`
    [
      "warning  gone CNAME points to "nowhere", which does not exist in the zone  zones/a.test.yaml:6",
      "warning  old CNAME points to "lost", which does not exist in the zone  zones/a.test.yaml:7",
    ]
  `);
});

test.each([
  ["manage: listed", "manage: listed\n"],
  ["an ignore pattern", "ignore: [{ name: '*', type: A, reason: leases }]\n"],
])("%s: the live records that the file does not manage answer for its targets", async (_, scope) => {
  const file = (records: string) => `soa_email: h@a.test\n${scope}records: ${records}\n`;
  const desk = await apiDesk({ "zones/a.test.yaml": file("{ '@': { TXT: x } }") });
  expect((await desk.run("apply --yes")).code).toBe(0);
  await desk.call("POST", "/domains/1/records", { type: "A", name: "mail", target: "192.0.2.2" });
  desk.write("zones/a.test.yaml", file("{ '@': { TXT: x, MX: 10 mail }, www: { CNAME: shop.b } }"));
  expect(await desk.run("validate")).toMatchObject({ code: 0, out: "valid: 1 zone, 3 records\n" });
  const { code, out } = await desk.run("plan");
  expect([code, out.match(/^(?:warning|note) {2}.*$/gm)]).toEqual([
    0,
    ['warning  www CNAME points to "shop.b", which does not exist in the zone  zones/a.test.yaml:3'],
  ]);
  desk.write("zones/a.test.yaml", file("{ '@': { TXT: x, MX: 10 lost } }"));
  const refused = await desk.run("plan");
  expect([refused.code, refused.talk.split("\n")[0]]).toEqual([
    3,
    'error[mx-without-address] @ MX points to "lost", which does not exist in the zone',
  ]);
});

test("a finding of a template names the zone", async () => {
  const without = base.replace("    old: { CNAME: lost }\n", "");
  const after = zone(without).replace("records:", "templates: [site]\nrecords:");
  const template = { "templates/site.yaml": "records:\n  old: { CNAME: lost }\n" };
  const config = { "zonewright.yaml": "templates: templates\n" };
  expect(await findings(without, { "zones/a.test.yaml": after, ...template }, config)).toEqual([
    'warning  a.test: old CNAME points to "lost", which does not exist in the zone  templates/site.yaml:2',
    "note  1 finding about records that this plan does not touch",
  ]);
});
