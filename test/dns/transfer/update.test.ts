import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeRdata, octetsForm } from "../../../src/dns/rdata/record-type.ts";
import { WireWriter } from "../../../src/dns/rdata/wire-writer.ts";
import { rcode, rcodeName } from "../../../src/dns/transfer/codes.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { AnswerVerifier } from "../../../src/dns/transfer/signed-answer.ts";
import {
  type AlgorithmName,
  algorithms,
  appendError,
  type Key,
  sign,
  timeOctets,
} from "../../../src/dns/transfer/tsig.ts";
import {
  type Prerequisite,
  type Update,
  type UpdateStep,
  updateOctets,
  writeUpdate,
} from "../../../src/dns/transfer/update.ts";
import { readUpdateReply } from "../../../src/dns/transfer/update-reply.ts";
import { typeOf } from "../../../src/dns/types/index.ts";
import type { ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { isMissing, judgesFolder } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { samples, seed } from "../../properties.ts";
import { zone as zoneArbitrary } from "../arbitrary.ts";
import { goodData, readZone } from "./zones.ts";

const names = Object.keys(algorithms) as AlgorithmName[];
const now = 1_700_000_000;
const key: Key = {
  name: domainName("Key.example."),
  algorithm: "hmac-sha256",
  secret: Buffer.from("a secret that two servers share"),
};
const zone = domainName("example.");
const owner = domainName("www.example.");

/** Records of a zone file with a TTL each. */
function read(text: string): (ZoneRecord & { ttl: number })[] {
  return readZone(text).records.map((record) => ({ ...record, ttl: record.ttl ?? 0 }));
}

const records = read("www 300 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2\n");
const [first = expect.fail()] = records;
const [nameServer = expect.fail()] = read("@ 600 IN NS ns.example.\n");
const [unknown = expect.fail()] = read("www 60 IN TYPE65280 \\# 3 010203\n");

const updateOf = ({ prerequisites = [], steps = [] }: Partial<Update>): Update => ({ zone, prerequisites, steps });
const hex = (octets: Uint8Array) => Buffer.from(octets).toString("hex");
const octets = (text: string) => Buffer.from(text.replace(/\s/g, ""), "hex");

/** ID 7, opcode 5, and the zone section: `example.` SOA IN. */
const head = (counts: string) => `0007 2800 0001 ${counts} 0000 07 6578616d706c65 00 0006 0001`;
const www = "03 777777 c00c";

describe("octets of RFC 2136", () => {
  test.each<[string, Prerequisite, string]>([
    [
      "§2.4.2, an RRset with these values: class IN, TTL 0",
      { kind: "set equals", records },
      `${head("0002 0000")} ${www} 0001 0001 00000000 0004 c0000201 c019 0001 0001 00000000 0004 c0000202`,
    ],
    [
      "§2.4.3, an RRset does not exist: class NONE",
      { kind: "no set", owner, type: "TYPE65280" },
      `${head("0001 0000")} ${www} ff00 00fe 00000000 0000`,
    ],
    [
      "§2.4.5, a name is not in use: type ANY, class NONE",
      { kind: "no name", owner },
      `${head("0001 0000")} ${www} 00ff 00fe 00000000 0000`,
    ],
  ])("%s", (_, prerequisite, expected) => {
    expect(hex(writeUpdate(updateOf({ prerequisites: [prerequisite] }), 7))).toBe(hex(octets(expected)));
  });

  test.each<[string, UpdateStep, string]>([
    [
      "§2.5.1, add to an RRset",
      { kind: "add", record: first },
      `${head("0000 0001")} ${www} 0001 0001 0000012c 0004 c0000201`,
    ],
    [
      "§2.5.1, with a name in the RDATA, uncompressed",
      { kind: "add", record: nameServer },
      `${head("0000 0001")} c00c 0002 0001 00000258 000c 02 6e73 07 6578616d706c65 00`,
    ],
    [
      "RFC 3597 §5, a type without a mnemonic",
      { kind: "add", record: unknown },
      `${head("0000 0001")} ${www} ff00 0001 0000003c 0003 010203`,
    ],
    [
      "§2.5.2, delete an RRset: class ANY",
      { kind: "delete set", owner, type: "A" },
      `${head("0000 0001")} ${www} 0001 00ff 00000000 0000`,
    ],
    [
      "§2.5.3, delete all RRsets of a name: type ANY, class ANY",
      { kind: "delete name", owner },
      `${head("0000 0001")} ${www} 00ff 00ff 00000000 0000`,
    ],
    [
      "§2.5.4, delete a record: class NONE, TTL 0",
      { kind: "delete record", record: first },
      `${head("0000 0001")} ${www} 0001 00fe 00000000 0004 c0000201`,
    ],
  ])("%s", (_, step, expected) => {
    expect(hex(writeUpdate(updateOf({ steps: [step] }), 7))).toBe(hex(octets(expected)));
  });
});

describe("the size of an update", () => {
  const adding = (count: number, length: number): Update =>
    updateOf({
      steps: Array.from({ length: count }, (_, index) => {
        const record = { ...unknown, type: "TYPE65280", data: { octets: "x".repeat(index === 0 ? length : 1000) } };
        return { kind: "add", record };
      }),
    });

  test.each(names)("is known before it is signed with %s", (algorithm) => {
    const mine: Key = { ...key, algorithm };
    const update = updateOf({ prerequisites: [{ kind: "set equals", records }] });
    const { message } = sign(writeUpdate(update, 7, mine), mine, { time: now });
    expect(updateOctets(update, mine)).toBe(message.length);
    expect(updateOctets(update)).toBe(writeUpdate(update, 7).length);
  });

  test("is at most 65,535 octets with the signature", () => {
    const spare = 65_535 - updateOctets(adding(65, 0), key);
    expect(spare).toBe(642);
    const { message } = sign(writeUpdate(adding(65, spare), 7, key), key, { time: now });
    expect(message.length).toBe(65_535);
    expect(updateOctets(adding(65, spare + 1), key)).toBe(65_536);
    expect(() => writeUpdate(adding(65, spare + 1), 7, key)).toThrow("at most 65535 octets with its signature");
    expect(writeUpdate(adding(65, spare + 1), 7).length).toBe(
      65_536 - (message.length - updateOctets(adding(65, spare))),
    );
    expect(updateOctets(adding(70_000, 0))).toBeGreaterThan(70_000_000);
  });

  test("an RRset without a record is no condition", () => {
    const update = updateOf({ prerequisites: [{ kind: "set equals", records: [] }] });
    expect(() => writeUpdate(update, 7)).toThrow(new RangeError("an RRset has at least one record"));
  });
});

/** The judge's result for each case. */
function judge(cases: readonly object[]): unknown[] {
  const program = join(import.meta.dirname, "update_judge.py");
  const { stdout, stderr } = spawnSync(join(judgesFolder, "venv/bin/python"), [program], {
    input: JSON.stringify(cases),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout) as unknown[];
}

/** An update and the judge's case of it, whose RDATA is in this form. */
function caseOf(update: Update, textOf: (record: Pick<ZoneRecord, "type" | "data">) => string): object {
  const prerequisites = update.prerequisites.map((condition) => {
    if (condition.kind !== "set equals")
      return [condition.kind, condition.owner, "type" in condition ? condition.type : "", []];
    const { records } = condition;
    return [condition.kind, records[0]?.owner, records[0]?.type, records.map(textOf)];
  });
  const steps = update.steps.map((step) => {
    if (!("record" in step)) return [step.kind, step.owner, "type" in step ? step.type : "", 0, ""];
    const { record } = step;
    return [step.kind, record.owner, record.type, "ttl" in record ? record.ttl : 0, textOf(record)];
  });
  return { judge: "update", zone: update.zone, prerequisites, steps, wire: hex(writeUpdate(update, 7)) };
}

const generic = ({ type, data }: Pick<ZoneRecord, "type" | "data">): string => {
  const wire = WireWriter.plain();
  encodeRdata(typeOf(type), data, wire);
  return octetsForm(wire.bytes().toString("latin1"));
};

const withRecords = zoneArbitrary.filter(({ records }) => records.length > 0);

const anyUpdate: fc.Arbitrary<Update> = withRecords.chain((zone) => {
  const record = fc.constantFrom(...zone.records).map((record) => ({ ...record, ttl: record.ttl ?? 7 }));
  const at = record.map(({ owner }) => ({ owner }));
  const set = record.map(({ owner, type }) => ({ owner, type }));
  const equal = record.map((one) => ({
    kind: "set equals" as const,
    records: zone.records.filter(({ owner, type }) => owner === one.owner && type === one.type),
  }));
  const condition: fc.Arbitrary<Prerequisite> = fc.oneof(
    equal,
    set.map((set) => ({ kind: "no set" as const, ...set })),
    at.map((at) => ({ kind: "no name" as const, ...at })),
  );
  const step: fc.Arbitrary<UpdateStep> = fc.oneof(
    record.map((record) => ({ kind: "add" as const, record })),
    record.map((record) => ({ kind: "delete record" as const, record })),
    set.map((set) => ({ kind: "delete set" as const, ...set })),
    at.map((at) => ({ kind: "delete name" as const, ...at })),
  );
  return fc.record({ zone: fc.constant(zone.name), prerequisites: fc.array(condition), steps: fc.array(step) });
});

describe.skipIf(isMissing("octodns-validate"))("dnspython, which octoDNS brings", () => {
  test("reads any update as it writes it", () => {
    const updates = fc.sample(anyUpdate, { ...samples(1000), seed });
    const judged = judge(updates.map((update) => caseOf(update, generic))) as [ours: unknown, theirs: unknown][];
    expect(judged.map(([ours]) => ours)).toEqual(judged.map(([, theirs]) => theirs));
    expect(judged).toHaveLength(updates.length);
  });

  test("reads each record type as it writes it from its text", () => {
    const written = new Map<ZoneRecord, string>();
    const cases = goodData().flatMap(({ owner, type, written: text }) => {
      const [record = expect.fail()] = read(`${owner} 300 IN ${type} ${text}\n`);
      written.set(record, text);
      return caseOf(
        updateOf({
          prerequisites: [{ kind: "set equals", records: [record] }],
          steps: [
            { kind: "add", record: { ...record, ttl: 300 } },
            { kind: "delete record", record },
          ],
        }),
        (record) => written.get(record as ZoneRecord) ?? generic(record),
      );
    });
    const judged = judge(cases) as ({ unread: string } | [unknown, unknown])[];
    for (const each of judged) if (Array.isArray(each)) expect(each[0]).toEqual(each[1]);
    const types = goodData().map(({ type }) => type);
    const compared = new Set(types.filter((_, index) => Array.isArray(judged[index])));
    const unknown = [...new Set(types)].filter((type) => !compared.has(type));
    expect(unknown.join(" ")).toBe("ATMA DOA EID NIMLOC RKEY SINK TALINK");
  });
});

describe.skipIf(isMissing("octodns-validate"))("signatures by Python's hmac", () => {
  const update = updateOf({
    prerequisites: [{ kind: "set equals", records }],
    steps: [{ kind: "delete name", owner }],
  });
  const reply = writeMessage({ id: 7, opcode: 5, qr: true, questions: [{ name: zone, type: "SOA", class: 1 }] });
  const badTime = { error: rcode.BADTIME, other: hex(Buffer.from(timeOctets(now + 1000), "latin1")) };

  /** The judge's case: messages of one answer to a request with this MAC. */
  const signing = (algorithm: AlgorithmName, mac: string, messages: readonly [Buffer, boolean][], error = {}) => ({
    judge: "signed",
    mac: Buffer.from(mac, "latin1").toString("hex"),
    messages: messages.map(([octets, isSigned]) => [hex(octets), isSigned]),
    ...{ key: key.name, algorithm, wire_algorithm: algorithms[algorithm].wire, secret: hex(key.secret), time: now },
    ...error,
  });
  const signed = names.map((algorithm) => {
    const mine: Key = { ...key, algorithm };
    const octets = writeUpdate(update, 7, mine);
    return { key: mine, octets, ...sign(octets, mine, { time: now }) };
  });

  test("are those of our updates, with every algorithm", () => {
    const judged = judge(signed.map(({ key, octets }) => signing(key.algorithm, "", [[octets, true]])));
    // Names are signed in lower case (RFC 8945 §4.3.3): the judge writes them so.
    const lower = signed.map(({ key, octets }) => {
      const { message } = sign(octets, { ...key, name: domainName("key.example.") }, { time: now });
      return [hex(message)];
    });
    expect(judged).toEqual(lower);
    expect(signed.map(({ mac }) => readMessage(signed[0]?.message ?? reply).tsig && mac.length)).toEqual([
      16, 20, 28, 32, 16, 48, 24, 64, 32,
    ]);
  });

  test("of replies hold with every algorithm, and with another clock", () => {
    const cases = signed.flatMap(({ key, mac }) => [
      signing(key.algorithm, mac, [[reply, true]]),
      signing(key.algorithm, mac, [[reply, true]], badTime),
      signing(key.algorithm, mac, [[reply, true]], { ...badTime, time: now + 1000 }),
    ]);
    const replies = (judge(cases) as [string][]).map(([message]) => Buffer.from(message, "hex"));
    const read = replies.map((octets, index) => {
      const { key, mac } = signed[Math.floor(index / 3)] ?? expect.fail();
      return readUpdateReply(octets, { id: 7, signature: { key, mac } }, now);
    });
    const done = { rcode: 0, tsigError: undefined, serverTime: undefined, isProven: true };
    const late = { ...done, tsigError: rcode.BADTIME, serverTime: now + 1000 };
    expect(read).toEqual(names.flatMap(() => [done, late, late]));
  });

  test("of transfers hold with every algorithm, with 99 unsigned messages in between", () => {
    const parts = Array.from({ length: 201 }, (_, index): [Buffer, boolean] => {
      return [writeMessage({ id: 7, qr: true, ad: index % 2 === 0 }), index % 100 === 0];
    });
    const judged = judge(signed.map(({ key, mac }) => signing(key.algorithm, mac, parts))) as string[][];
    for (const [index, messages] of judged.entries()) {
      const { key, mac } = signed[index] ?? expect.fail();
      const take = (changed?: number) => {
        const verifier = new AnswerVerifier(key, mac, () => now);
        for (const [at, message] of messages.entries()) {
          const octets = Buffer.from(message, "hex");
          if (at === changed) octets[3] = 0x20 ^ (octets[3] ?? 0);
          verifier.take(octets, readMessage(octets));
        }
        verifier.end();
      };
      expect(take).not.toThrow();
      for (const at of [0, 1, 99, 100, 150])
        expect(() => take(at)).toThrow("the TSIG of the response is invalid (BADSIG)");
    }
    expect(judged).toHaveLength(names.length);
  });
});

describe("the reply to an update", () => {
  const request = sign(writeUpdate(updateOf({}), 7, key), key, { time: now });
  const other: Key = { ...key, secret: Buffer.from("another") };
  const answer = (changes: NewMessage = {}) => writeMessage({ id: 7, opcode: 5, qr: true, ...changes });
  const signedBy = (signer: Key, changes: NewMessage = {}, error = 0, time = now) =>
    sign(answer(changes), signer, { time, prior: { mac: request.mac }, error }).message;
  const tsig = readMessage(request.message).tsig ?? expect.fail();

  /** The reply in short: its code, its TSIG error, and whether it is proven; or why it is none. */
  function told(octets: Uint8Array, signature: { key: Key; mac: string } | undefined): string {
    try {
      const { rcode, tsigError, isProven } = readUpdateReply(octets, { id: 7, signature }, now);
      const error = tsigError === undefined ? "" : ` ${rcodeName(tsigError)}`;
      return `${rcodeName(rcode)}${error}${isProven ? "" : ", unproven"}`;
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  }

  const codes = Object.values(rcode).filter((code) => code < 16);
  const notSigned = "the response is not signed with the TSIG key";

  test.each<[string, Buffer, string]>([
    ...codes.map((code): [string, Buffer, string] => [
      `signed ${rcodeName(code)}`,
      signedBy(key, { rcode: code }),
      rcodeName(code),
    ]),
    ["unsigned NOERROR", answer(), notSigned],
    ["unsigned REFUSED", answer({ rcode: rcode.REFUSED }), "REFUSED, unproven"],
    ["NOERROR with an empty MAC", appendError(answer(), tsig, 0), "the TSIG of the response is invalid (FORMERR)"],
    ["NOERROR with BADKEY", appendError(answer(), tsig, rcode.BADKEY), notSigned],
    [
      "BADKEY, which nobody can sign",
      appendError(answer({ rcode: rcode.NOTAUTH }), tsig, rcode.BADKEY),
      "NOTAUTH BADKEY, unproven",
    ],
    [
      "BADSIG, which nobody can sign",
      appendError(answer({ rcode: rcode.NOTAUTH }), tsig, rcode.BADSIG),
      "NOTAUTH BADSIG, unproven",
    ],
    ["signed BADTRUNC", signedBy(key, { rcode: rcode.NOTAUTH }, rcode.BADTRUNC), "NOTAUTH BADTRUNC"],
    ["signed BADTIME", signedBy(key, { rcode: rcode.NOTAUTH }, rcode.BADTIME, now + 1000), "NOTAUTH BADTIME"],
    ["another secret", signedBy(other), "the TSIG of the response is invalid (BADSIG)"],
    ["another key", signedBy({ ...key, name: domainName("other.") }), "the TSIG of the response is invalid (BADKEY)"],
    ["a clock too far off", signedBy(key, {}, 0, now + 301), "the TSIG of the response is invalid (BADTIME)"],
    ["another id", signedBy(key, { id: 8 }), "the response has another message id"],
    ["the request itself", request.message, "the server sent a message that is not a response"],
    ["the reply to a query", signedBy(key, { opcode: 0 }), "the server sent a message that is not a response"],
    ["a truncated message", signedBy(key).subarray(0, 30), expect.stringContaining("the DNS message is invalid")],
  ])("%s", (_, octets, expected) => {
    expect(told(octets, { key, mac: request.mac })).toEqual(expected);
  });

  test("may repeat the sections of the update, with records of any kind (RFC 2136 §3.8)", () => {
    const update = updateOf({
      prerequisites: [
        { kind: "set equals", records },
        { kind: "no name", owner },
      ],
      steps: [
        { kind: "delete set", owner, type: "MX" },
        { kind: "delete record", record: first },
      ],
    });
    const octets = writeUpdate(update, 7);
    octets.writeUInt8(0xa8, 2);
    expect(told(octets, undefined)).toBe("NOERROR");
    expect(readMessage(octets).answers.map(({ owner, type, ttl }) => ({ owner, type, ttl }))).toEqual([
      { owner, type: "A", ttl: 0 },
      { owner, type: "A", ttl: 0 },
    ]);
  });

  test("needs no signature without a key", () => {
    expect(told(answer({ rcode: rcode.YXRRSET }), undefined)).toBe("YXRRSET");
  });
});
