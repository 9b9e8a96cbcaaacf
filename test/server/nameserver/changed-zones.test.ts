import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { CompiledZone } from "../../../src/dns/compiled/compiled-zone.ts";
import { compileZone, isOvergrown, ZoneCompiler } from "../../../src/dns/compiled/zone-compiler.ts";
import { readAddress4 } from "../../../src/dns/name/address.ts";
import { type Name, nameKey } from "../../../src/dns/name/name.ts";
import { wireName } from "../../../src/dns/rdata/wire-writer.ts";
import { questionCode } from "../../../src/dns/transfer/codes.ts";
import { largestMessage, readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { answerFrom } from "../../../src/server/nameserver/answer.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { startNameServer } from "../../dns/transfer/nameservers.ts";
import { apex, linesOf, readZone, soaOf } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { isNightly, samples, seed } from "../../properties.ts";
import { generatedVersions, namesToAsk, questionTypes } from "./generated-zones.ts";
import { askAll } from "./served.ts";

/** Compiles each version from the one before. */
function compileChanges(versions: readonly (readonly ZoneRecord[])[]): CompiledZone[] {
  const zones: CompiledZone[] = [];
  for (const [index, records] of versions.entries()) {
    const base = zones.at(-1);
    const before = versions[index - 1];
    if (base === undefined || before === undefined) zones.push(compileZone(soaOf(records), records.slice(1), 0));
    else zones.push(compileChange(base, before, records));
  }
  return zones;
}

function compileChange(base: CompiledZone, before: readonly ZoneRecord[], after: readonly ZoneRecord[]): CompiledZone {
  const at = (records: readonly ZoneRecord[], key: string) =>
    JSON.stringify(records.filter(({ owner }) => nameKey(owner) === key));
  const owners = new Map([...before, ...after].map(({ owner }) => [nameKey(owner), owner]));
  const changed = [...owners].filter(([key]) => at(before, key) !== at(after, key));
  const compiler = new ZoneCompiler(soaOf(after), 0, base);
  for (const [, owner] of changed) compiler.replace(owner);
  const keys = new Set<string>(changed.map(([key]) => key));
  for (const record of after.slice(1)) if (keys.has(nameKey(record.owner))) compiler.add(record);
  return compileAll(compiler);
}

function compileAll(compiler: ZoneCompiler): CompiledZone {
  const steps = compiler.compile();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const show = (records: readonly ZoneRecord[]) =>
  records.map((record) => `${nameKey(record.owner)} ${record.ttl} ${record.type} ${rdataText(record)}`).sort();

function answerOf(zone: CompiledZone, name: Name, type: string): Buffer {
  const code = questionCode(type);
  const asked = { octets: wireName(name), at: 0, type: code, asked: code, edns: undefined };
  return answerFrom(zone, { id: 7, rd: false, cd: false, transport: "tcp", room: largestMessage, ...asked });
}

test("a zone with changes applied answers as one compiled from its records, and so do its earlier versions", () => {
  fc.assert(
    fc.property(generatedVersions, (versions) => {
      const zones = compileChanges(versions);
      const names = namesToAsk(versions.flat(), []);
      for (const [index, records] of versions.entries()) {
        const [changed, fresh] = [zones[index], compileZone(soaOf(records), records.slice(1), 0)];
        if (changed === undefined) return expect.fail();
        expect(show(recordsOf(changed))).toEqual(show(records));
        expect([changed.size, changed.soa]).toEqual([records.length, fresh.soa]);
        for (const name of names)
          for (const type of questionTypes)
            expect(answerOf(changed, name, type).equals(answerOf(fresh, name, type)), `${name} ${type}`).toBe(true);
      }
    }),
    samples(300),
  );
});

/** BIND with versions of a zone: a client sees the one of its address. */
function startVersions(versions: readonly (readonly ZoneRecord[])[]) {
  const text = (records: readonly ZoneRecord[]) => `${linesOf(records).join("\n")}\n`;
  const config = (folder: string, port: number) => {
    const view = (clients: string, index: number) =>
      `view "v${index}${clients}" { match-clients { ${clients}; }; zone "example." { type primary; file "${folder}/v${index}"; }; };`;
    for (const [index, records] of versions.entries()) writeFileSync(join(folder, `v${index}`), text(records));
    return `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; notify no; minimal-responses yes;
  zero-no-soa-ttl no; dnssec-validation no; empty-zones-enable no; check-names primary ignore; check-integrity no;
  check-mx ignore; check-dup-records ignore; check-sibling no;
};
controls {};
${versions.map((_, index) => view(addressOf(index), index)).join("\n")}
${view("any", 0)}`;
  };
  return startNameServer("bind", { zones: { "example.": text(versions[0] ?? []) }, config });
}

const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;

test.skipIf(isMissing("named"))(
  "a zone with changes applied answers as BIND does that has loaded each version",
  async () => {
    // BIND refuses a zone whose server has no address.
    const server = {
      owner: domainName("ns.example."),
      type: "A",
      ttl: 60,
      data: { address: readAddress4("192.0.2.9") },
    };
    const histories = fc
      .sample(generatedVersions, { seed, numRuns: isNightly ? 60 : 6 })
      .map((versions) => versions.map((records) => [...records, server]));
    const cases = histories.flatMap((versions) => {
      const names = namesToAsk(versions.flat(), []).slice(0, 60);
      return compileChanges(versions).map((zone) => ({ zone, names }));
    });
    const bind = await startVersions(histories.flat());
    onTestFinished(() => bind.stop());
    for (const [index, { zone, names }] of cases.entries()) {
      const asked = names.flatMap((name) =>
        ["A", "MX", "NS", "CNAME", "SOA", "DS"].map((type) => ({ name, type, class: 1 })),
      );
      const answers = await askAll(
        bind,
        asked.map((question, id) => writeMessage({ id, questions: [question] })),
        addressOf(index),
      );
      const own = asked.map(({ name, type }) => answerOf(zone, name, type));
      const seen = (octets: Buffer | undefined) => {
        if (octets === undefined) return undefined;
        const { rcode, aa, answers, authorities } = readMessage(octets);
        // Of names that are spelled in several ways, BIND compresses one to another.
        const lines = (records: readonly ZoneRecord[]) => show(records).map((line) => line.toLowerCase());
        return { rcode, aa, answers: lines(answers), authorities: lines(authorities) };
      };
      const wrong = asked.flatMap((question, id) => {
        const [ours, theirs] = [seen(own[id]), seen(answers[id])];
        return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ question, ours, theirs }];
      });
      expect(wrong).toEqual([]);
    }
  },
);

test("a zone whose names come and go is rebuilt before it takes several times the memory", () => {
  const soa = soaOf(readZone(apex).records);
  let zone = compileZone(soa, [], 0);
  let last: Name = domainName("n.example.");
  let rounds = 0;
  for (; !isOvergrown(zone); rounds++) {
    const compiler = new ZoneCompiler(soa, 0, zone);
    compiler.replace(last);
    last = domainName(`n${rounds}.example.`);
    compiler.add({ owner: last, type: "A", ttl: 60, data: { address: readAddress4("192.0.2.1") } });
    zone = compileAll(compiler);
  }
  expect([zone.size, rounds > 100, zone.octets < 2 ** 19]).toEqual([2, true, true]);
});
