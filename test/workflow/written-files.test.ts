import dnsZonefile from "dns-zonefile";
import fc from "fast-check";
import { expect, test } from "vitest";
import { apiDesk, Desk } from "../cli/run.ts";
import { everyTypeZone, masterText } from "../dns/every-type.ts";
import { masterFile, readZone } from "../dns/transfer/zones.ts";
import { isNightly, samples, seed } from "../properties.ts";

/** Master files with absolute names, by their paths. */
const sources = Object.fromEntries(
  Array.from({ length: samples(isNightly ? 30 : 12).numRuns }, (_, index) => {
    const zone = `z${index}.test.`;
    const [lines = []] = fc.sample(everyTypeZone(zone), { numRuns: 1, seed: seed + index });
    return [`old/z${index}.test.zone`, masterText(lines)] as const;
  }),
);

interface Finding {
  readonly severity: string;
  readonly rule: string;
  readonly summary: string;
}

/** The errors of the zone files of a desk, in lower case: YAML files spell each owner once. */
async function errorsIn(desk: Desk): Promise<string[]> {
  const { out } = await desk.run("validate --report json");
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.flatMap(({ severity, rule, summary }) =>
    severity === "error" ? [`${rule} ${summary}`.toLowerCase()] : [],
  );
}

/** The zone files of a desk. */
function zonesOf(desk: Desk): Record<string, string> {
  return Object.fromEntries(Object.entries(desk.files()).filter(([file]) => file.startsWith("zones/")));
}

/** Zone files without errors: of the generated zones, with the exceptions that an import writes. */
async function imported(to: "yaml" | "bind"): Promise<Record<string, string>> {
  const known = importedFiles.get(to);
  if (known) return known;
  const desk = new Desk(sources);
  const { code, talk } = await desk.run(`import file old --to ${to}`);
  expect([code, talk.match(/^error.*/gm), await errorsIn(desk)]).toEqual([0, null, []]);
  const files = zonesOf(desk);
  importedFiles.set(to, files);
  return files;
}

const importedFiles = new Map<string, Record<string, string>>();

const forms = ["yaml", "bind"] as const;

test.each(forms)("import file writes %s without errors, and importing again changes nothing", async (to) => {
  const files = await imported(to);
  const again = new Desk({ ...sources, ...files });
  expect((await again.run(`import file old --to ${to}`)).code).toBe(0);
  expect(zonesOf(again)).toEqual(files);
});

test.each(forms)("fmt, fmt --sort and fmt --to write the files of an import from %s without errors", async (from) => {
  for (const command of ["fmt", "fmt --sort", `fmt --to ${from === "yaml" ? "bind" : "yaml"}`]) {
    const desk = new Desk(await imported(from));
    expect([command, (await desk.run(command)).code, await errorsIn(desk)]).toEqual([command, 0, []]);
  }
});

const served = `$TTL 1h
@ SOA ns1.example.net. hostmaster 1 7200 3600 1209600 600
@ NS ns1.example.net.
www.a.example.a.example. A 192.0.2.1
a.example.a.example. TXT x
d MX 10 192.0.2.1
192.0.2.1 A 192.0.2.2
dev NS ns.dev
mail MX 10 localhost.
`;

test.each(forms)("import file keeps records that break a rule and that the service stores, in %s", async (to) => {
  const desk = await apiDesk({ "old/a.example.zone": served });
  const { code, out, talk } = await desk.run(`import file old --to ${to} --report json`);
  expect([code, talk.match(/^error.*/gm)]).toEqual([0, null]);
  const [zone] = JSON.parse(out).zones;
  const classes = zone.ledger.entries.map((entry: { class: string }) => entry.class);
  expect(new Set(classes)).toEqual(new Set(["exact", "left-to-the-service"]));
  expect((await desk.run("validate")).code).toBe(0);
  expect((await desk.run("import file old --max-loss 0")).code).toBe(0);
  const applied = await desk.run("apply --yes");
  expect([applied.code, applied.talk.match(/^error.*/gm)]).toEqual([0, null]);
  expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
  expect((await desk.run(`import api --to ${to} --zones fresh`)).code).toBe(0);
  const lenient = (file: string) =>
    desk
      .read(file)
      .match(/lenient.*/g)
      ?.sort();
  const name = `a.example${to === "yaml" ? ".yaml" : ".zone"}`;
  expect(lenient(`fresh/${name}`)).toEqual(lenient(`zones/${name}`));
});

test.each(["*.test", "a\\.b.test", "a\\032b.test"])(
  "a zone that cannot be a domain is written with that error: %s",
  async (zone) => {
    const db = "$TTL 300\n@ SOA ns1.example.net. . 1 7200 3600 1209600 300\n@ NS ns1.example.net.\n";
    for (const to of forms) {
      const { code, talk } = await new Desk({ db }).run(["import", "file", "db", "--origin", zone, "--to", to]);
      expect([code, talk.match(/^error\[[a-z-]+\]/gm)]).toEqual([0, ["error[domain-name]"]]);
    }
  },
);

test.each(forms)("fmt leaves an empty record as import writes it, in %s", async (to) => {
  const db =
    "$TTL 300\n@ SOA ns1.example.net. hostmaster 1 7200 3600 1209600 300\n@ NS ns1.example.net.\na APL\nb CNAME a\n";
  const desk = new Desk({ "old/a.example.zone": db });
  expect((await desk.run(`import file old --to ${to}`)).code).toBe(0);
  expect((await desk.run("fmt --check")).code).toBe(0);
});

test("fmt of files with errors keeps exactly these, whatever the author's spelling", async () => {
  const zones = Object.entries(sources).map(([file, text]) => {
    const name = /\/(.*)\.zone$/.exec(file)?.[1] ?? "";
    return [file.replace("old", "zones"), masterFile(readZone(text, name))] as const;
  });
  const files = { ...Object.fromEntries(zones), "zones/a.example.zone": mistaken };
  const before = (await errorsIn(new Desk(files))).sort();
  expect(before.length).toBeGreaterThan(dotless.length);
  for (const command of ["fmt", "fmt --sort", "fmt --to yaml", "fmt --to bind --sort"]) {
    const desk = new Desk(files);
    expect([command, (await desk.run(command)).code]).toEqual([command, 0]);
    expect([command, (await errorsIn(desk)).sort()]).toEqual([command, before]);
  }
});

/** Targets that lack their final dot, beside the same names with it. */
const dotless = [
  "www CNAME host.example.net",
  "other CNAME host.example.net.a.example.",
  "@ MX 10 mail.example.net",
  "@ MX 20 mail.a.example",
  "_s._tcp SRV 1 2 3 sip.example.net",
  "dev NS ns1.example.net",
  "p PTR host.example.net",
];
const mistaken = `$TTL 1h
@ SOA ns1.example.net hostmaster 1 7200 3600 1209600 600
@ NS ns1.example.net.
host.sub A 192.0.2.1
fine CNAME host.sub
${dotless.join("\n")}
`;

/** The targets that a command reports as lacking their final dot. */
function dotlessIn(talk: string): string[] {
  return [...talk.matchAll(/target-needs-dot\] "(.*?)"/g)].map(([, target = ""]) => target).sort();
}

const dotlessTargets = [
  ...["host.example.net", "host.example.net", "mail.a.example", "mail.example.net"],
  ...["ns1.example.net", "ns1.example.net", "sip.example.net"],
];

test.each(["fmt --to yaml", "fmt --sort", "init old --format yaml --yes", "init old --format bind --yes"])(
  "%s keeps a missing final dot, which validate then reports",
  async (command) => {
    const folder = command.startsWith("fmt") ? "zones" : "old";
    const desk = new Desk({ [`${folder}/a.example.zone`]: mistaken });
    expect((await desk.run(command)).code).toBe(0);
    const { out } = await desk.run("validate");
    expect(dotlessIn(out)).toEqual(dotlessTargets);
  },
);

test.each(["yaml", "bind", "dns-zonefile"])("export --to %s keeps a missing final dot", async (to) => {
  const desk = new Desk({ "zones/a.example.zone": mistaken });
  const { talk } = await desk.run(`export --to ${to} --out ${to}`);
  expect(dotlessIn(talk)).toEqual(dotlessTargets);
  const [exported = ""] = Object.keys(desk.files()).filter((file) => file.startsWith(`${to}/`));
  const imported = await desk.run(["import", "file", exported, "--zones", "fresh"]);
  const isWithSoa = to !== "yaml" || desk.read(exported).includes("SOA");
  const left = isWithSoa ? dotlessTargets : dotlessTargets.toSpliced(dotlessTargets.indexOf("ns1.example.net"), 1);
  expect([exported, dotlessIn(imported.talk)]).toEqual([exported, left]);
});

const namedConf = 'options { directory "/var/named"; };\nzone "a.example" { type master; file "a.example.zone"; };\n';

test.each([
  ["etc/named.conf", namedConf],
  ["etc/knot.conf", "zone:\n  - domain: a.example\n    file: a.example.zone\n"],
  ["etc/nsd.conf", "zone:\n  name: a.example\n  zonefile: a.example.zone\n"],
])("import file %s reports what only the text of a zone file shows", async (file, text) => {
  const slips = `${mistaken}t TXT v=spf1 mx -all\n#old A 192.0.2.1\n`;
  const desk = new Desk({ [file]: text, "etc/a.example.zone": slips });
  const alone = new Desk({ "etc/a.example.zone": slips });
  const rules = (talk: string) => talk.match(/^warning\[.*/gm)?.sort();
  const { talk } = await desk.run(`import file ${file}`);
  expect(dotlessIn(talk)).toEqual(dotlessTargets);
  expect(rules(talk)).toEqual(rules((await alone.run("import file etc/a.example.zone")).talk));
  expect(talk).toContain("warning[text-unquoted]");
  expect(talk).toContain("warning[hash-owner]");
});

test.each(["fmt --to yaml", "fmt --sort", "init old --format yaml --yes"])(
  "%s reports the texts that only the master file shows to lack their quotes",
  async (command) => {
    const folder = command.startsWith("fmt") ? "zones" : "old";
    const desk = new Desk({
      [`${folder}/a.example.zone`]: mistaken.replace(/(?<=600\n).*/s, "t TXT v=spf1 mx -all\n"),
    });
    const { code, talk } = await desk.run(command);
    expect([code, talk]).toEqual([0, expect.stringContaining("warning[text-unquoted] t TXT")]);
  },
);

/** Lowers what forms without `lenient` and settings cannot excuse. */
const lowered = `defaults: { soa_email: a@example.com }\nrules: { api: warning, target-is-address: warning, target-one-label: warning, zone-name-twice: warning }\n`;

test.each(forms)("export writes every form of the files of an import from %s without errors", async (from) => {
  const desk = new Desk(await imported(from));
  for (const to of ["yaml", "bind", "octodns", "dns-zonefile", "records"]) {
    const { code, talk } = await desk.run(`export --to ${to} --out ${to}`);
    const isLossy = to === "octodns" || to === "dns-zonefile"; // they have few types
    expect([to, code, talk.match(/^error.*/gm)]).toEqual([to, isLossy ? 5 : 0, null]);
    const exported = Object.entries(desk.files()).filter(([file]) => file.startsWith(`${to}/`));
    const asZones = exported.map(([file, text]) => {
      if (to === "dns-zonefile") return [file.replace(".json", ".zone"), dnsZonefile.generate(JSON.parse(text))];
      return [file.replace(".records", ".zone"), text];
    });
    const zones = to === "octodns" ? "zones: { path: octodns, format: octodns }\n" : `zones: ${to}\n`;
    const lenient = to === "yaml" || to === "bind" ? "" : lowered;
    const other = new Desk({ ...Object.fromEntries(asZones), "zonewright.yaml": zones + lenient });
    expect([to, await errorsIn(other)]).toEqual([to, []]);
  }
});

test.each(forms)("import api writes %s without errors, also where the targets of records are deleted", async (to) => {
  const desk = await apiDesk(await imported(to));
  const applied = await desk.run("apply --yes --allow G09,G12,G19,G21");
  expect([applied.code, applied.talk.match(/^error.*/gm)]).toEqual([0, null]);
  const fresh = `import api --to ${to} --zones fresh`;
  expect((await desk.run(fresh)).code).toBe(0);
  expect((await desk.run("validate --zones fresh")).code).toBe(0);

  const { data: domains } = await desk.call("GET", "/domains?page_size=500");
  for (const { id } of domains) {
    const { data: records } = await desk.call("GET", `/domains/${id}/records?page_size=500`);
    for (const record of records)
      if (record.type === "A") await desk.call("DELETE", `/domains/${id}/records/${record.id}`);
  }
  for (const zones of ["zones", "fresh"]) {
    const { code, talk } = await desk.run(`import api --yes --zones ${zones}`);
    expect([zones, code, talk.match(/^error.*/gm)]).toEqual([zones, 0, null]);
    expect([zones, (await desk.run(`validate --zones ${zones}`)).code]).toEqual([zones, 0]);
    const { out } = await desk.run(`plan --zones ${zones}`);
    expect(out).toContain(`in sync: ${domains.length} zones`);
  }
});
