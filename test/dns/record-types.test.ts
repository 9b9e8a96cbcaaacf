import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pMap from "p-map";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { Problem } from "../../src/diagnostics/problem.ts";
import { type Name, root } from "../../src/dns/name/name.ts";
import type { RecordType } from "../../src/dns/rdata/record-type.ts";
import { findType, type KnownType, type RdataByType, recordTypes } from "../../src/dns/types/index.ts";
import { canonical, isType, rdataText, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { formats, readBind, readYaml } from "../formats/api.ts";
import { compileZone, unknownToBind } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";

interface Case {
  readonly kind: "OK" | "KO" | "STRICT" | "LENIENT";
  readonly comment: string;
  readonly rdata: string;
  readonly expected: string;
}

const atOnce = { concurrency: 8 };
const folder = resolve(import.meta.dirname, "../cases/records");
const types = recordTypes.map(({ type }) => type);

test("finds each record type by its mnemonic", () => {
  expect(types.map((type) => findType(type)?.type)).toEqual(types);
});

test("the compiler derives the RDATA from the record type", () => {
  expectTypeOf<ZoneRecord<"MX">["data"]["preference"]>().toEqualTypeOf<number>();
  expectTypeOf<ZoneRecord<"NSAP-PTR">["data"]["target"]>().toEqualTypeOf<Name>();
  expectTypeOf<ZoneRecord<"A" | "AAAA">["data"]["address"]>().toEqualTypeOf<string>();
  expectTypeOf<ZoneRecord<"TYPE65280">["data"]["octets"]>().toEqualTypeOf<string>();
  expectTypeOf<
    { [T in KnownType]: string extends keyof RdataByType[T] ? T : never }[KnownType]
  >().toEqualTypeOf<never>();
  expectTypeOf<ZoneRecord["data"]>().toEqualTypeOf<object>();
  const record: ZoneRecord = { owner: root, type: "MX", ttl: 5, data: { preference: 10, exchange: root } };
  expect(isType(record, "MX") && record.data.preference + 1).toBe(11);
  expect(isType(record, "TXT")).toBe(false);
});

test("the digests, mailboxes and letters of a type are facts of its fields", () => {
  const typesWith = (has: (field: RecordType["fields"][number]) => unknown) =>
    recordTypes.filter(({ fields }) => fields.some(has)).map(({ type }) => type);
  expect(typesWith(({ digestOf }) => digestOf)).toEqual([
    "CDS",
    "DLV",
    "DS",
    "SMIMEA",
    "SSHFP",
    "TA",
    "TLSA",
    "ZONEMD",
  ]);
  expect(typesWith(({ isMailbox }) => isMailbox)).toEqual(["MG", "MINFO", "MR", "RP", "SOA"]);
  expect(typesWith(({ letters }) => letters === "compared")).toEqual(["HIP"]);
  expect(typesWith(({ letters }) => letters === "shown")).toEqual(["CAA"]);
});

test("each record type has a page of cases", () => {
  expect(readdirSync(folder).sort()).toEqual(types.map((type) => `${type.toLowerCase()}.txt`).sort());
});

describe.each(types)("%s", (type) => {
  const cases = readCases(join(folder, `${type.toLowerCase()}.txt`));
  const good = cases.filter(({ kind }) => kind === "OK" || kind === "LENIENT");

  test("the page has valid and invalid lines", () => {
    expect(good).not.toEqual([]);
    expect(cases.length).toBeGreaterThan(good.length);
  });

  test.each(cases.map(titled))("%s", (_, { kind, rdata, expected }) => {
    const { zone, problems } = read(`@ 300 IN ${type} ${rdata}\n`);
    if (kind === "OK" || kind === "LENIENT") {
      expect(problems).toEqual([]);
      expect(zone.records.map(shownRdata)).toEqual([expected]);
    } else expect(problems.map(shown)).toEqual([expected]);
  });

  test("canonical text reads as itself", () => {
    const again = good.map(({ expected }) => read(`@ 300 IN ${type} ${expected}\n`).zone.records.map(shownRdata));
    expect(again).toEqual(good.map(({ expected }) => [expected]));
  });

  test("every format writes and reads valid records unchanged, with the case of names", () => {
    for (const { rdata } of good) {
      const { zone } = read(`@ 300 IN ${type} ${rdata}\n`);
      for (const { read, write, endings } of Object.values(formats)) {
        const bytes = Buffer.from(write(zone, {}));
        const again = read({ file: `example${endings[0]}`, bytes, origin: domainName("example.") });
        expect({
          rdata,
          said: again.problems,
          records: again.zone.records.map((record) => rdataText(record)),
        }).toEqual({
          rdata,
          said: [],
          records: zone.records.map((record) => rdataText(record)),
        });
      }
    }
  });

  test.each(good.map(titled))("YAML reads the same RDATA: %s", (_, { rdata, expected }) => {
    const bytes = Buffer.from(JSON.stringify({ records: { "@": { [type]: { rdata } } } }));
    const { zone, problems } = readYaml({ file: "example.yaml", bytes, origin: domainName("example.") });
    expect(problems).toEqual([]);
    expect(zone.records.map(shownRdata)).toEqual([expected]);
  });

  test.skipIf(isMissing("named-compilezone") || unknownToBind.includes(type))("named-compilezone agrees", async () => {
    const expected = cases.map(({ kind, expected }) => (kind === "OK" ? expected : kind === "LENIENT" ? "KO" : kind));
    expect(await judge(type, cases)).toEqual(expected);
  });
});

/** RDATA in canonical form; the tag of a CAA record has the letters of the file. */
function shownRdata(record: ZoneRecord): string {
  return record.type === "CAA" ? rdataText(record) : canonical(record);
}

function titled(given: Case): [string, Case] {
  return [`${given.kind} ${given.comment}`, given];
}

function read(text: string) {
  return readBind({ file: "example.zone", bytes: Buffer.from(text), origin: domainName("example.") });
}

/** The id of a problem; of a field that is missing also its name. */
function shown({ id: rule, summary }: Problem): string {
  return rule === "field-missing" ? `${rule} ${/ has no (\w+)$/.exec(summary)?.[1]}` : rule;
}

/**
 * For each case the canonical RDATA as BIND says it; KO where it refuses it, STRICT where it reads what is refused
 * here.
 */
async function judge(type: string, cases: readonly Case[]): Promise<(string | undefined)[]> {
  // Only one SOA record is allowed, and an open quote or parenthesis reaches beyond its line: these need a file each.
  const isAlone = ({ rdata }: Case) => type === "SOA" || /["()\\]|\$/.test(rdata);
  const together = cases.filter((given) => !isAlone(given));
  const found = new Map([
    ...(await judgeTogether(
      type,
      together.filter(({ kind }) => kind === "OK"),
    )),
    ...(await judgeTogether(
      type,
      together.filter(({ kind }) => kind !== "OK"),
    )),
  ]);
  const alone = await pMap(cases.filter(isAlone), async (given) => [...(await judgeTogether(type, [given]))], atOnce);
  for (const [given, answer] of alone.flat()) found.set(given, answer);
  return cases.map((given) => found.get(given));
}

/** One file, in which each case has an owner of its own. BIND names the line of each record that it refuses. */
async function judgeTogether(type: string, cases: readonly Case[]): Promise<Map<Case, string | undefined>> {
  const isSoa = type === "SOA";
  const head = [...(isSoa ? [] : ["@ 300 IN SOA ns.example.net. hostmaster 1 2 3 4 5"]), "@ 300 IN NS ns.example.net."];
  const owners = cases.map((_, index) => (isSoa ? "@" : `judged${index}`));
  const lines = [...head, ...cases.map(({ rdata }, index) => `${owners[index]} 300 IN ${type} ${rdata}`)];
  const { records, messages } = await compileZone("example.", Buffer.from(`${lines.join("\n")}\n`));
  // A warning, of a signature that has expired for example, begins with the file.
  const refused = new Set([...messages.matchAll(/^dns_\w+: .*?:(\d+): /gm)].map(([, line]) => Number(line)));
  return new Map(
    cases.map((given, index) => {
      if (given.kind !== "OK" && cases.length === 1) return [given, records === undefined ? "KO" : "STRICT"];
      if (given.kind !== "OK") return [given, refused.has(head.length + index + 1) ? "KO" : "STRICT"];
      const start = `${isSoa ? "" : `${owners[index]}.`}example. 300 IN ${type} `;
      const line = records?.split("\n").find((text) => text.startsWith(start));
      return [given, line?.slice(start.length)];
    }),
  );
}

/** A page: comments, and below each a line `OK rdata => canonical`, `KO rdata => rule`, or one of the others. */
function readCases(file: string): Case[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, kind, rdata = "", expected = ""] = /^(OK|KO|STRICT|LENIENT) (.*)=> (.*)$/.exec(line) ?? [];
    const comment = lines[index - 1] ?? "";
    if (!kind || !comment.startsWith("# ")) throw new Error(`${file}:${index + 1} is no case with a comment above`);
    return [{ kind: kind as Case["kind"], comment: comment.slice(2), rdata: rdata.trimEnd(), expected }];
  });
}
