import { describe, expect, onTestFinished, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { listen } from "../../src/server/http/node.ts";
import { allowAddresses } from "../../src/server/kit/allowed-networks.ts";
import { createRemote } from "../../src/server/kit/remote.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { createServer } from "../../src/server/server.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { goodData } from "../dns/transfer/zones.ts";
import { readBind, readYaml } from "../formats/api.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { type ApiDesk, apiDesk, Desk, lines, noon } from "./run.ts";
import { targetDesk } from "./target-desk.ts";

const config = "api_records: open\nrules: { dns: off, practice: off }\n";

const open = (files: Record<string, string> = {}) =>
  apiDesk({ "zonewright.yaml": config, ...files }, undefined, { records: "open", nameservers: ["ns.service.example"] });

const allowed = "--yes --allow G01,G03,G04,G09,G12,G19,G21,G32";

const head = `$TTL 77
@ SOA ns1.example.net. hostmaster.example.com. 1 14401 3601 1209601 77
`;

/** All valid data of every type, each at its own name. */
const data = goodData(["soa"]);
const everyType = `${head}${data.map(({ owner, type, canonical }) => `${owner} ${type} ${canonical}\n`).join("")}`;

/** The records of the domain as the server replies with them. */
async function stored({ call }: ApiDesk): Promise<string[]> {
  const all = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const list = await call("GET", `/domains/1/records?page=${page}&page_size=500`);
    pages = list.pages;
    all.push(...list.data);
  }
  return all.map(({ name, type, rdata, ttl_sec }) => `${name || "@"} ${ttl_sec} ${type} ${rdata}`).sort();
}

/** The records of a zone file without its SOA record. */
function recordsOf(desk: Desk, file: string): string[] {
  const read = file.endsWith(".yaml") ? readYaml : readBind;
  const { zone, problems } = read({ file, bytes: Buffer.from(desk.read(file)), origin: domainName("example.com.") });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return [...zone.records]
    .filter(({ type }) => type !== "SOA")
    .map(
      (record) => `${nameKey(record.owner)} ${record.ttl ?? zone.settings.ttl_sec} ${record.type} ${rdataText(record)}`,
    )
    .sort();
}

/** The port at which a name server answers for the domain. */
async function serve({ store }: ApiDesk): Promise<number> {
  const host = "127.0.0.1"; // which may transfer the domain, as a secondary that no one tells of changes
  const options = { host, port: 0, secondaries: [{ host, port: 9 }] };
  const { port, close } = await serveNames({ store, clock: () => noon, onError: () => {} }, options);
  onTestFinished(close);
  return port;
}

/** Writes, whatever guards say about records of which all are examples. */
async function write(desk: ApiDesk, command: "apply" | "undo last"): Promise<void> {
  const { code, out, talk } = await desk.run(`${command} ${allowed}`);
  expect([code, `${talk}${out}`.match(/^(?:error|blocked|failed).*$/gm)]).toEqual([0, null]);
}

/** A second plan and one against a snapshot have no change. */
async function expectInSync(desk: ApiDesk): Promise<void> {
  expect((await desk.run("snapshot --out snapshot.json")).code).toBe(0);
  for (const from of ["", "--against snapshot.json"]) {
    const planned = await desk.run(`plan --detailed-exitcode ${from}`);
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining("in sync: 1 zone")]);
  }
  expect((await desk.run("drift --snapshot snapshot.json")).code).toBe(0);
}

test("all data of every type is stored, exported and imported as it is", async () => {
  const desk = await open({ "zones/example.com.zone": everyType });
  await write(desk, "apply");
  expect(await stored(desk)).toEqual(
    data.map(({ owner, type, canonical }) => `${owner} 0 ${type} ${canonical}`).sort(),
  );
  await expectInSync(desk);
  for (const other of ["live", "snapshot.json"]) expect((await desk.run(`compare zones ${other}`)).code).toBe(0);
  for (const to of ["yaml", "bind"]) {
    const ending = to === "yaml" ? "yaml" : "zone";
    expect((await desk.run(`import api --zones imported-${to} --to ${to}`)).code).toBe(0);
    expect((await desk.run(`export --live --to ${to} --out exported`)).code).toBe(0);
    for (const folder of [`imported-${to}`, "exported"])
      expect(recordsOf(desk, `${folder}/example.com.${ending}`)).toEqual(recordsOf(desk, "zones/example.com.zone"));
  }
  expect((await desk.run("import api")).talk).toBe("0 zones written, 1 unchanged, 0 skipped\n");
});

/** Forms that documented records cannot have, each with the one that the server stores. */
const odd: readonly [written: string, stored?: string][] = [
  ["@ 3601 NS ns1.other.example."],
  ["@ 3601 NS ns2.other.example."],
  ["@ 1 ALIAS target.other.example."],
  ['@ 2147483647 CAA 128 Issue "ca.other.example"'],
  ['@ 2147483647 CAA 0 issue ""'],
  ["@ 61 MX 65535 mail.other.example."],
  ["a\\.b 30 A 192.0.2.1"],
  ["a\\200 30 A 192.0.2.1"],
  ["www.example.com 31 A 192.0.2.1"],
  ["example.com 31 TYPE65280 \\# 3 0A0B0C"],
  ["*.a.*.b 31 AAAA 2001:db8::1"],
  ['text 31 TXT "two" "strings" ""'],
  ['text 31 TXT "\\000\\255\\""'],
  ["instance._http._tcp 31 SRV 300 1 1 single."],
  ["never 0 A 192.0.2.1", "never 1 A 192.0.2.1"],
  ["sub 31 NS ns1.other.example."],
  ["sub 31 DS 12345 13 2 49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC1234"],
  ["under 31 DNAME other.example."],
];

test("odd forms are stored as they are, answered, changed and taken back", async () => {
  const zone = head + odd.map(([written]) => `${written}\n`).join("");
  const desk = await open({ "zones/example.com.zone": zone });
  const note = "note[ttl-rounded] example.com never A: ttl_sec 0 is stored as 1  zones/example.com.zone:17\n";
  const valid = `valid: 1 zone, ${odd.length + 1} records, 1 note\n`;
  expect(await desk.run("validate")).toEqual({ code: 0, out: `${note}\n${valid}`, talk: "" });
  await write(desk, "apply");
  const before = await stored(desk);
  expect(before).toEqual(odd.map(([written, after = written]) => after).sort());
  await expectInSync(desk);
  const verified = await desk.run(`verify --nameserver 127.0.0.1:${await serve(desk)}`);
  // No resolver finds the target of the ALIAS record.
  expect([verified.code, verified.out.match(/^\w+/gm), verified.out]).toEqual([
    7,
    ["pass", "pass", "inconclusive"],
    expect.stringContaining(
      'example.com ALIAS is answered with no address, and its target "target.other.example" cannot be resolved: this machine has no resolver',
    ),
  ]);
  const compared = await desk.run("compare zones live");
  expect([compared.code, compared.out.split("\n").filter((line) => line.startsWith("  "))]).toEqual([
    2,
    ["  TTL        never A 0 → 1", "  ignored: @ SOA (every service sets its own)"],
  ]);
  desk.write(
    "zones/example.com.zone",
    `${head}@ A 192.0.2.9\n@ 61 MX 65535 mail.other.example.\ntext 33 TXT "twostrings"\n@ CAA 0 issue "ca.other.example"\n`,
  );
  await write(desk, "apply");
  expect(await stored(desk)).toEqual([
    "@ 0 A 192.0.2.9",
    '@ 0 CAA 0 issue "ca.other.example"',
    "@ 61 MX 65535 mail.other.example.",
    'text 33 TXT "twostrings"',
  ]);
  await expectInSync(desk);
  await write(desk, "undo last");
  expect(await stored(desk)).toEqual(before);
});

describe("a target with open records at a server with documented ones", () => {
  const refusal = `error[client/records] api_records in zonewright.yaml is "open", and the server at http://api does not hold open records
  Start the server with \`zonewright serve --records open\`, or write "documented" in the config. Nothing was changed.
`;

  test.each([
    "plan",
    "apply --yes",
    "import api",
    "export --live --to yaml",
    "snapshot --out s.json",
    "drift",
    "verify",
    "undo last --yes",
  ])("%s is refused before a write", async (command) => {
    const desk = await apiDesk({
      "zones/example.com.yaml": "soa_email: a@example.net\nrecords: { a: { A: 192.0.2.1 } }\n",
    });
    await desk.run("apply --yes");
    const { length } = desk.writes;
    desk.write("zonewright.yaml", "api_records: open\n");
    desk.write("zones/example.com.yaml", "soa_email: a@example.net\nrecords: { a: { TLSA: 3 1 1 00 } }\n");
    const { code, out, talk } = await desk.run(command);
    expect({ code, out, talk }).toEqual({ code: 3, out: "", talk: refusal });
    expect(desk.writes).toHaveLength(length);
  });

  test("doctor says so", async () => {
    const desk = await apiDesk({ "zonewright.yaml": "api_records: open\n" });
    const { code, out } = await desk.run("doctor");
    expect([code, out.split("\n").filter((line) => /records/.test(line))]).toEqual([
      1,
      [
        'fail  API         api_records in zonewright.yaml is "open", and the server at http://api does not hold open records',
        '                  Start the server with `zonewright serve --records open`, or write "documented" in the config. Nothing was changed.',
      ],
    ]);
  });

  test("of a config with targets, the error names the setting of the target", async () => {
    const desk = await apiDesk();
    const { url, token } = desk;
    desk.write("zonewright.yaml", `targets:\n  office: { kind: api, url: "${url}", records: open }\n`);
    const { code, talk } = await desk.run("plan", { env: { ZONEWRIGHT_API_URL: "", ZONEWRIGHT_OFFICE_TOKEN: token } });
    const [headline] = talk.split("\n");
    expect([code, headline]).toEqual([
      3,
      'error[client/records] targets.office.records in zonewright.yaml is "open", and the server at http://api does not hold open records',
    ]);
  });
});

describe("a target with documented records at a server with open ones", () => {
  const note =
    "note[client/records-open] the server at http://api holds records of every type and any TTL, and the target only documented ones: others are left alone";

  const withOthers = async () => {
    const desk = await apiDesk(
      { "zones/example.com.yaml": "soa_email: a@example.net\nrecords: { a: { A: 192.0.2.1 } }\n" },
      undefined,
      { records: "open" },
    );
    await desk.run("apply --yes");
    await desk.call("POST", "/domains/1/records", { type: "TLSA", name: "a", rdata: "3 1 1 00" });
    await desk.call("POST", "/domains/1/records", { type: "TXT", name: "a", rdata: '"two" "strings"' });
    return desk;
  };

  test.each(["plan", "apply --yes --allow G01", "import api --yes", "drift", "verify"])(
    "%s: a note, once",
    async (command) => {
      const desk = await withOthers();
      const { talk } = await desk.run(command);
      expect(talk.split("\n").filter((line) => line.startsWith("note[client"))).toEqual([note]);
    },
  );

  test("the JSON of a plan, and the events of an apply and of an undo, have the note", async () => {
    const desk = await withOthers();
    const summary = note.replace("note[client/records-open] ", "");
    const planned = JSON.parse((await desk.run("plan --report json")).out);
    const notes = planned.notes.filter(({ rule }: { rule: string }) => rule === "client/records-open");
    expect(notes).toEqual([{ severity: "note", rule: "client/records-open", summary }]);
    for (const command of ["apply --jsonl --yes --allow G01", "undo last --jsonl --yes"]) {
      const { code, out } = await desk.run(command);
      const events = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect([code, events.at(-1)]).toEqual([0, { event: "note", id: "client/records-open", note: summary }]);
    }
  });

  test("records of other types are named, and stay", async () => {
    const desk = await withOthers();
    const { out } = await desk.run("plan");
    expect(out.split("\n").filter((line) => line.includes("TLSA"))).toEqual([
      "warning  example.com has 1 record, neither compared nor changed: a TLSA  zones/example.com.yaml:1",
    ]);
    await desk.run("apply --yes --allow G01");
    expect(await stored(desk)).toEqual(["a 0 A 192.0.2.1", "a 0 TLSA 3 1 1 00"]);
  });

  test("records that documented fields cannot express stay, also after an import and an undo", async () => {
    const desk = await withOthers();
    const data: [type: string, name: string, rdata: string][] = [
      ["CAA", "a", '128 issue "ca.example"'],
      ["CAA", "a", '0 issue "ca.example"'],
      ["CAA", "b", '128 issue "ca.example"'],
      ["CAA", "b", '0 contactemail "ops@example.net"'],
      ["MX", "a", "10 mail.example.net."],
      ["MX", "a", "300 mail.example.net."],
      ["SRV", "_sip._tcp", "256 0 5060 sip.example.net."],
      ["TXT", "b", '"\\255"'],
      ["TXT", "c", '"two" "strings"'],
      ["A", "\\000z", "192.0.2.7"],
      ["NS", "", "ns.example.net."],
    ];
    for (const [type, name, rdata] of data)
      expect(await desk.call("POST", "/domains/1/records", { type, name, rdata })).toMatchObject({ type, rdata });
    const before = await stored(desk);
    expect((await desk.run("import api --yes")).code).toBe(0);
    expect((await desk.run("plan")).out).toContain("in sync: 1 zone");
    desk.write(
      "zones/example.com.yaml",
      desk.read("zones/example.com.yaml").replace("records: { ", "records: { new: { A: 192.0.2.9 }, "),
    );
    expect((await desk.run("apply --yes")).code).toBe(0);
    expect(await stored(desk)).toEqual([...before, "new 0 A 192.0.2.9"].sort());
    expect((await desk.run("undo last --yes")).code).toBe(0);
    expect(await stored(desk)).toEqual(before);
  });

  /** A domain with these records, and its file by an import. */
  const imported = async (...data: (readonly [type: string, name: string, rdata: string, ttl: number])[]) => {
    const desk = await apiDesk({}, undefined, { records: "open" });
    const domain = { domain: "example.com", type: "master", soa_email: "a@example.net", ttl_sec: 77 };
    await desk.call("POST", "/domains", domain);
    for (const [type, name, rdata, ttl_sec] of data)
      await desk.call("POST", "/domains/1/records", { type, name, rdata, ttl_sec });
    expect((await desk.run("import api --yes --to bind")).code).toBe(0);
    return desk;
  };

  test("times off the grid stay, those of the zone as well, until the file changes them", async () => {
    const desk = await imported(
      ["A", "a", "192.0.2.1", 86399],
      ["A", "b", "192.0.2.2", 61],
      ["A", "c", "192.0.2.3", 0],
      ["MX", "m", "10 mail.example.net.", 1000],
      ["MX", "m", "300 mail.example.net.", 1000],
    );
    const before = await stored(desk);
    expect((await desk.run("plan")).out).toContain("in sync: 1 zone");
    expect((await desk.run("drift")).code).toBe(0);
    expect((await desk.run("import api")).talk).toContain("0 zones written, 1 unchanged");
    const file = desk.read("zones/example.com.zone");
    desk.write("zones/example.com.zone", `${file}new 300 A 192.0.2.9\n`);
    await write(desk, "apply");
    expect(await stored(desk)).toEqual([...before, "new 300 A 192.0.2.9"].sort());
    desk.write("zones/example.com.zone", file.replace("86399", "1d").replace("192.0.2.2", "192.0.2.7"));
    await write(desk, "apply");
    expect(await stored(desk)).toEqual(
      before.map((one) => one.replace("a 86399 A", "a 86400 A").replace("b 61 A 192.0.2.2", "b 300 A 192.0.2.7")),
    );
    expect((await desk.call("GET", "/domains/1")).ttl_sec).toBe(77);
    await write(desk, "undo last");
    expect(await stored(desk)).toEqual([...before, "new 300 A 192.0.2.9"].sort());
  });

  test.each([
    ["ALIAS", "other.example.net.", "A 192.0.2.1", "An ALIAS record answers for A and AAAA.", "A"],
    ["ALIAS", "other.example.net.", "AAAA 2001:db8::1", "An ALIAS record answers for A and AAAA.", "AAAA"],
    [
      "ALIAS",
      "other.example.net.",
      "CNAME a.example.net.",
      "A CNAME record cannot stand beside others (RFC 1034 §3.6.2).",
      "CNAME",
    ],
    ["CNAME", "a\\.b.example.net.", "TXT text", "A CNAME record cannot stand beside others (RFC 1034 §3.6.2).", "TXT"],
  ])("%s %s, then %s in the file: refused before a write", async (type, rdata, record, why, own) => {
    const desk = await imported([type, "q", rdata, 300]);
    const { length } = desk.writes;
    desk.write("zones/example.com.zone", `${desk.read("zones/example.com.zone")}q 300 ${record}\nnew A 192.0.2.9\n`);
    for (const command of ["plan", "apply --yes"]) {
      const { code, talk } = await desk.run(command);
      expect([code, talk.split("\n").filter((line) => /^(?:error| {2}An? )/.test(line))]).toEqual([
        3,
        [
          `error[zone-records-conflict] q ${own}: the service has a record of the type ${type} at this name, which zonewright leaves alone`,
          `  ${why} Delete the ${type} record at the service first, or remove the ${own} record.`,
        ],
      ]);
    }
    expect(desk.writes).toHaveLength(length);
  });

  test.each([
    [
      ["DNAME", "dn", "example.net.", 300],
      "x.dn 300 A 192.0.2.1",
      "x.dn A: a DNAME record above this name, which zonewright leaves alone, hides it",
    ],
    [["DNAME", "dn", "example.net.", 300], "dn 300 A 192.0.2.1", undefined],
    [
      ["HTTPS", "h", "1 .", 300],
      "h 300 NS ns.example.net.",
      "h NS: the service has a record of the type HTTPS at or below this name, which zonewright leaves alone, and which would no longer be answered",
    ],
    [
      ["TLSA", "_443._tcp.h", "3 1 1 00", 300],
      "h 300 NS ns.example.net.",
      "h NS: the service has a record of the type TLSA at or below this name, which zonewright leaves alone, and which would no longer be answered",
    ],
    [["DS", "h", `1 13 2 ${"00".repeat(32)}`, 300], "h 300 NS ns.example.net.", undefined],
  ] as const)(
    "%j is left alone, and the file adds %s: refused before a write if one hides the other",
    async (kept, record, summary) => {
      const desk = await imported(kept);
      const { length } = desk.writes;
      desk.write("zones/example.com.zone", `${desk.read("zones/example.com.zone")}${record}\n`);
      const { talk } = await desk.run("apply --yes --allow G04");
      const expected = summary === undefined ? [] : [`error[zone-records-conflict] ${summary}`];
      expect(talk.split("\n").filter((line) => line.startsWith("error"))).toEqual(expected);
      expect(desk.writes.length > length).toBe(summary === undefined);
    },
  );

  test("an import names the records that the file does not get", async () => {
    const desk = await imported(["TLSA", "t", "3 1 1 00", 300], ["MX", "m", "300 b.example.net.", 300]);
    expect((await desk.run("import api --yes --to bind")).talk).toContain(
      "note  example.com has 2 records that its file does not get: t TLSA, m MX\n",
    );
  });

  test.each([
    [
      "of the set",
      "m 3600 MX 10 a.example.net.",
      "m 300 MX 10 a.example.net.",
      "m MX: its TTL is also that of another MX record at this name, which zonewright leaves alone, and would be lowered from 3600",
    ],
    [
      "of a new record",
      "c 3600 TXT text",
      'c 300 CAA 0 issue "a.example"',
      "c CAA: its TTL is also that of another CAA record at this name, which zonewright leaves alone, and would be lowered from 7200",
    ],
  ])("a TTL %s that records would get which are left alone is refused", async (_, before, after, summary) => {
    const desk = await imported(
      ["MX", "m", "10 a.example.net.", 3600],
      ["MX", "m", "300 b.example.net.", 3600],
      ["CAA", "c", '128 issue "a.example"', 7200],
      ["TXT", "c", '"text"', 3600],
    );
    const { length } = desk.writes;
    const records = ["m 3600 MX 10 a.example.net.", "c 3600 TXT text"];
    const zone = (lines: readonly string[]) => `;@ soa_email: a@example.net\n$TTL 77\n${lines.join("\n")}\n`;
    desk.write("zones/example.com.zone", zone(records));
    expect((await desk.run("plan")).out).toContain("in sync: 1 zone");
    desk.write("zones/example.com.zone", zone(records.map((one) => (one === before ? after : one))));
    const { code, talk } = await desk.run("apply --yes --allow G01");
    expect([code, talk.split("\n").filter((line) => line.startsWith("error"))]).toEqual([
      3,
      [`error[zone-records-conflict] ${summary}`],
    ]);
    expect(desk.writes).toHaveLength(length);
  });

  test("a TTL of the zone that records would get which are left alone is refused", async () => {
    const desk = await imported(["TLSA", "t", "3 1 1 00", 0], ["MX", "m", "300 b.example.net.", 0]);
    await desk.call("PUT", "/domains/1", { ttl_sec: 3600 });
    desk.write("zones/example.com.zone", ";@ soa_email: a@example.net\n$TTL 1h\n");
    expect((await desk.run("plan")).out).toContain("in sync: 1 zone");
    desk.write("zones/example.com.zone", ";@ soa_email: a@example.net\n$TTL 5m\n");
    const { code, talk } = await desk.run("plan");
    expect([code, talk.split("\n").filter((line) => line.startsWith("error"))]).toEqual([
      3,
      [
        "error[zone-records-conflict] example.com: ttl_sec is also the TTL of 2 records that zonewright leaves alone, and would be lowered from 3600: t TLSA, m MX",
      ],
    ]);
  });

  test("doctor says so", async () => {
    const desk = await withOthers();
    const { out, talk } = await desk.run("doctor");
    expect([talk, out.split("\n").filter((line) => /records/.test(line))]).toEqual([
      "",
      [
        "warn  records       documented, and the server holds records of every type and any TTL: others are left alone",
        "                    To manage all of them, set `api_records`, or `records` of the target, to `open`, and run `zonewright import api` before the next apply.",
      ],
    ]);
  });
});

test.each([
  ["A: 192.0.2.1", "ALIAS: www.example.net.", "A"],
  ["AAAA: '2001:db8::1'", "ALIAS: www.example.net.", "AAAA"],
  ["ALIAS: www.example.net.", "A: 192.0.2.1", "A"],
  ["CNAME: www.example.net.", "ALIAS: www.example.net.", "A, AAAA"],
])("a plan declares that a name is without addresses in between: %s → %s", async (before, after, types) => {
  const file = (record: string) => `soa_email: ops@example.net\nttl_sec: 5m\nrecords: { shop: { ${record} } }\n`;
  const desk = await open({ "zones/example.com.yaml": file(before) });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", file(after));
  expect((await desk.run("plan")).out).toContain(
    `brief gap: ${types} of shop: a resolver that asks during the change may cache "no such record" for up to 5 minutes`,
  );
});

test("a CNAME record is applied with its RRSIG and NSEC records", async () => {
  const zone = `${head}a CNAME www.example.net.
a RRSIG CNAME 13 3 77 20300101000000 20200101000000 12345 example.com. AAAA
a NSEC example.com. CNAME RRSIG NSEC
`;
  const desk = await open({ "zones/example.com.zone": zone.replace("a CNAME", "b CNAME") });
  await write(desk, "apply");
  desk.write("zones/example.com.zone", zone);
  await write(desk, "apply");
  expect(await stored(desk)).toEqual([
    "a 0 CNAME www.example.net.",
    "a 0 NSEC example.com. CNAME RRSIG NSEC",
    "a 0 RRSIG CNAME 13 3 77 20300101000000 20200101000000 12345 example.com. AAAA",
  ]);
  await expectInSync(desk);
});

test.each([
  ["A: 192.0.2.1", "shop has an ALIAS and A records"],
  ["ALIAS: [www.example.net., www.example.org.]", "shop has 2 ALIAS records"],
])("validate reports what the server would refuse beside an ALIAS record: %s", async (other, summary) => {
  const records = other.startsWith("ALIAS") ? other : `ALIAS: www.example.net., ${other}`;
  const desk = await open({
    "zones/example.com.yaml": `soa_email: ops@example.net\nrecords: { shop: { ${records} } }\n`,
  });
  for (const command of ["validate", "plan", "apply --yes"]) {
    const { code, out, talk } = await desk.run(command);
    expect([command, code, `${out}${talk}`.includes(`error[alias-alone] ${summary}`)]).toEqual([command, 3, true]);
  }
  expect((await desk.call("GET", "/domains")).data).toEqual([]);
});

test.each([
  ["without a setting, those of the zone", "", "NS: [ns1.own.example., ns2.own.example.]", "ns1.own.example."],
  ["without NS records, those of the setting", "nameservers: [ns.set.example]\n", "A: 192.0.2.1", "ns.set.example."],
  [
    "with both, those of the setting",
    "nameservers: [ns.set.example]\n",
    "NS: [ns1.own.example., ns2.own.example.]",
    "ns.set.example.",
  ],
  ["without both, a name that no one can take for a server", "", "A: 192.0.2.1", "ns1.zonewright.invalid."],
])("the primary in an exported SOA record is one of the name servers: %s", async (_, setting, records, primary) => {
  const desk = await open({
    "zones/example.com.yaml": `soa_email: ops@example.net\nrecords: { "@": { ${records} } }\n`,
  });
  desk.write("zonewright.yaml", config + setting);
  await write(desk, "apply");
  for (const live of ["", "--live "])
    for (const [to, pattern] of [
      ["bind", /SOA +(\S+)/],
      ["dns-zonefile", /"mname": "(\S+)"/],
    ] as const) {
      const { out } = await desk.run(`export ${live}--to ${to}`);
      expect([live, to, pattern.exec(out)?.[1]]).toEqual([live, to, primary]);
    }
});

describe("compare: NS records at the apex are those of the files, where these have some", () => {
  const file = (servers: string) =>
    `soa_email: ops@example.net\nttl_sec: 1h\nrecords: { "@": { ${servers}A: 192.0.2.1 } }\n`;
  const old = "NS: [ns1.old.example., ns2.old.example.], ";
  const other = "NS: [ns1.new.example., ns2.old.example.], ";

  test.each([
    [old, old, "example.com: equal"],
    [old, other, "ns1.new.example."],
    ["", "", "example.com: equal"],
  ])("%sapplied, %snow: %s", async (applied, now, shown) => {
    const desk = await open({ "zones/example.com.yaml": file(applied) });
    await write(desk, "apply");
    desk.write("zones/example.com.yaml", file(now));
    for (const side of ["live", "rendered"]) {
      const { code, out } = await desk.run(`compare zones ${side}`);
      // Without NS records in the file, the service has its own.
      const ignored = /ignored: .*@ NS/.test(out);
      expect([side, code, out.includes(shown), ignored]).toEqual([
        side,
        applied === now ? 0 : 2,
        true,
        applied === "" && side === "rendered",
      ]);
    }
  });
});

describe("init --from api", () => {
  const all = head + odd.map(([written]) => `${written}\n`).join("");

  test("at a server with open records: the config says so, and every record is imported", async () => {
    const origin = await open({ "zones/example.com.zone": all });
    await write(origin, "apply");
    const desk = new Desk();
    Object.assign(desk.env, origin.env);
    const { code, out, talk } = await desk.run("init --from api --yes --format bind");
    expect([code, talk, out.match(/^\d+ zone.*/gm)]).toEqual([0, "", [`1 zone, ${odd.length} records`]]);
    expect(desk.read("zonewright.yaml")).toContain(
      `\napi_url: ${origin.url}\n\n# The server holds records of every type and any TTL.\napi_records: open\n`,
    );
    const expected = recordsOf(origin, "zones/example.com.zone");
    expect(recordsOf(desk, "zones/example.com.zone")).toEqual(
      expected.map((record) => record.replace("never.example.com. 0", "never.example.com. 1")),
    );
    expect(await desk.run("plan")).toMatchObject({ code: 0, out: "in sync: 1 zone, nothing to do\n" });
  });

  test("into a project without the setting: its config stays, and what it cannot hold is named", async () => {
    const desk = await apiDesk({ "zonewright.yaml": "zones: zones\n" }, undefined, { records: "open" });
    await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@example.net" });
    await desk.call("POST", "/domains/1/records", { type: "A", name: "a", target: "192.0.2.1" });
    await desk.call("POST", "/domains/1/records", { type: "TLSA", name: "a", rdata: "3 1 1 00" });
    const { code, talk } = await desk.run("init --from api --yes");
    expect([code, talk.split("\n").filter((line) => line.startsWith("note["))]).toEqual([
      0,
      [
        "note[client/records-open] the server at http://api holds records of every type and any TTL, and the target only documented ones: others are left alone",
      ],
    ]);
    expect(desk.read("zonewright.yaml")).toBe("zones: zones\n");
    expect((await desk.run("plan")).out).toContain("in sync: 1 zone");
  });
});

test("a server whose records were open before: init, plan and apply leave alone what documented fields cannot express", async () => {
  const origin = await apiDesk({}, undefined, { records: "open" });
  await origin.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@example.net" });
  const data: [type: string, name: string, rdata: string, ttl: number][] = [
    ["CAA", "a", '128 issue "ca.example"', 300],
    ["CAA", "a", '0 issue "ca.example"', 300],
    ["MX", "a", "10 mail.example.net.", 300],
    ["MX", "b", "300 mail.example.net.", 300],
    ["TXT", "b", '"two" "strings"', 300],
    ["TLSA", "b", "3 1 1 00", 300],
    ["NS", "", "ns.example.net.", 300],
    ["A", "c", "192.0.2.1", 86399],
  ];
  for (const [type, name, rdata, ttl_sec] of data)
    await origin.call("POST", "/domains/1/records", { type, name, rdata, ttl_sec });
  const before = await stored(origin);
  const server = createServer({ store: origin.store, clock: () => noon });
  const { url, close } = await listen(server, { port: 0 });
  onTestFinished(close);
  const desk = new Desk();
  Object.assign(desk.env, origin.env, { ZONEWRIGHT_API_URL: url });
  expect((await desk.run("init --from api --yes --format bind")).code).toBe(0);
  expect(desk.read("zonewright.yaml")).not.toContain("api_records");
  expect(recordsOf(desk, "zones/example.com.zone")).toEqual(
    [
      "a.example.com. 300 MX 10 mail.example.net.",
      'a.example.com. 300 CAA 0 issue "ca.example"',
      "c.example.com. 86399 A 192.0.2.1",
    ].sort(),
  );
  const planned = await desk.run("plan --detailed-exitcode");
  expect([planned.code, planned.out.match(/^warning .*$/gm)]).toEqual([
    0,
    [
      "warning  example.com has 5 records, neither compared nor changed: a CAA, b MX, b TXT, b TLSA, @ NS  zones/example.com.zone:5",
    ],
  ]);
  desk.write("zones/example.com.zone", `${desk.read("zones/example.com.zone")}new 300 A 192.0.2.9\n`);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect(await stored(origin)).toEqual([...before, "new 300 A 192.0.2.9"].sort());
});

test("doctor shows the setting", async () => {
  const desk = await open();
  const { out } = await desk.run("doctor");
  expect(out.split("\n").filter((line) => /records/.test(line))).toEqual([
    "ok    records     open: the server holds every type and any TTL",
  ]);
});

describe("an import into a project with open records", () => {
  /** Records that a signer has made are wrong once the zone changes; the server does not import them either. */
  const ofSigners = ["NSEC", "NSEC3", "NSEC3PARAM", "RRSIG", "ZONEMD"];

  interface Entry {
    readonly owner: string;
    readonly ttl: number;
    readonly type: string;
    readonly rdata: string;
    readonly class: string;
    readonly rule?: string;
  }

  function entriesOf(out: string): Entry[] {
    const { zones } = JSON.parse(out) as { zones: { ledger: { entries: Entry[] } }[] };
    return zones.flatMap(({ ledger }) => ledger.entries);
  }

  /** The entries of a ledger that are not exact, except records of signers and SOA. */
  function unusual(out: string): Entry[] {
    const entries = entriesOf(out);
    expect(entries.length).toBeGreaterThan(odd.length);
    const expected = entries.filter(({ type }) => type === "SOA" || ofSigners.includes(type));
    for (const one of expected)
      expect(one).toMatchObject(
        one.type === "SOA" ? { class: "left-to-the-service" } : { class: "lost", rule: "dnssec-unsigned" },
      );
    return entries.filter((one) => one.class !== "exact" && !expected.includes(one));
  }

  const text = everyType + odd.map(([written]) => `${written}\n`).join("");
  const never = expect.objectContaining({
    owner: "never",
    class: "normalised",
    reason: "TTL 0 becomes 1",
    rule: "ttl-rounded",
  });

  test.each(["yaml", "bind"])(
    "of a zone file, as %s: nothing is normalised or unsupported but a TTL of 0",
    async (to) => {
      const desk = await open({ "example.com.zone": text });
      const { code, out } = await desk.run(`import file example.com.zone --to ${to} --report json`);
      expect([code, unusual(out)]).toEqual([0, [never]]);
      await write(desk, "apply");
      await expectInSync(desk);
    },
  );

  test("of an octoDNS file", async () => {
    const octodns = lines`
      '':
        - { type: ALIAS, ttl: 61, value: target.other.example. }
        - { type: NS, values: [ns1.other.example., ns2.other.example.] }
        - { type: CAA, values: [{ flags: 128, tag: issue, value: ca.other.example }] }
      www: { type: MX, ttl: 61, values: [{ preference: 1000, exchange: mail.other.example. }] }
      _25._tcp: { type: TLSA, values: [{ certificate_usage: 3, selector: 1, matching_type: 1, certificate_association_data: "00" }] }
    `;
    const desk = await open({ "octodns/example.com.yaml": octodns });
    const { code, out } = await desk.run("import file octodns --report json");
    const ledger = entriesOf(out).map((one) => `${one.class} ${one.owner} ${one.ttl} ${one.type} ${one.rdata}`);
    expect([code, ledger]).toEqual([
      0,
      [
        "exact @ 61 ALIAS target.other.example.",
        "exact @ 3600 NS ns1.other.example.",
        "exact @ 3600 NS ns2.other.example.",
        'exact @ 3600 CAA 128 issue "ca.other.example"',
        "exact www 61 MX 1000 mail.other.example.",
        "exact _25._tcp 3600 TLSA 3 1 1 00",
      ],
    ]);
    await write(desk, "apply");
    expect(await stored(desk)).toEqual([
      '@ 0 CAA 128 issue "ca.other.example"',
      "@ 0 NS ns1.other.example.",
      "@ 0 NS ns2.other.example.",
      "@ 61 ALIAS target.other.example.",
      "_25._tcp 0 TLSA 3 1 1 00",
      "www 61 MX 1000 mail.other.example.",
    ]);
  });

  test.skipIf(isMissing("named"))("by the service: it transfers all of them from BIND", async () => {
    const master = `@ 3600 SOA ns1.old.example. hostmaster.example.com. 7 7200 3600 1209600 77
@ 3600 NS ns1.old.example.
@ 3600 NS ns2.old.example.
short 61 A 192.0.2.1
@ 61 MX 65535 mail.old.example.
text 61 TXT "two" "strings"
_443._tcp 61 TLSA 3 1 1 00
@ 61 CAA 128 issue "ca.old.example"
sub 61 NS ns1.old.example.
sub 61 DS 12345 13 2 49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC49FD46E6C4B45C55D4AC1234
odd 61 TYPE65280 \\# 3 0A0B0C
`;
    const bind = await useNameServer("bind", { zones: { "example.com.": master } });
    const isAllowed = allowAddresses([{ address: "127.0.0.0", prefix: 8 }]);
    const desk = await apiDesk({ "zonewright.yaml": config }, undefined, {
      records: "open",
      remote: createRemote({ isAllowed }),
    });
    const { code, out } = await desk.run(`import remote example.com --from 127.0.0.1:${bind.port} --report json`);
    const others = entriesOf(out).filter((one) => one.class !== "exact");
    expect([code, entriesOf(out).length, others.map((one) => `${one.class} ${one.type}`)]).toEqual([
      0,
      11,
      ["left-to-the-service SOA"],
    ]);
    await expectInSync(desk);
  });

  test("by a transfer: as the server transfers the domain", async () => {
    // Servers answer for ALIAS with addresses.
    const transferred = text.replaceAll(/^\S+ (?:\d+ )?ALIAS .*\n/gm, "");
    const desk = await open({ "zones/example.com.zone": transferred });
    await write(desk, "apply");
    const port = await serve(desk);
    const { code, out } = await desk.run(
      `import axfr example.com --from 127.0.0.1:${port} --zones transferred --report json`,
    );
    expect([code, unusual(out)]).toEqual([0, []]);
  });
});

test.each([
  ["open", "documented"],
  ["documented", "open"],
])("a snapshot with %s records is refused once they are %s", async (before, after) => {
  const desk = await apiDesk(
    {
      "zonewright.yaml": `api_records: ${before}\n`,
      "zones/a.test.yaml": "soa_email: a@example.net\nrecords: { www: { A: 192.0.2.1 } }\n",
    },
    undefined,
    {
      records: "open",
    },
  );
  expect((await desk.run("snapshot --out snapshot.json")).code).toBe(0);
  desk.write("zonewright.yaml", `api_records: ${after}\n`);
  for (const command of ["plan --against snapshot.json", "drift --snapshot snapshot.json"]) {
    const { code, out, talk } = await desk.run(command);
    expect([code, out, talk.split("\n").filter((line) => !line.startsWith("note") && line !== "")]).toEqual([
      3,
      "",
      [
        `error[snapshot-target] the snapshot has ${before} records, and the records of the target are ${after}`,
        "  Create a new one with `zonewright snapshot`.",
      ],
    ]);
  }
});

test("of two targets, only the one without open records is named in a finding about them", async () => {
  const desk = await targetDesk(["public", "office"], {
    "zonewright.yaml": "TARGETS\nzones: { path: zones, targets: [public, office] }\n",
    "zones/a.test.yaml": "soa_email: a@example.net\nttl_sec: 77\nrecords: { _443._tcp.www: { TLSA: 3 1 1 00 } }\n",
  });
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(/(office: .*?) }/, "$1, records: open }"));
  const { code, out } = await desk.run("validate");
  expect([code, out.split("\n").filter((line) => /^(?:error|note)/.test(line))]).toEqual([
    3,
    [
      "error[type-unsupported] _443._tcp.www TLSA: the API does not support records of this type (on public)",
      "note[ttl-rounded] a.test: ttl_sec 77 is stored as 300 (on public)  zones/a.test.yaml:2",
    ],
  ]);
});
