import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, Desk } from "./run.ts";

const zone = (name: string, records: string) => `soa_email: h@${name}\nrecords: { ${records} }\n`;

/** Zones: b has an error, a points to a name of b, and c is alone. */
const files = {
  "zones/a.test.yaml": zone("a.test", "www: { CNAME: shop.b.test. }"),
  "zones/b.test.yaml": zone("b.test", "shop: { A: 192.0.2 }"),
  "zones/c.test.yaml": zone("c.test", "www: { A: 192.0.2.3 }"),
};

/** The zones of a plan, and those that it leaves out, as the text says. */
function shown(out: string) {
  return {
    planned: out.match(/^\S+\.test(?=\s)/gm) ?? [],
    leftOut: (out.match(/^warning\s+.* is left out: .*/gm) ?? []).map((line) => line.replace(/^warning\s+/, "")),
  };
}

/** Creates domains with records, each as `type name target`. */
async function create(desk: ApiDesk, domains: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [domain, records] of Object.entries(domains)) {
    const { id } = await desk.call("POST", "/domains", { domain, type: "master", soa_email: `h@${domain}` });
    for (const record of records) {
      const [type, name, target] = record.split(" ");
      await desk.call("POST", `/domains/${id}/records`, { type, name, target: target?.replaceAll("_", " ") });
    }
  }
  desk.writes.length = 0;
}

test.each(["plan", "apply --yes"])(
  "%s: without the flag, the last line names the zone that stops all",
  async (command) => {
    const desk = await apiDesk(files);
    const { code, out, talk } = await desk.run(command);
    expect([code, out, talk.trimEnd().split("\n").at(-1), desk.writes]).toEqual([
      3,
      "",
      "no plan: b.test (zones/b.test.yaml) is invalid. To take those of the other 2 zones that do not depend on it, add --skip-invalid.",
      [],
    ]);
  },
);

test("if every zone is invalid, the flag changes nothing", async () => {
  const desk = await apiDesk({ "zones/b.test.yaml": files["zones/b.test.yaml"], "zones/d.test.yaml": "records: 1\n" });
  const without = await desk.run("plan");
  expect([without.code, without.talk.includes("no plan")]).toEqual([3, false]);
  expect(await desk.run("plan --skip-invalid")).toEqual(without);
});

test.each(["plan --skip-invalid", "plan --skip-invalid --detailed-exitcode"])(
  "%s: takes the zone that needs no other, and ends with 5",
  async (command) => {
    const desk = await apiDesk(files);
    const { code, out, talk } = await desk.run(command);
    expect([code, shown(out), talk.match(/^error.*/gm)]).toEqual([
      5,
      {
        planned: ["c.test"],
        leftOut: [
          "b.test is left out: zones/b.test.yaml has 1 error  zones/b.test.yaml:2",
          'a.test is left out: www CNAME needs "shop.b.test.", which b.test does not have yet  zones/a.test.yaml:2',
        ],
      },
      ['error[address-v4] shop A "192.0.2": not an IPv4 address'],
    ]);
    expect(out).toMatch(/^plan: 2 changes in 1 of 1 zone · 2 zones left out · /m);
  },
);

test("apply --skip-invalid writes the rest only, and ends with 5, also if that is in sync", async () => {
  const desk = await apiDesk(files);
  const first = await desk.run("apply --skip-invalid --yes");
  expect([
    first.code,
    (await desk.call("GET", "/domains")).data.map(({ domain }: { domain: string }) => domain),
  ]).toEqual([5, ["c.test"]]);
  for (const command of ["apply --skip-invalid --yes", "plan --skip-invalid --detailed-exitcode"]) {
    const { code, out } = await desk.run(command);
    expect([code, out.trimEnd().split("\n").at(-1)]).toEqual([5, "in sync: 1 zone, nothing to do; 2 zones left out"]);
  }
});

test.each<[what: string, live: Record<string, string[]>, text: Record<string, string>, ReturnType<typeof shown>]>([
  [
    "a pointer to a name that the invalid zone has already",
    { "b.test": ["A shop 192.0.2.9"] },
    {},
    { planned: ["a.test", "c.test"], leftOut: ["b.test"] },
  ],
  [
    "a mail server without an address in the invalid zone",
    { "b.test": ["TXT shop text"] },
    { "zones/a.test.yaml": zone("a.test", '"@": { MX: 10 shop.b.test. }') },
    { planned: ["c.test"], leftOut: ["b.test", 'a.test: @ MX needs "shop.b.test.", which b.test does not have yet'] },
  ],
  [
    "an SPF policy that includes one of the invalid zone",
    { "b.test": ["A shop 192.0.2.9"] },
    { "zones/a.test.yaml": zone("a.test", '"@": { TXT: v=spf1 include:shop.b.test -all }') },
    { planned: ["c.test"], leftOut: ["b.test", 'a.test: @ TXT needs "shop.b.test.", which b.test does not have yet'] },
  ],
  [
    "an SPF policy that redirects to one that the invalid zone has already",
    { "b.test": ["TXT shop v=spf1_-all"] },
    { "zones/a.test.yaml": zone("a.test", '"@": { TXT: v=spf1 redirect=SHOP.b.test }') },
    { planned: ["a.test", "c.test"], leftOut: ["b.test"] },
  ],
  [
    "the SPF policy of the invalid zone that includes one that is deleted",
    { "b.test": ["TXT b.test v=spf1_include:spf.c.test_-all"], "c.test": ["TXT spf v=spf1_-all", "A spf 192.0.2.8"] },
    {
      "zones/a.test.yaml": zone("a.test", "www: { A: 192.0.2.1 }"),
      "zones/c.test.yaml": zone("c.test", "spf: { A: 192.0.2.8 }"),
    },
    {
      planned: ["a.test"],
      leftOut: ["b.test", 'c.test: b.test. TXT in b.test needs "spf.c.test.", which would be deleted'],
    },
  ],
  [
    "a pointer that is there already",
    { "a.test": ["MX a.test shop.b.test"], "b.test": [] },
    { "zones/a.test.yaml": zone("a.test", '"@": { MX: 20 shop.b.test. }') },
    { planned: ["a.test", "c.test"], leftOut: ["b.test"] },
  ],
  [
    "a wildcard in the invalid zone",
    { "b.test": ["A * 192.0.2.9"] },
    {},
    { planned: ["a.test", "c.test"], leftOut: ["b.test"] },
  ],
  [
    "the invalid zone still points to a name that is deleted",
    { "b.test": ["CNAME api old.c.test"], "c.test": ["A old 192.0.2.8"] },
    { "zones/a.test.yaml": zone("a.test", "www: { A: 192.0.2.1 }") },
    {
      planned: ["a.test"],
      leftOut: ["b.test", 'c.test: api.b.test. CNAME in b.test needs "old.c.test.", which would be deleted'],
    },
  ],
  [
    "a zone that needs a zone that needs the invalid one",
    {},
    { "zones/c.test.yaml": zone("c.test", "www: { CNAME: www.a.test. }") },
    {
      planned: [],
      leftOut: [
        "b.test",
        'a.test: www CNAME needs "shop.b.test.", which b.test does not have yet',
        'c.test: www CNAME needs "www.a.test.", which a.test does not have yet',
      ],
    },
  ],
  [
    "a change inside an invalid zone below",
    { "c.test": ["A www.sub 192.0.2.8"] },
    {
      "zones/a.test.yaml": zone("a.test", "www: { A: 192.0.2.1 }"),
      "zones/sub.c.test.yaml": zone("sub.c.test", "www: { A: 192.0.2 }"),
      "zones/b.test.yaml": zone("b.test", "www: { A: 192.0.2.2 }"),
    },
    { planned: ["a.test", "b.test"], leftOut: ["sub.c.test", "c.test: www.sub A changes inside sub.c.test"] },
  ],
  [
    "an invalid zone whose file names another zone than it is named after",
    {},
    { "zones/b.test.yaml": "", "zones/shop.yaml": "zone: b.test\nsoa_email: h@b.test\nrecords:\n  shop\n   A: x\n" },
    {
      planned: ["c.test"],
      leftOut: ["b.test", 'a.test: www CNAME needs "shop.b.test.", which b.test does not have yet'],
    },
  ],
  [
    "two files of one zone",
    { "b.test": ["A shop 192.0.2.9"] },
    { "zones/b.test.yaml": zone("b.test", "a: { A: 192.0.2.1 }"), "zones/b.test.zone": "$TTL 300\na A 192.0.2.1\n" },
    { planned: ["a.test", "c.test"], leftOut: ["b.test", "b.test: zones/b.test.yaml is not its only file"] },
  ],
])("%s", async (_, live, text, expected) => {
  const desk = await apiDesk(
    Object.fromEntries(Object.entries({ ...files, ...text }).filter(([, text]) => text !== "")),
  );
  await create(desk, live);
  const { code, out } = await desk.run("plan --skip-invalid");
  const { planned, leftOut } = shown(out);
  const short = leftOut.map((line) =>
    line
      .replace(/ is left out: zones\S* has .*/, "")
      .replace(" is left out", "")
      .replace(/ {2}zones\/\S+$/, ""),
  );
  expect([code, { planned, leftOut: short }]).toEqual([5, expected]);
});

test("a file that cannot be read is left out by its name; one without a zone name stops the plan", async () => {
  const desk = await apiDesk(files);
  symlinkSync("missing", join(desk.folder, "zones/d.test.yaml"));
  const skipped = await desk.run("plan --skip-invalid");
  expect([skipped.code, shown(skipped.out).leftOut.at(1)]).toEqual([
    5,
    "d.test is left out: zones/d.test.yaml has 1 error",
  ]);
  symlinkSync("missing", join(desk.folder, "zones/my zones.yaml"));
  const stopped = await desk.run("plan --skip-invalid");
  expect([stopped.code, stopped.out]).toEqual([3, ""]);
});

/** The live zones: x of b.test points to www of a.test, which its file deletes. */
const pointing = { "b.test": ["CNAME x www.a.test"], "a.test": ["A www 192.0.2.9", "A old 192.0.2.8"] };
/** A file of b.test that is not named after it, and what is wrong with it; the zone is left out, and a.test with it. */
const named: readonly (readonly [what: string, file: string, text: string])[] = [
  ["a merge conflict", "team.yaml", "zone: b.test\nrecords:\n<<<<<<< a\n  x: { A: 192.0.2.1 }\n=======\n>>>>>>> b\n"],
  ["a merge conflict in a master file", "team.zone", "$ORIGIN b.test.\n@ SOA ns1 h 1 2 3 4 5\n=======\n"],
  ["a broken SOA record", "team.zone", "$TTL 1h\n$ORIGIN b.test.\n@ IN SOA ns1 h 1 2 3\nx A 192.0.2.1\n"],
  ["a broken SOA record of another name", "old.test.zone", "$TTL 1h\nb.test. IN SOA ns1 h 1 2 3\n"],
  ["a value", "team.yaml", "zone: b.test\nrecords: { x: { A: 1 } }\n"],
  ["a character", "team.yaml", "zone: b.test\nrecords: { x: { TXT: \u{1}  } }\n"],
  ["its nesting", "team.yaml", `zone: b.test\nrecords: ${"[".repeat(2000)}\n`],
  ["no syntax", "team.yaml", "zone: 'b.test' # mine\nrecords:\n  x\n   A: 1\n"],
];

test.each(named)("a file with %s is left out by the name in it: %s", async (_, file, text) => {
  const desk = await apiDesk({ "zones/a.test.yaml": zone("a.test", "old: { A: 192.0.2.8 }"), [`zones/${file}`]: text });
  await create(desk, pointing);
  const { code, out, talk } = await desk.run("plan --skip-invalid");
  expect(
    shown(out).leftOut.map((line) => line.replace(/:.*/, "")),
    talk + out,
  ).toEqual(["b.test is left out", "a.test is left out"]);
  expect([code, out.includes("not in git")]).toEqual([5, false]);
});

/** Files whose zone is a guess: each stops the plan. */
const unnamed: readonly (readonly [what: string, file: string, text: string])[] = [
  ["a pointer of Git LFS", "lfs.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"],
  ["an HTML page", "team.zone", "<!DOCTYPE html>\n"],
  ["UTF-16", "team.zone", "$\0O\0R\0I\0G\0I\0N\0"],
  ["an invalid name", "bad.yaml", "zone: exa mple..org\nrecords: { x: { A: 192.0.2.1 } }\n"],
  ["an invalid name beside its own", "old.test.yaml", "zone: exa mple..org\nrecords: { x: { A: 192.0.2.1 } }\n"],
  ["a name that is a list", "old.test.yaml", "zone: [b.test]\nrecords: { x: { A: 192.0.2.1 } }\n"],
  ["an invalid name and no syntax", "old.test.yaml", "zone: exa mple..org\nrecords:\n  x\n   A: 1\n"],
  ["two names and no syntax", "old.test.yaml", "<<<<<<< a\nzone: b.test\n=======\nzone: c.test\n>>>>>>> b\n"],
  ["a name on the next line", "old.test.yaml", "zone:\n  b.test\nrecords:\n  x\n   A: 1\n"],
  ["two documents", "old.test.yaml", "zone: old.test\nrecords: {}\n---\nzone: b.test\nrecords: {}\n"],
  ["a misspelled key of the name", "old.test.yaml", "zon: b.test\nrecords: { x: { A: 192.0.2.1 } }\n"],
  ["a setting of another program", "old.test.yaml", "domain: b.test.\nrecords: { x: { A: 192.0.2.1 } }\n"],
  ["no name", "team.yaml", "records: { x: { A: 1 } }\n"],
  ["another origin and no SOA record", "old.test.zone", "$TTL 1h\n$ORIGIN b.test.\nx A 1\n"],
  [
    "two SOA records in conflict",
    "old.test.zone",
    "<<<<<<< a\n@ SOA a b 1 2 3 4 5\n=======\nb.test. SOA a b 1 2 3 4 5\n>>>>>>> b\n",
  ],
  [
    "records of another zone than its SOA record",
    "old.test.zone",
    "$TTL 1h\n@ SOA a b 1 2 3 4 5\n$ORIGIN b.test.\na A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd A 192.0.2.1\n",
  ],
];

test.each(unnamed)("a file with %s stops the plan: %s", async (_, file, text) => {
  const desk = await apiDesk({ "zones/a.test.yaml": zone("a.test", "old: { A: 192.0.2.8 }"), [`zones/${file}`]: text });
  await create(desk, pointing);
  const { code, out, talk } = await desk.run("plan --skip-invalid");
  expect([code, out]).toEqual([3, ""]);
  expect(talk.trimEnd().split("\n").at(-1)).toMatch(/^no plan: .*zones\/\S+\)? is invalid\.$/);
});

test("both files of a zone are left out, also if one of them cannot be read", async () => {
  const desk = await apiDesk({
    "zones/a.test.yaml": zone("a.test", "www: { A: 192.0.2.1 }"),
    "zones/c.test.yaml": files["zones/c.test.yaml"],
    "zones/team.yaml": "zone: a.test\n>>>>>>> b\n",
  });
  const { code, out } = await desk.run("plan --skip-invalid");
  const leftOut = ["zones/team.yaml has 1 error", "zones/a.test.yaml is not its only file"];
  expect([code, shown(out).planned, shown(out).leftOut.map((line) => line.replace(/ {2}zones.*/, ""))]).toEqual([
    5,
    ["c.test"],
    leftOut.map((reason) => `a.test is left out: ${reason}`),
  ]);
});

test("a domain that only an unreadable file describes is not deleted", async () => {
  const conflict = "zone: b.test\n<<<<<<< a\n";
  const desk = await apiDesk({ "zones/a.test.yaml": zone("a.test", ""), "zones/team.yaml": conflict });
  await create(desk, { "a.test": [], "b.test": [] });
  const { code, talk } = await desk.run("plan --skip-invalid --delete-zone b.test");
  expect([code, talk.match(/b.test is described by zones\/team.yaml/g)?.length]).toEqual([3, 1]);
});

test("a zone that refers to a node that does not exist is left out", async () => {
  const desk = await apiDesk({ ...files, "zones/d.test.yaml": zone("d.test", "www: { A: { node: web } }") });
  const { code, out, talk } = await desk.run("plan --skip-invalid");
  expect([code, shown(out).planned, shown(out).leftOut[1], talk.match(/^error.*/gm)?.length]).toEqual([
    5,
    ["c.test"],
    "d.test is left out: zones/d.test.yaml has 1 error  zones/d.test.yaml:2",
    2,
  ]);
});

test("a blocked change still ends with 3", async () => {
  const text = zone("c.test", "www: { A: 192.0.2.3 }");
  const desk = await apiDesk({ ...files, "zones/c.test.yaml": text });
  await create(desk, { "c.test": ["MX c.test mail.example.net"] });
  const codes = ["plan --skip-invalid", "plan --skip-invalid --detailed-exitcode", "apply --skip-invalid --yes"].map(
    async (command) => (await desk.run(command)).code,
  );
  expect(await Promise.all(codes)).toEqual([5, 3, 3]);
  expect((await desk.run("apply --skip-invalid --yes --allow G05")).code).toBe(5);
});

test("a plan file names what it leaves out, and applies the rest", async () => {
  const desk = await apiDesk(files);
  expect((await desk.run("plan --skip-invalid --out plan.json")).code).toBe(5);
  expect(JSON.parse(desk.read("plan.json"))).toMatchObject({
    skipped: [
      { zone: "b.test.", file: "zones/b.test.yaml", reason: "zones/b.test.yaml has 1 error" },
      {
        zone: "a.test.",
        file: "zones/a.test.yaml",
        reason: 'www CNAME needs "shop.b.test.", which b.test does not have yet',
      },
    ],
    source: { zones: [{ zone: "c.test." }] },
  });
  const { code, out } = await desk.run("apply plan.json --yes");
  expect([code, shown(out).leftOut.length, desk.writes.includes("POST /v4/domains")]).toEqual([5, 2, true]);
  expect((await desk.call("GET", "/domains")).data).toHaveLength(1);
});

test.each<[what: string, breakIt: (desk: ApiDesk) => void]>([
  ["a link to a missing file", (desk) => symlinkSync("missing", join(desk.folder, "zones/d.test.yaml"))],
  ["a file with errors", (desk) => desk.write("zones/d.test.yaml", "records: 1\n")],
])("a plan file is applied beside %s, also if a file that it plans was moved", async (_, breakIt) => {
  const desk = await apiDesk(files);
  breakIt(desk);
  expect((await desk.run("plan --skip-invalid --out plan.json")).code).toBe(5);
  mkdirSync(join(desk.folder, "zones/sub"));
  renameSync(join(desk.folder, "zones/c.test.yaml"), join(desk.folder, "zones/sub/c.test.yaml"));
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, desk.writes.includes("POST /v4/domains")], talk).toEqual([5, true]);
});

test("a plan file is refused if a zone that it leaves out no longer has what its records point to", async () => {
  const desk = await apiDesk(files);
  await create(desk, { "b.test": ["A shop 192.0.2.9"] });
  expect((await desk.run("plan --skip-invalid --out plan.json")).code).toBe(5);
  const { data } = await desk.call("GET", "/domains");
  const [record] = (await desk.call("GET", `/domains/${data[0].id}/records`)).data;
  await desk.call("DELETE", `/domains/${data[0].id}/records/${record.id}`);
  desk.writes.length = 0;
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.match(/^error.*/gm), desk.writes]).toEqual([
    4,
    [
      'error[plan-skipped] www CNAME needs "shop.b.test.", which b.test does not have yet, and the plan left out b.test',
    ],
    [],
  ]);
});

test.each([
  ["json", /"skipped": \[/],
  [
    "markdown",
    /### Plan of zones: 2 changes in 1 of 1 zone, 2 zones left out[\s\S]*Left out[\s\S]*not an IPv4 address/,
  ],
  ["html", /no approval missing, 2 zones left out[\s\S]*not an IPv4 address/],
  [
    "junit",
    /<testcase classname="b.test" name="left out"[\s\S]*<failure message="left out: zones\/b.test.yaml has 1 error/,
  ],
  ["sarif", /"ruleId":"address-v4",[\s\S]*"ruleId":"zone-skipped"/],
  ["codequality", /"check_name": "address-v4"/],
])("--report %s says what is left out", async (format, text) => {
  const desk = await apiDesk(files);
  const { code, out } = await desk.run(`plan --skip-invalid --report ${format}`);
  expect([code, out]).toEqual([5, expect.stringMatching(text)]);
});

test("other commands do not mention the flag", async () => {
  const { talk } = await new Desk(files).run("validate");
  expect(talk).not.toContain("--skip-invalid");
});

test("the reason of a zone that is left out names no flag, since the action and the library show it as well", async () => {
  for (const rule of ["zone-skipped", "plan-skipped"]) {
    const { out } = await new Desk().run(`explain ${rule}`);
    expect(out).not.toMatch(/--[a-z]/);
  }
  const { out } = await new Desk().run("explain plan-skipped");
  expect(out).toContain("errors, or that needed such a zone");
});
