import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const before = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@": { A: 192.0.2.10, MX: 10 mx.example.net. }
    www: { CNAME: vpn }
    vpn: { A: 192.0.2.44 }
`;
const after = before.replace(", MX: 10 mx.example.net.", "").replace("  vpn: { A: 192.0.2.44 }\n", "");
const config = "rules: { target-exists: note, target-elsewhere: off }\n";

async function changed(files: Record<string, string> = {}): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": before, "zonewright.yaml": config });
  expect((await desk.run("apply --yes")).code).toBe(0);
  for (const [file, text] of Object.entries({ "zones/example.com.yaml": after, ...files })) desk.write(file, text);
  desk.writes.length = 0;
  return desk;
}

const shown = lines`
  example.com                               -2 delete
    1 - delete  @    MX  3600  10 mx.example.net.  blocked by G05  caches may keep it for up to 1 hour
    2 - delete  vpn  A   3600  192.0.2.44          blocked by G08  caches may keep it for up to 1 hour
`;
const total = lines`
  plan: 2 changes in 1 of 1 zone · effects DIGEST · 2 reads
  apply sends 2 writes and 7 reads (no rate limit)
`;

/** Digests have tests of their own. */
function constant<T extends { out: string; talk: string }>(result: T): T {
  const hide = (text: string) =>
    text
      .replace(/(guard: G(\d\d), .*? effects: )"[0-9a-f]{16}"/g, '$1"DIGEST$2"')
      .replace(/effects [0-9a-f]{8}/g, "effects DIGEST")
      .replace(/^note .*\n/gm, "");
  return { ...result, out: hide(result.out), talk: hide(result.talk) };
}

test("plan shows blocked changes and writes them to the file; apply refuses and prints the approval", async () => {
  const desk = await changed();
  const held = `${"\n"}${lines`
    blocked by G05 (mail): example.com MX: deletes the last MX
      to approve: --allow G05, or in acks.yaml: - { guard: G05, zone: example.com, effects: "DIGEST05", reason: …, until: 2026-04-03 }
    blocked by G08 (still referenced): vpn.example.com A: www.example.com points here
      to approve: --allow G08, or in acks.yaml: - { guard: G08, zone: example.com, effects: "DIGEST08", reason: …, until: 2026-04-03 }
  `}`
    .replaceAll(/\n(?=.)/g, "\n  ")
    .slice(1);
  expect(constant(await desk.run("plan --detailed-exitcode --out plan.json"))).toEqual({
    code: 3,
    out: `${shown}${held}${total.replace("2 reads", "4 reads")}next: approve the blocked changes, then run \`zonewright apply plan.json\`\n`,
    talk: "",
  });
  const refused = lines`
    error[guard-blocked] nothing is written: blocked by G05 (mail), G08 (still referenced)
      The plan above shows each reason, and the entry for acks.yaml that approves it. To approve for this run: COMMAND
  `;
  for (const command of ["apply --zones zones", "apply plan.json"]) {
    const advised = `\`zonewright ${command} --allow G05,G08\`.`;
    const talk = refused.replace("COMMAND", advised);
    expect(constant(await desk.run(`${command} --yes`))).toEqual({ code: 3, out: `${shown}${held}${total}`, talk });
  }
  expect(desk.writes).toEqual([]);
});

test("the command that the error advises keeps the approvals that were given, and is applied", async () => {
  const desk = await changed();
  const { talk } = await desk.run("apply --yes --allow g08");
  const [, advised = ""] = /To approve for this run: `zonewright (.*)`\.$/m.exec(talk) ?? [];
  expect(advised).toBe("apply --allow G05,G08");
  expect((await desk.run(advised, { answer: "y" })).code).toBe(0);
});

test("--allow approves the named changes and nothing else", async () => {
  const desk = await changed();
  expect((await desk.run("apply --yes --allow G05")).code).toBe(3);
  expect(desk.writes).toEqual([]);
  expect(constant(await desk.run("apply --yes --allow g05,G08"))).toEqual({
    code: 0,
    out: `${shown.replaceAll(/blocked by (G\d\d)/g, "$1 approved")}  G05 (mail) approved with --allow: example.com MX: deletes the last MX\n  G08 (still referenced) approved with --allow: vpn.example.com A: www.example.com points here\n${total}applied and verified: 1 zone is as planned\n`,
    talk: "example.com: 2 writes\nexample.com: done\n",
  });
});

test("changes allowed in a plan file are allowed at apply if unchanged", async () => {
  const desk = await changed();
  expect((await desk.run("plan --out plan.json --allow G05 --allow G08")).code).toBe(0);
  await desk.call("POST", "/domains/1/records", { type: "CNAME", name: "more", target: "vpn.example.com" });
  desk.writes.length = 0;
  const { code, out, talk } = constant(await desk.run("apply plan.json --yes"));
  expect({ code, talk: talk.split("\n")[0] }).toEqual({
    code: 3,
    talk: "error[guard-blocked] nothing is written: blocked by G08 (still referenced)",
  });
  expect(out).toContain(
    "  blocked by G08 (still referenced): vpn.example.com A: more.example.com, www.example.com point here\n",
  );
  await desk.call("DELETE", "/domains/1/records/5");
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test("finds pointers from unplanned zones in their files", async () => {
  const other = "soa_email: hostmaster@example.org\nttl_sec: 1h\nrecords: { vpn: { CNAME: vpn.example.com. } }\n";
  const desk = await changed({ "zones/example.org.yaml": other });
  const said = async (command: string) => {
    const { out, talk } = await desk.run(command);
    return `${out}${talk}`.split("\n").filter((line) => /^ {2}(?:blocked by|allowed) .*G08/.test(line));
  };
  const text = "G08 (still referenced): vpn.example.com A: www.example.com, vpn.example.org point here";
  expect(await said("plan")).toEqual([`  blocked by ${text}`]);
  expect(await said("plan example.com --out plan.json")).toEqual([`  blocked by ${text}`]);
  expect(await said("apply plan.json --yes")).toEqual([`  blocked by ${text}`]);
});

test("an allowed mass deletion stays allowed when the zone grows or fewer records are deleted", async () => {
  const records = [1, 2, 3, 4, 5].map((host) => `  h${host}: { A: 192.0.2.${host} }\n`).join("");
  const desk = await apiDesk({ "zones/example.com.yaml": before + records, "zonewright.yaml": config });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", before);
  expect((await desk.run("plan --out plan.json --allow G01")).code).toBe(0);
  const { data } = await desk.call("GET", "/domains/1/records");
  await desk.call("DELETE", `/domains/1/records/${data.find(({ name }: { name: string }) => name === "h1").id}`);
  for (const name of ["x", "y"])
    await desk.call("POST", "/domains/1/records", { type: "A", name, target: "192.0.2.9" });
  const { code, out } = await desk.run("apply plan.json --yes");
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => /^ {2}(?:blocked by )?G01/.test(line))).toEqual([
    "  G01 (many deletions) approved with --allow: example.com: deletes 4 of 10 records; the limit is 3",
  ]);
});

test("an acknowledgement covers its effects until it expires", async () => {
  const desk = await changed();
  const digests = [...(await desk.run("plan")).out.matchAll(/effects: ("\w+")/g)].map(([, digest]) => digest);
  const acks = lines`
    - { guard: G05, zone: example.com, effects: ${digests[0]}, reason: mail moves, until: 2026-03-04 }
    - { guard: G08, zone: Example.COM., effects: ${digests[1]}, reason: nobody uses it, until: 2026-05-01 }
  `;
  desk.write("acks.yaml", acks);
  expect(constant(await desk.run("plan"))).toEqual({
    code: 0,
    out: `${shown.replaceAll(/blocked by (G\d\d)/g, "$1 approved")}  G05 (mail) approved in acks.yaml: example.com MX: deletes the last MX\n    reason: mail moves\n  G08 (still referenced) approved in acks.yaml: vpn.example.com A: www.example.com points here\n    reason: nobody uses it\n${total}`,
    talk: "",
  });
  desk.now = new Date("2026-03-05T00:00:00Z");
  expect((await desk.run("plan")).out.split("\n").filter((line) => /^ *(?:warning|blocked by|G08)/.test(line))).toEqual(
    [
      "  blocked by G05 (mail): example.com MX: deletes the last MX",
      "  G08 (still referenced) approved in acks.yaml: vpn.example.com A: www.example.com points here",
      "warning  the acknowledgement of G05 in example.com ended on 2026-03-04  acks.yaml:1",
    ],
  );
  desk.write("acks.yaml", acks.replace("2026-03-04", "2026-05-01"));
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("plan")).out).toBe(lines`
    warning  the acknowledgement of G05 in example.com matches no blocked change of this plan  acks.yaml:1
    warning  the acknowledgement of G08 in Example.COM. matches no blocked change of this plan  acks.yaml:2
    in sync: 1 zone, nothing to do
  `);
});

test("thresholds come from the config", async () => {
  const desk = await changed({ "zonewright.yaml": `${config}guards: { run_deletes: 1 }\n` });
  const { out } = constant(await desk.run("plan"));
  expect(out.split("\n").slice(7, 9)).toEqual([
    "blocked by G01 (many deletions): this run: deletes 2 records in one run; the limit is 1",
    '  to approve: --allow G01, or in acks.yaml: - { guard: G01, zone: "*", effects: "DIGEST01", reason: …, until: 2026-04-03 }',
  ]);
});

test.each([
  ["plan --allow G5", 64, 'error: --allow G5: this guard does not exist. Did you mean "G05"?\n'],
  [
    "apply --yes --allow all",
    64,
    "error: --allow all: this guard does not exist. Guards: G01, G03, G04, G05, G06, G08, G09, G10, G11, G12, G13, G15, G16, G17, G18, G19, G20, G21, G22, G23, G24, G25, G26, G27, G28, G29, G30, G31, G32, G33, G34, G35, G36.\n",
  ],
])("%s", async (command, code, talk) => {
  expect(await (await changed()).run(command)).toEqual({ code, out: "", talk });
});

const good = '{ guard: G05, zone: a, effects: "0123456789abcdef", reason: r, until: 2027-01-31 }';

test.each([
  ["guard: G05", "1:1", "config-value", "the file must be a list of acknowledgements"],
  [
    `- ${good.replace("G05", "G07")}`,
    "1:12",
    "config-value",
    "entry 1: guard must be one of G01, G03, G04, G05, G06, G08, G09, G10, G11, G12, G13, G15, G16, G17, G18, G19, G20, G21, G22, G23, G24, G25, G26, G27, G28, G29, G30, G31, G32, G33, G34, G35, G36",
  ],
  [
    `- ${good.replace('"0123456789abcdef"', "0123")}`,
    "1:35",
    "config-value",
    "entry 1: effects must be the 16 to 64 digits that plan prints, in quotes",
  ],
  [
    `- ${good.replace("2027-01-31", "soon")}`,
    "1:73",
    "config-value",
    "entry 1: until must be a day such as 2027-01-31",
  ],
  [`- ${good.replace("until", "til")}`, "1:66", "unknown-key", 'entry 1: "til" is not a setting'],
  ["- {", "1:3", "config-syntax", "invalid YAML: this { is not closed"],
])("acks.yaml: refuses %s", async (text, at, rule, summary) => {
  const desk = await changed({ "acks.yaml": text });
  const { code, out, talk } = await desk.run("plan");
  expect([code, out]).toEqual([3, ""]);
  expect(talk).toContain(`error[${rule}] ${summary}\n  acks.yaml:${at}\n`);
});

test.each([
  ["reason: ''", "1:63"],
  ["reason: ' '", "1:63"],
  ['reason: "\u00a0\u200b"', "1:63"],
  ["reason: …", "1:63"],
  ["reason: ...", "1:63"],
  ["reason: '-'", "1:63"],
  ["reason:", "1:62"],
  ["reason: []", "1:63"],
  ["# no reason", "1:3"],
])("refuses an acknowledgement with %j; the advised form passes", async (reason, at) => {
  const line = (text: string) => `- ${good.replace("reason: r", text)}\n`;
  const text = reason.startsWith("#") ? line("").replace(", ,", ",") : line(reason);
  const desk = await changed({ "acks.yaml": text });
  const { code, out, talk } = await desk.run("plan");
  expect([code, out]).toEqual([3, ""]);
  const [, place, fix] =
    talk.match(
      /^error\[config-value\] entry 1: reason must say why the change is intended\n {2}acks\.yaml:(\S+)\n.*\n {2}(Write .*)\n$/s,
    ) ?? [];
  expect([place, fix]).toEqual([
    at,
    'Write a sentence in the place of the printed "…", such as: reason: mail moves to the new host.',
  ]);
  const [, advised = ""] = fix?.match(/such as: (.*)\.$/) ?? [];
  desk.write("acks.yaml", line(advised));
  expect((await desk.run("plan")).code).toBe(0);
});

test("an acknowledgement of G08 is bound to the records that point to the name", async () => {
  const desk = await changed();
  const digests = [...(await desk.run("plan")).out.matchAll(/effects: ("\w+")/g)].map(([, digest]) => digest);
  const ack = `- { guard: G08, zone: example.com, effects: ${digests[1]}, reason: unused, until: 2026-05-01 }\n`;
  desk.write("acks.yaml", ack);
  const states = async () =>
    (await desk.run("plan")).out.split("\n").filter((line) => /^ {2}(?:blocked by )?G08/.test(line));
  const kept = "  G08 (still referenced) approved in acks.yaml: vpn.example.com A: www.example.com points here";
  expect(await states()).toEqual([kept]);
  desk.write("zones/example.com.yaml", after.replace("www:", "a: { A: 192.0.2.7 }\n  www:"));
  expect(await states()).toEqual([kept]);
  desk.write("zones/example.com.yaml", after.replace("www:", "more: { CNAME: vpn }\n  www:"));
  expect(await states()).toEqual([
    "  blocked by G08 (still referenced): vpn.example.com A: more.example.com, www.example.com point here",
  ]);
});

test("an acknowledgement of a zone that neither the project nor the account has is told", async () => {
  const desk = await changed();
  const ack = (zone: string) =>
    `- { guard: G08, zone: ${zone}, effects: "0123456789abcdef", reason: it moves, until: 2026-05-01 }\n`;
  desk.write("acks.yaml", ack("exmaple.com") + ack('"*"') + ack("example.com"));
  const notes = async (command: string) =>
    (await desk.run(command)).out.split("\n").filter((line) => line.startsWith("warning  the acknowledgement"));
  const unused = (zone: string, line: number) =>
    `warning  the acknowledgement of G08 in ${zone} matches no blocked change of this plan  acks.yaml:${line}`;
  expect(await notes("plan")).toEqual([
    "warning  the acknowledgement of G08 is for exmaple.com, which is neither in the project nor in the account  acks.yaml:1",
    unused("*", 2),
    unused("example.com", 3),
  ]);
  // A plan of some zones does not know the others.
  expect(await notes("plan example.com")).toEqual([unused("example.com", 3)]);
  await desk.call("POST", "/domains", { domain: "exmaple.com", type: "master", soa_email: "a@example.com" });
  expect(await notes("plan")).toEqual([unused("*", 2), unused("example.com", 3)]);
});

/** x.w would be an alias of itself before a changes, and its mail would lead nowhere after it. */
const inCircle = lines`
  soa_email: hostmaster@example.com
  records:
    a: { CNAME: b }
    b: { CNAME: w }
    w: { CNAME: x.w }
    x.w: { MX: 10 a }
    "*": { CNAME: a }
`;
const outOfIt = lines`
  soa_email: hostmaster@example.com
  records:
    a: { MX: 10 sub }
    w: { CNAME: x.w }
    x.w: { CNAME: c }
    "*": { CNAME: a }
`;

test("a circle of names: an order without gap exists, so nothing is blocked", async () => {
  const rules = "rules: { target-exists: note, target-elsewhere: off, cname-loop: note }\n";
  const desk = await apiDesk({ "zones/example.com.yaml": inCircle, "zonewright.yaml": rules });
  expect((await desk.run("apply --yes --allow G09")).code).toBe(0);
  desk.write("zones/example.com.yaml", outOfIt);
  expect((await desk.run("plan --allow G05 --detailed-exitcode")).code).toBe(2);
  expect((await desk.run("apply --yes --allow G05")).code).toBe(0);
});

test.each([80, 100, undefined])(
  "the entries for acks.yaml approve as they are printed at a width of %s",
  async (width) => {
    const zone = `${"a-rather-long-label.".repeat(4)}example.com`;
    const file = `zones/${zone}.yaml`;
    const desk = await apiDesk({ [file]: before, "zonewright.yaml": config });
    await desk.run("apply --yes");
    desk.write(file, after);
    desk.width = width;
    const { out } = await desk.run("plan");
    const entries = width === undefined ? out.match(/- \{ guard.*$/gm) : out.match(/^- \{.*?\}$/gms);
    const text = entries?.join("\n").replaceAll("reason: …", "reason: approved") ?? "";
    desk.write("acks.yaml", `${text}\n`);
    expect([text.match(/guard: G\d\d/g), (await desk.run("apply --yes")).code]).toEqual([
      ["guard: G05", "guard: G08"],
      0,
    ]);
  },
);

const dark = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "*": { A: 192.0.2.10 }
`;

test("a name that a wildcard no longer answers is in the plan, is refused, and can be approved", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": dark });
  expect((await desk.run("apply --yes --allow G09")).code).toBe(0);
  desk.write("zones/example.com.yaml", `${dark}  x.shop: { A: 192.0.2.11 }\n`);
  expect(constant(await desk.run("plan --detailed-exitcode"))).toEqual({
    code: 3,
    out: lines`
      example.com                               +1 create
        1 + create  x.shop  A  3600  192.0.2.11  blocked by G27  zones/example.com.yaml:5
        blocked by G27 (wildcard no longer answers): x.shop.example.com A: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist
          to approve: --allow G27, or in acks.yaml: - { guard: G27, zone: example.com, effects: "DIGEST27", reason: …, until: 2026-04-03 }
      plan: 1 change in 1 of 1 zone · effects DIGEST · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
    `,
    talk: "",
  });
  desk.writes.length = 0;
  expect((await desk.run("apply --yes")).code).toBe(3);
  expect(desk.writes).toEqual([]);
  expect((await desk.run("apply --yes --allow G27")).code).toBe(0);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
});

test.each(["plan", "plan example.com", "plan example.com zones/lab.example.yaml"])(
  "%s: G31 knows the zone of the reports by its file",
  async (command) => {
    const zone = (records: string) => `soa_email: a@example.com\nttl_sec: 1h\nrecords: { ${records} }\n`;
    const policy = '_dmarc: { TXT: "v=DMARC1; p=none; rua=mailto:in@lab.example" }';
    const desk = await apiDesk({
      "zones/example.com.yaml": zone("a: { A: 192.0.2.1 }"),
      "zones/lab.example.yaml": zone("a: { A: 192.0.2.1 }"),
    });
    expect((await desk.run("apply --yes")).code).toBe(0);
    desk.write("zones/example.com.yaml", zone(`a: { A: 192.0.2.1 }, ${policy}`));
    const blocked = async () => (await desk.run(command)).out.split("\n").filter((line) => line.includes("G31 ("));
    expect(await blocked()).toEqual([
      '  blocked by G31 (DMARC reports): _dmarc.example.com TXT: lab.example accepts no DMARC reports of example.com: "example.com._report._dmarc.lab.example" has no TXT "v=DMARC1"',
    ]);
    desk.write("zones/lab.example.yaml", zone("example.com._report._dmarc: { TXT: v=DMARC1 }"));
    expect(await blocked()).toEqual([]);
  },
);

test("an import and its first apply are not blocked, however many records the zone has", async () => {
  const records = Array.from({ length: 300 }, (_, host) => `  h${host}: { A: 192.0.2.${host % 250} }\n`).join("");
  const head = "soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n";
  const desk = await apiDesk({ "zones/example.com.yaml": `${head.trimEnd()} {}\n` });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", head + records);
  expect((await desk.run("apply --yes")).code).toBe(0);
  const more = Array.from({ length: 151 }, (_, host) => `  n${host}: { A: 192.0.2.9 }\n`).join("");
  desk.write("zones/example.com.yaml", head + records + more);
  const { out } = await desk.run("plan --summary");
  expect(out).toContain("creates 151 records in a zone of 300; the limit is 150");
});
