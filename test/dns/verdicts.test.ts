import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pMap from "p-map";
import { afterAll, describe, expect, test } from "vitest";
import { canonical } from "../../src/dns/zone/zone.ts";
import { readBind } from "../formats/api.ts";
import { isMissing, type Judge } from "../judges.ts";
import { domainName } from "../names.ts";
import { runProgram } from "../run-program.ts";

/** A program that reads a zone file of `example.`, in the order of the page's columns. */
interface Program {
  readonly name: Judge;
  args(file: string): string[];
  /** Whether it has read every record, by its exit code and its messages. */
  reads(code: number, messages: string): boolean;
}

const programs: readonly Program[] = [
  {
    name: "named-compilezone",
    args: (file) => [..."-i none -k ignore -m ignore -n ignore -r ignore -o /dev/null example.".split(" "), file],
    reads: (code) => code === 0,
  },
  {
    name: "kzonecheck",
    args: (file) => ["-o", "example.", file],
    reads: (_, messages) => !messages.includes("failed to run"), // other findings are about records that it has read
  },
  {
    name: "nsd-checkzone",
    args: (file) => ["example.", file],
    reads: (code, messages) => code === 0 && !messages.includes("error"),
  },
  { name: "ldns-read-zone", args: (file) => [file], reads: (code) => code === 0 },
];

interface Line {
  readonly comment: string;
  readonly verdicts: string;
  readonly type: string;
  readonly rdata: string;
  readonly expected: string;
}

const lines = readLines(resolve(import.meta.dirname, "../cases/verdicts.txt"));
const folder = mkdtempSync(join(tmpdir(), "zonewright-verdicts-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(lines.map((line) => [`${line.type} ${line.rdata}`, line] as const))("%s", (_, line) => {
  const { type, rdata, expected } = line;
  const bytes = Buffer.from(`@ 300 IN ${type} ${rdata}\n`);
  const { zone, problems } = readBind({ file: "example.zone", bytes, origin: domainName("example.") });
  expect([...problems.map(({ id }) => id), ...zone.records.map(canonical)]).toEqual([expected]);
  const isRead = problems.length === 0;
  expect(isRead, "as most of them").toBe(isReadByMost(line) !== line.comment.includes("against"));
});

describe.each(programs.map((program, column) => [program.name, program, column] as const))(
  "%s",
  (name, program, column) => {
    test.skipIf(isMissing(name))("gives the verdicts of the page", async () => {
      const asked = lines.filter(({ verdicts }) => verdicts[column] !== ".");
      const given = await pMap(asked, (line, index) => judge(program, line, index), { concurrency: 4 });
      const shown = (line: Line, verdict: string | undefined) => `${verdict} ${line.type} ${line.rdata}`;
      expect(asked.map((line, index) => shown(line, given[index]))).toEqual(
        asked.map((line) => shown(line, line.verdicts[column])),
      );
    });
  },
);

function isReadByMost({ verdicts }: Line): boolean {
  const count = (verdict: string) => verdicts.split(verdict).length - 1;
  return count("+") === count("-") ? verdicts.startsWith("+") : count("+") > count("-");
}

async function judge({ name, args, reads }: Program, { type, rdata }: Line, index: number): Promise<string> {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const file = join(own, `${index}.zone`);
  const head = "$ORIGIN example.\n@ 300 IN SOA ns.example.net. hostmaster 1 2 3 4 5\n@ 300 IN NS ns.example.net.\n";
  writeFileSync(file, `${head}a 300 IN NS ns.example.net.\na 300 IN ${type} ${rdata}\n`);
  const { code, out, talk } = await runProgram([name, ...args(file)]);
  return reads(Number(code), out + talk) ? "+" : "-";
}

function readLines(file: string): Line[] {
  let comment = "";
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) comment = line;
      const [, verdicts, type = "", rdata = "", expected = ""] = /^([-+.]{4}) (\S+) (.*) => (.*)$/.exec(line) ?? [];
      return verdicts === undefined ? [] : { comment, verdicts, type, rdata, expected };
    });
}
