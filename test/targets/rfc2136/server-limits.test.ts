import { expect, onTestFinished, test } from "vitest";
import { adviceText } from "../../../src/diagnostics/advice.ts";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { formats } from "../../formats/api.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { type Configuration, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { sleep, updateKey } from "./desk.ts";

const name = domainName(zoneOfNumber(0));
const many = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => `big 300 TXT ${`${at}`.padEnd(characters, "x")}\n`).join("");

/** Adds records in one update; the error, or the number of records that the zone then has more. */
async function add(configuration: Configuration, text: string): Promise<string | number> {
  const server = await startUpdateServer(configuration, 1);
  onTestFinished(server.stop);
  await server.untilServed(name);
  const at = { host: "127.0.0.1", port: server.port };
  const { read, writes } = rfc2136Target({ server: at, key: updateKey, zones: () => [name], now: Date.now, sleep });
  const [head] = await read.listZones();
  if (head === undefined) throw new Error("the zone is not served");
  const before = (await read.readRecords(head)).length;
  const { zone } = formats.bind.read({ file: "z", bytes: Buffer.from(text), origin: name });
  const changes = zone.records.map((after) => ({ kind: "create" as const, after }));
  const error = await writes.changeRecords?.(head, changes).then(
    () => undefined,
    (reason: unknown) => {
      if (!(reason instanceof ProblemError)) throw reason;
      const [{ summary, fix = "" } = { summary: "" }] = reason.problems;
      return `${adviceText(summary, "cli")} · ${adviceText(fix, "cli")}`.replace(String(server.port), "PORT");
    },
  );
  const added = (await read.readRecords(head)).length - before;
  expect(error === undefined || added === 0, "an update takes effect as a whole or not at all").toBe(true);
  return error ?? added;
}

const servfail = (about = "") =>
  `127.0.0.1:PORT failed to update z01.example${about} (SERVFAIL) · Check the log of the server. BIND 9.18 replies this if an RRset would have more than 100 records (\`max-records-per-type\`) or a name more than 100 types (\`max-types-per-name\`).`;

const types = (count: number) =>
  Array.from({ length: count }, (_, at) => `big 300 TYPE${1000 + at} \\# 1 00\n`).join("");

test.skipIf(isMissing("named", "knotd", "pdns_server"))(
  "a server refuses sets and types that it cannot hold",
  async () => {
    expect(await add("BIND", many(100, 20)), "BIND, 100 records of a set").toBe(100);
    expect(await add("BIND", many(101, 20)), "BIND, 101 records of a set").toBe(
      servfail(", where the RRset big TXT would have 101 records"),
    );
    expect(await add("BIND", types(100)), "BIND, 100 types of a name").toBe(100);
    expect(await add("BIND", types(101)), "BIND, 101 types of a name").toBe(servfail());
    expect(await add("Knot", types(101)), "Knot, 101 types of a name").toBe(101);
    expect(await add("Knot, signed", many(200, 240)), "signed Knot, a set of 50,000 octets").toBe(200);
    expect(await add("PowerDNS", "x 300 TYPE731 \\# 1 00\n"), "PowerDNS, a type that it does not know").toBe(
      "127.0.0.1:PORT rejected the update of z01.example (FORMERR) · Check the log of the server. PowerDNS replies this to a record whose type it does not know.",
    );
  },
);
