import { expect, test } from "vitest";
import { apiDesk } from "./run.ts";

const soa = "@ SOA ns1.old.test. hostmaster 7 2h 1h 2w 5m\n@ NS ns1.old.test.\n";

/** Records that DNS has and the API cannot store, some of a type that it stores elsewhere. */
const text = `$TTL 1h
${soa}printer           A    192.0.2.1
_ipp._tcp         PTR  printer._ipp._tcp
printer._ipp._tcp SRV  0 0 631 printer
printer._ipp._tcp TXT  "txtvers=1"
_ldap._tcp.dc     SRV  0 0 389 printer
x.*.y             A    192.0.2.2
_kerberos._tcp.*  SRV  0 0 88 printer
@                 MX   10 mx.
far               MX   300 printer
`;

test.each(["yaml", "bind"])(
  "what the API cannot store stays in the %s file, and plan counts and names it",
  async (to) => {
    const desk = await apiDesk({ "old/a.example.zone": text });
    const { code, out, talk } = await desk.run(`import file old --to ${to} --max-loss 4`);
    expect([code, talk.match(/^error.*/gm), out.match(/^(?:wrote| ).*/gm)]).toEqual([
      0,
      null,
      [
        `wrote zones/a.example.${to === "bind" ? "zone" : "yaml"}: 11 records (5 exact, 2 left to the service, 4 unsupported)`,
        "  unsupported printer._ipp._tcp SRV 0 0 631 printer.a.example.: is not at a _service._protocol name [srv-owner]",
        '  unsupported x.*.y A 192.0.2.2: x.*.y has a "*" that is not its whole first label [wildcard-first]',
        '  unsupported _kerberos._tcp.* SRV 0 0 88 printer.a.example.: _kerberos._tcp.* has a "*" that is not its whole first label [wildcard-first]',
        "  unsupported far MX 300 printer.a.example.: has priority 300; the limit is 255 [priority-range]",
      ],
    ]);
    expect(await desk.run(`import file old --to ${to} --max-loss 3`)).toMatchObject({
      code: 3,
      talk: "the service will not answer with 4 records (4 unsupported, 0 lost), more than --max-loss 3\n",
    });
    expect((await desk.run("validate")).code).toBe(0);
    const { out: planned } = await desk.run("plan");
    expect(planned.match(/^warning .*(?=, and is not sent)/gm)).toEqual([
      'warning  _kerberos._tcp.* has a "*" that is not its whole first label',
      "warning  printer._ipp._tcp SRV is not at a _service._protocol name",
      "warning  far MX has priority 300; the limit is 255",
      'warning  x.*.y has a "*" that is not its whole first label',
    ]);
    expect((await desk.run("apply --yes")).code).toBe(0);
    expect(await desk.run("plan --detailed-exitcode")).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^4 unsupported records not sent: (?:\S+ [A-Z]+,\s+){3}\S+ [A-Z]+\nin sync: 1 zone, nothing to do\n$/,
      ),
    });
    const { data } = await desk.call("GET", "/domains/1/records");
    const stored = data.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`).sort();
    expect(stored).toEqual([" MX", "_ipp._tcp PTR", "_ldap._tcp.dc SRV", "printer A", "printer._ipp._tcp TXT"]);
  },
);

test("a target that is a top-level domain is lowered by an import, and sent", async () => {
  const desk = await apiDesk({ "old/a.example.zone": `$TTL 1h\n${soa}@ MX 10 mx.\nwww CNAME localhost.\n` });
  const { out } = await desk.run("import file old");
  expect(out).toContain("4 records (2 exact, 2 left to the service)");
  expect(desk.read("zones/a.example.yaml").match(/lenient: .*/g)).toEqual([
    "lenient: [target-one-label]",
    "lenient: [target-one-label]",
  ]);
  expect((await desk.run("apply --yes")).code).toBe(0);
  const { data } = await desk.call("GET", "/domains/1/records");
  expect(data.map(({ target }: { target: string }) => target).sort()).toEqual(["localhost", "mx"]);
});

test("at its name an SRV limit can be lowered, and faults of DNS cannot", async () => {
  const zone = (lenient: string, records: string) =>
    `soa_email: a@a.example\nrecords:\n  x: { lenient: [${lenient}], ${records} }\n`;
  const desk = await apiDesk({ "zones/a.example.yaml": zone("srv-owner", "SRV: 0 0 1 b.example.net.") });
  expect((await desk.run("validate")).code).toBe(0);
  desk.write("zones/a.example.yaml", zone("cname-alone", "CNAME: b.example.net., A: 192.0.2.1"));
  const { code, out } = await desk.run("validate");
  expect([code, out.match(/^error.*/gm)]).toEqual([
    3,
    ["error[lenient-rule] cname-alone cannot be lowered: the API rejects such zones"],
  ]);
});

const octodns = "zones: [{ path: zones, format: octodns }]\ndefaults: { soa_email: a@a.example }\n";

test.each<[string, Record<string, string>, (advised: string) => Record<string, string>]>([
  [
    "`lenient: [srv-owner]` at its name",
    { "zones/a.example.yaml": "soa_email: a@a.example\nrecords: { x: { SRV: 0 0 1 b.example.net. } }\n" },
    (advised) => ({
      "zones/a.example.yaml": `soa_email: a@a.example\nrecords: { x: { ${advised}, SRV: 0 0 1 b.example.net. } }\n`,
    }),
  ],
  [
    "the line `;@ lenient x: srv-owner`",
    { "zones/a.example.zone": `$TTL 1h\n${soa}x SRV 0 0 1 b.example.net.\n` },
    (advised) => ({ "zones/a.example.zone": `${advised}\n$TTL 1h\n${soa}x SRV 0 0 1 b.example.net.\n` }),
  ],
  [
    "`rules: { srv-owner: warning }` in zonewright.yaml",
    {
      "zonewright.yaml": octodns,
      "zones/a.example.yaml": "x: { type: SRV, value: { priority: 0, weight: 0, port: 1, target: b.example.net. } }\n",
    },
    (advised) => ({ "zonewright.yaml": `${octodns}${advised}\n` }),
  ],
])("a limit can be lowered by %s as advised", async (phrase, files, fixed) => {
  const desk = await apiDesk(files);
  const { code, out } = await desk.run("validate");
  expect([code, out]).toEqual([3, expect.stringContaining(`keep it in the file with ${phrase}:`)]);
  const [, advised = ""] = /`(.*)`/.exec(phrase) ?? [];
  for (const [file, text] of Object.entries(fixed(advised))) desk.write(file, text);
  expect((await desk.run("validate")).code).toBe(0);
});
