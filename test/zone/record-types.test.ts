import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pMap from "p-map";
import { describe, expect, test } from "vitest";
import { readBind } from "../../src/sources/bind/read.ts";
import { formats } from "../../src/sources/formats.ts";
import { readYaml } from "../../src/sources/yaml/read.ts";
import { recordTypes } from "../../src/zone/types/index.ts";
import { canonical, rdataText } from "../../src/zone/zone.ts";
import { isMissing } from "../judges.ts";
import { compileZone } from "../sources/named.ts";

interface Case {
  readonly kind: "OK" | "KO" | "STRICT";
  readonly comment: string;
  readonly rdata: string;
  readonly expected: string;
}

const atOnce = { concurrency: 8 };
const folder = resolve(import.meta.dirname, "../cases/records");
const types = recordTypes.map(({ type }) => type);
/** Types that the BIND of Debian 12 (9.18) does not know: their pages are judged by hand from IANA's templates; ALIAS is no type of DNS. */
const unknownToBind = ["ALIAS", "CLA", "IPN"];

test("each record type has a page of cases", () => {
  expect(readdirSync(folder).sort()).toEqual(types.map((type) => `${type.toLowerCase()}.txt`).sort());
});

describe.each(types)("%s", (type) => {
  const cases = readCases(join(folder, `${type.toLowerCase()}.txt`));
  const good = cases.filter(({ kind }) => kind === "OK");

  test("the page has lines that are read and lines that are refused", () => {
    expect(good).not.toEqual([]);
    expect(cases.length).toBeGreaterThan(good.length);
  });

  test.each(cases.map(titled))("%s", (_, { kind, rdata, expected }) => {
    const { zone, diagnostics } = read(`@ 300 IN ${type} ${rdata}\n`);
    if (kind === "OK") {
      expect(diagnostics).toEqual([]);
      expect(zone.records.map(canonical)).toEqual([expected]);
    } else expect(diagnostics.map(({ rule }) => rule)).toEqual([expected]);
  });

  test("what is canonical reads as itself", () => {
    const again = good.map(({ expected }) => read(`@ 300 IN ${type} ${expected}\n`).zone.records.map(canonical));
    expect(again).toEqual(good.map(({ expected }) => [expected]));
  });

  test("what is good is written in every format, names in their letter case, and read again as it was", () => {
    for (const { rdata } of good) {
      const { zone } = read(`@ 300 IN ${type} ${rdata}\n`);
      for (const { read, write, endings } of Object.values(formats)) {
        const bytes = Buffer.from(write(zone, {}));
        const again = read({ file: `example${endings[0]}`, bytes, origin: "example." });
        expect({
          rdata,
          said: again.diagnostics,
          records: again.zone.records.map((record) => rdataText(record)),
        }).toEqual({
          rdata,
          said: [],
          records: zone.records.map((record) => rdataText(record)),
        });
      }
    }
  });

  test.each(good.map(titled))("YAML takes the same RDATA: %s", (_, { rdata, expected }) => {
    const bytes = Buffer.from(JSON.stringify({ records: { "@": { [type]: { rdata } } } }));
    const { zone, diagnostics } = readYaml({ file: "example.yaml", bytes, origin: "example." });
    expect(diagnostics).toEqual([]);
    expect(zone.records.map(canonical)).toEqual([expected]);
  });

  test.skipIf(isMissing("named-compilezone") || unknownToBind.includes(type))(
    "named-compilezone judges the same",
    async () => {
      const judged = await pMap(cases, async (given) => ({ ...given, expected: await judge(type, given) }), atOnce);
      expect(judged).toEqual(cases.map((given) => (given.kind === "OK" ? given : { ...given, expected: given.kind })));
    },
  );
});

function titled(given: Case): [string, Case] {
  return [`${given.kind} ${given.comment}`, given];
}

function read(text: string) {
  return readBind({ file: "example.zone", bytes: Buffer.from(text), origin: "example." });
}

/** The canonical RDATA as BIND says it; KO where it refuses it, STRICT where it reads what is refused here. */
async function judge(type: string, { kind, rdata }: Case): Promise<string | undefined> {
  const soa = type === "SOA" ? "" : "@ 300 IN SOA ns.example.net. hostmaster 1 2 3 4 5\n";
  const owner = type === "SOA" ? "@" : "judged";
  const text = `${soa}@ 300 IN NS ns.example.net.\n${owner} 300 IN ${type} ${rdata}\n`;
  const { records } = await compileZone("example.", Buffer.from(text));
  if (kind !== "OK") return records === undefined ? "KO" : "STRICT";
  const start = `${owner === "@" ? "" : `${owner}.`}example. 300 IN ${type} `;
  return records
    ?.split("\n")
    .find((line) => line.startsWith(start))
    ?.slice(start.length);
}

/** A page: comments, and below each a line `OK rdata => canonical`, `KO rdata => rule` or `STRICT rdata => rule`. */
function readCases(file: string): Case[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("#")) return [];
    const [, kind, rdata = "", expected = ""] = /^(OK|KO|STRICT) (.*)=> (.*)$/.exec(line) ?? [];
    const comment = lines[index - 1] ?? "";
    if (!kind || !comment.startsWith("# ")) throw new Error(`${file}:${index + 1} is no case with a comment above`);
    return [{ kind: kind as Case["kind"], comment: comment.slice(2), rdata: rdata.trimEnd(), expected }];
  });
}
