import fc from "fast-check";
import { expect, test } from "vitest";
import { Fault } from "../../src/dns/name/fault.ts";
import type { AxfrZone } from "../../src/dns/transfer/axfr-receiver.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { axfrSource } from "../../src/workflow/import/axfr.ts";
import { type LedgerEntry, ledgerClasses } from "../../src/workflow/import/ledger.ts";
import { importInto } from "../../src/workflow/import/zones.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { type ApiDesk, apiDesk } from "../cli/run.ts";
import { goodData, readZone } from "../dns/transfer/zones.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { samples, seed } from "../properties.ts";
import { contextOf } from "./import-context.ts";
import { compareWithLedger } from "./transfer-oracle.ts";

/** A record of a transfer: its owner below the zone or `@`, and its RDATA with absolute names in canonical syntax. */
interface Row {
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly rdata: string;
  /** Whether the transfer has it as a record with invalid data. */
  readonly isUnread?: true;
}

/** Every record type with each of its valid forms, and types without a mnemonic. */
const everyType = [
  ...goodData(["soa"]).map(({ owner, type, canonical: rdata }) => ({ owner, type, rdata })),
  { owner: "type-1", type: "TYPE65280", rdata: "\\# 3 010203" },
  { owner: "type-2", type: "TYPE65281", rdata: "\\# 0" },
].filter(({ owner, type }) => type !== "ALIAS" || owner === "alias-0");

const long = "x".repeat(255);

/** Rows that exceed a limit of the service, or that it stores in another form. */
const odd = `
many        A     192.0.2.1
many        A     192.0.2.2
MANY        A     192.0.2.3
many        AAAA  2001:db8::1
Letters     A     192.0.2.1
letters     MX    10 MAIL.Example.NET.
mail        MX    255 mail.example.net.
mail        MX    256 mail.example.net.
mail        MX    65535 mail.example.org.
mail        MX    10 mail.
_s._tcp     SRV   300 1 1 mail.example.net.
_s._tcp     SRV   1 1 1 mail.example.net.
_s._tcp     SRV   1 1 1 mail.
${"a".repeat(60)}.${"b".repeat(60)} A 192.0.2.1
*           NS    ns.example.net.
sub         NS    ns.example.net.
sub         DS    1 13 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A
@           NS    ns.example.net.
@           NS    NS.Example.org.
@           CNAME www.example.net.
@           A     192.0.2.1
@           MX    10 mail.example.net.
@           TXT   "v=spf1 -all"
*           A     192.0.2.1
a.*.b       A     192.0.2.1
alias       CNAME www.example.net.
alias       A     192.0.2.1
alias       CNAME www.example.org.
caa         CAA   128 issue "ca.example.net"
caa         CAA   0 issue "ca.example.net"
caa         CAA   0 ISSUE "ca.example.org"
caa         CAA   0 contactemail "a@example.net"
caa         CAA   0 issue "a b"
text        TXT   "one" "two"
text        TXT   "onetwo"
text        TXT   "${long}" "${long}"
text        TXT   "${long}" "y"
text        TXT   ""
text        TXT   "\\255"
text        TXT   "\\000"
text        SPF   "v=spf1 -all"
b\\226\\252  A     192.0.2.1
under_score A     192.0.2.1
a\\.b        A     192.0.2.1
@           DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
@           NSEC  many.example.org. A NS
ptr         PTR   .
ptr         PTR   www.example.net.
`
  .trim()
  .split("\n")
  .map((line) => {
    const [, owner = "", type = "", rdata = ""] = /^(\S+) +(\S+) +(.*)$/.exec(line) ?? [];
    return { owner, type, rdata };
  });

const invalid = [
  { owner: "unread", type: "DS", rdata: "\\# 5 00010D02FF", isUnread: true as const },
  { owner: "@", type: "LOC", rdata: "\\# 16 01000000000000000000000000000000", isUnread: true as const },
];

const ttl = fc.constantFrom(0, 1, 60, 300, 301, 3599, 3600, 5400, 86400, 2147483647);
const common = fc.constantFrom(3600, 300);
const row: fc.Arbitrary<Row> = fc
  .oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...everyType), common) },
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...odd), fc.oneof(ttl, common)) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...invalid), ttl) },
  )
  .map(([row, ttl]) => ({ ...row, ttl }));

const rows = fc.array(row, { minLength: 5, maxLength: 40 });

/** A zone with these rows behind its SOA record. */
function transferOf(zone: string, rows: readonly Row[]): AxfrZone {
  return {
    records: rows
      .filter(({ isUnread }) => !isUnread)
      .flatMap((row) => readZone(`${lineOf(zone, row)}\n`, zone).records),
    unread: rows
      .filter(({ isUnread }) => isUnread)
      .map(({ owner, ...row }) => ({
        ...row,
        class: 1,
        owner: domainName(absolute(zone, owner)),
        fault: new Fault("rdata-length", "a field has the wrong length"),
      })),
  };
}

const apex: readonly Row[] = [
  {
    owner: "@",
    ttl: 3600,
    type: "SOA",
    rdata: "ns.example.net. hostmaster.example.net. 7 14400 3600 1209600 300",
  },
  { owner: "@", ttl: 3600, type: "NS", rdata: "ns.example.org." },
];

function absolute(zone: string, owner: string): string {
  return owner === "@" ? `${zone}.` : `${owner}.${zone}.`;
}

function lineOf(zone: string, { owner, ttl, type, rdata }: Omit<Row, "isUnread">): string {
  return `${absolute(zone, owner)} ${ttl} IN ${type} ${rdata}`;
}

/** The records that the API has of a zone, and SOA and NS records of the service, as lines of a zone file. */
async function storedLines({ call }: ApiDesk, zone: string): Promise<string[]> {
  const { data: domains } = await call("GET", "/domains?page_size=500");
  const domain = domains.find((one: { domain: string }) => one.domain === zone);
  const { data: records } = await call("GET", `/domains/${domain.id}/records?page_size=500`);
  const lines = records.map(({ name, type, ttl_sec, target, priority, weight, port, tag }: StoredRecord) => {
    const host = `${target}.`;
    const rdata = {
      MX: `${priority} ${host}`,
      SRV: `${priority} ${weight} ${port} ${host}`,
      CAA: `0 ${tag} "${target}"`,
    };
    const hosts = ["CNAME", "NS", "PTR"].includes(type) ? host : target;
    const data = type === "TXT" ? stringsOf(target) : (rdata[type as keyof typeof rdata] ?? hosts);
    return `${absolute(zone, name || "@")} ${ttl_sec || domain.ttl_sec || 86400} IN ${type} ${data}`;
  });
  return [`${zone}. 86400 IN SOA of the service`, `${zone}. 86400 IN NS of the service`, ...lines];
}

interface StoredRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl_sec: number;
  readonly target: string;
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly tag: string;
}

/** A text as strings of 255 octets, each octet escaped. */
function stringsOf(text: string): string {
  const octets = [...Buffer.from(text)].map((octet) => `\\${String(octet).padStart(3, "0")}`);
  const count = Math.max(1, Math.ceil(octets.length / 255));
  const strings = Array.from({ length: count }, (_, index) => octets.slice(index * 255, (index + 1) * 255));
  return strings.map((octets) => `"${octets.join("")}"`).join(" ");
}

/** The records of a file that an import wrote. */
function fileLines(desk: ApiDesk, file: string, zone: string): string[] {
  const read = readBind({ file, bytes: Buffer.from(desk.read(file)), origin: domainName(`${zone}.`) });
  return read.zone.records.map((record) => `${record.owner} ${record.type} ${rdataText(record)}`);
}

/** Deletes the records that an error of a plan names, as its advice says. */
function deleteLines(desk: ApiDesk, file: string, entries: readonly LedgerEntry[]): void {
  const lost = new Set(
    entries.flatMap(({ class: kind, written }) => (kind === "lost" && written ? [written.line] : [])),
  );
  const lines = desk.read(file).split("\n");
  desk.write(file, lines.filter((_, index) => !lost.has(index + 1)).join("\n"));
}

const lists = fc.sample(rows, { ...samples(90), seed });
/** All types, and all odd records, once. */
const zones = new Map<string, readonly Row[]>(
  [everyType.map((row) => ({ ...row, ttl: 3600 })), odd.map((row) => ({ ...row, ttl: 300 })), ...lists].map(
    (list, index) => [`zone${index}.example`, [...apex, ...list]] as const,
  ),
);

test("the classes of the ledger together are the transfer, and they are what apply and the file make of it", async () => {
  const desk = await apiDesk();
  const context = contextOf(desk);
  const source = axfrSource(
    {
      zones: [...zones.keys()].map((zone) => domainName(`${zone}.`)),
      servers: [{ host: "192.0.2.53", port: 53 }],
      jobs: 1,
      perServer: 1,
    },
    async ({ zone }) => transferOf(zone.slice(0, -1), zones.get(zone.slice(0, -1)) ?? []),
  );
  const ledgers = new Map<string, readonly LedgerEntry[]>();
  const project = openProject(context, { config: "zonewright.yaml" });
  const options = { source, to: "bind", isRestart: false, command: "" } as const;
  for await (const result of importInto(context, project, options, { confirm: async () => true })) {
    if (result.state === "failed") expect.fail(JSON.stringify(result));
    const zone = result.name.slice(0, -1);
    const { entries } = result.ledger;
    ledgers.set(zone, entries);
    const sent = zones.get(zone) ?? [];
    expect(entries.map((entry) => lineOf(zone, entry)).sort()).toEqual(sent.map((row) => lineOf(zone, row)).sort());
    expect(entries.filter((entry) => (entry.class === "exact") === (entry.reason !== undefined))).toEqual([]);
    const inFile = new Set(fileLines(desk, result.file, zone));
    const kept = entries.filter((entry) => entry.class === "unsupported");
    const keyOf = ({ owner, type, rdata }: LedgerEntry) => `${absolute(zone, owner)} ${type} ${rdata}`;
    expect(kept.filter((entry) => !inFile.has(keyOf(entry)))).toEqual([]);
    deleteLines(desk, result.file, entries);
  }
  expect([...ledgers.keys()]).toEqual([...zones.keys()]);
  const classes = new Set([...ledgers.values()].flat().map((entry) => entry.class));
  expect(ledgerClasses.filter((one) => !classes.has(one))).toEqual([]);
  const applied = await desk.run("apply --yes --allow G09,G12,G19,G21");
  expect([applied.code, applied.talk.match(/^error.*/gm)]).toEqual([0, null]);
  const faults: string[] = [];
  for (const [zone, entries] of ledgers) {
    const before = (zones.get(zone) ?? []).map((row) => lineOf(zone, row)).join("\n");
    const after = (await storedLines(desk, zone)).join("\n");
    // A record that is sent twice with the same TTL is stored once.
    const once = new Map(entries.toReversed().map((entry) => [lineOf(zone, entry), entry]));
    faults.push(...compareWithLedger(`${zone}.`, { before, after, ledger: [...once.values()] }));
  }
  expect(faults).toEqual([]);
});
