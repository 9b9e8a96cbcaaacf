// @suite nightly

import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { type ApiDesk, apiDesk, noon } from "../cli/run.ts";
import { everyTypeZone, type Line, masterText } from "../dns/every-type.ts";
import { transferZones } from "../dns/transfer/dig.ts";
import { binaries, type Program, programs } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { masterFile, readZone } from "../dns/transfer/zones.ts";
import { readBind, readYaml } from "../formats/api.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { isNightly, seed } from "../properties.ts";
import { compareWithLedger, type ReportedEntry } from "./transfer-oracle.ts";

const zones: ReadonlyMap<string, readonly Line[]> = new Map(
  Array.from({ length: 300 }, (_, index) => {
    const zone = `z${index}.test.`;
    const [lines = []] = fc.sample(everyTypeZone(zone), { numRuns: 1, seed: seed + index });
    return [zone, lines] as const;
  }),
);

/** The zones of a server: all in the nightly run, otherwise a third. */
function zonesOf(program: Program): ReadonlyMap<string, readonly Line[]> {
  const own = [...zones].filter((_, index) => isNightly || programs[index % programs.length] === program);
  return new Map(own.map(([zone, lines]) => [zone, program === "nsd" ? lines.map(withSmallTag) : lines]));
}

/** NSD refuses a zone with capital letters in the tag of a CAA record. */
function withSmallTag(line: Line): Line {
  return line.type === "CAA" ? { ...line, rdata: line.rdata.replace(/ \w+ /, (tag) => tag.toLowerCase()) } : line;
}

/** The format of the files that are made of the zones of a server. */
const formats = { bind: "yaml", knot: "bind", nsd: "yaml" } as const;

/** The types that the API stores, which dig shows in the syntax of the ledger. */
const stored = ["SOA", "A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SRV", "TXT"];

interface ReportedZone {
  readonly zone: string;
  readonly file: string;
  readonly ledger: { readonly entries: readonly ReportedEntry[] };
}

for (const program of programs)
  test.skipIf(isMissing(binaries[program], "dig"))(
    `zones with every type of ${program} become valid files, and are served less exactly what the ledger lists`,
    { timeout: 480_000 },
    async () => {
      const own = zonesOf(program);
      const names = [...own.keys()];
      const files = [...own].map(([zone, lines]) => {
        return [zone, masterFile(readZone(masterText(lines), zone.slice(0, -1)))] as const;
      });
      const server = await useNameServer(program, { zones: Object.fromEntries(files) });
      const transferred = await transferZones(server, names);
      const few = names.slice(0, 10);
      const desk = await apiDesk({ "zones.txt": names.join("\n"), "few.txt": few.join("\n") });
      const command = `import axfr --from 127.0.0.1:${server.port} --to ${formats[program]} --zones-file`;
      const { code, out, talk } = await desk.run(`${command} zones.txt --report json`);
      expect([code, talk.match(/^error.*/gm)]).toEqual([0, null]);
      expect((await desk.run("validate")).code).toBe(0);
      const applied = await desk.run("apply --yes --allow G09,G12,G19,G21");
      expect([applied.code, applied.talk.match(/^error.*/gm)]).toEqual([0, null]);
      const planned = await desk.run("plan --detailed-exitcode");
      expect([planned.code, planned.out]).toEqual([0, expect.stringContaining(`in sync: ${names.length} zones`)]);

      const served = await transferServed(desk, names);
      const { zones: imported } = JSON.parse(out) as { readonly zones: readonly ReportedZone[] };
      expect(imported.map(({ zone }) => `${zone}.`)).toEqual(names);
      const faults = imported.flatMap(({ zone: name, file, ledger: { entries } }) => {
        const zone = `${name}.`;
        const [before = "", after = ""] = [transferred.get(zone), served.get(zone)].map((text) => ofStored(text ?? ""));
        const ledger = entries.filter(({ type }) => stored.includes(type));
        const inFile = contentOf(desk, file, zone);
        const missing = entries.filter((entry) => entry.class === "unsupported" && !inFile.has(keyOf(zone, entry)));
        return [
          ...compareWithLedger(zone, { before, after, ledger }),
          ...missing.map((entry) => `unsupported, but not in the file: ${keyOf(zone, entry)}`),
        ].map((fault) => `${name}: ${fault}`);
      });
      expect(faults).toEqual([]);

      const entries = imported.flatMap(({ ledger }) => ledger.entries);
      const lost = entries.filter((entry) => entry.class === "lost");
      expect([...new Set(lost.map(({ type }) => type))].sort()).toEqual(ofSigning);
      const ofFew = imported.filter(({ zone }) => few.includes(`${zone}.`)).flatMap(({ ledger }) => ledger.entries);
      const unserved = ofFew.filter((entry) => ["lost", "unsupported"].includes(String(entry.class))).length;
      expect((await desk.run(`${command} few.txt --max-loss ${unserved}`)).code).toBe(0);
      expect((await desk.run(`${command} few.txt --max-loss ${unserved - 1}`)).code).toBe(3);
    },
  );

/** The generated types that a signer makes of a zone. */
const ofSigning = ["CDNSKEY", "CDS", "DNSKEY", "NSEC", "NSEC3PARAM", "RRSIG"];

/** The zones as dig transfers them from the service. */
async function transferServed({ store }: ApiDesk, zones: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const host = "127.0.0.1";
  const options = { host, port: 0, secondaries: [{ host, port: 9 }] };
  const service = await serveNames({ store, clock: () => noon }, options);
  onTestFinished(() => service.close());
  return transferZones({ host, port: service.port }, zones);
}

function ofStored(text: string): string {
  return text
    .split("\n")
    .filter((line) => stored.includes(line.split(/\s+/)[3] ?? ""))
    .join("\n");
}

/** The owner, type and data of the records of a file, in which a name has one spelling. */
function contentOf(desk: ApiDesk, file: string, zone: string): ReadonlySet<string> {
  const read = file.endsWith(".yaml") ? readYaml : readBind;
  const { records } = read({ file, bytes: Buffer.from(desk.read(file)), origin: domainName(zone) }).zone;
  return new Set(records.map((record) => `${nameKey(record.owner)} ${record.type} ${rdataText(record)}`));
}

function keyOf(zone: string, { owner, type, rdata }: ReportedEntry): string {
  return `${(owner === "@" ? zone : `${owner}.${zone}`).toLowerCase()} ${type} ${rdata}`;
}
