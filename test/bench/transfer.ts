import { transferMessages } from "../../src/dns/compiled/transfer-messages.ts";
import { compileZone } from "../../src/dns/compiled/zone-compiler.ts";
import { AxfrReceiver } from "../../src/dns/transfer/axfr-receiver.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { AnswerSigner, AnswerVerifier } from "../../src/dns/transfer/signed-answer.ts";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { isType } from "../../src/dns/zone/zone.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { type Case, count, ms, ratio } from "./case.ts";
import { mixedZone } from "./mixed-zone.ts";

const size = 100_000;
const name = domainName("example.com.");
const key: Key = { name: domainName("key."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };
const requestMac = "x".repeat(32);
const clock = () => 1_700_000_000;

/**
 * A zone as messages, without a network: milliseconds, records a second, ratio to reading its master file. Best of
 * five.
 */
export function* run(): Generator<Case> {
  const bytes = Buffer.from(mixedZone(size));
  const read = () => readBind({ file: "zone", bytes, origin: name }).zone.records.map(({ data }) => data);
  const [soa, ...records] = readBind({ file: "zone", bytes, origin: name }).zone.records;
  if (!soa || !isType(soa, "SOA")) throw new Error("the zone has no SOA record");
  const request = readMessage(writeMessage({ questions: [{ name, type: "AXFR", class: 1 }] }));
  const compile = () => compileZone(soa, records, 3600);
  const compiled = compile();
  const send = (signer?: AnswerSigner) => [...transferMessages(request, compiled, signer)];
  const sign = () => send(new AnswerSigner(key, { mac: requestMac }, clock));
  const receive = (messages: readonly Buffer[], verifier?: AnswerVerifier) => {
    const receiver = new AxfrReceiver(name, 0, { records: size * 2, octets: 2 ** 30 }, verifier);
    for (const message of messages) receiver.take(message);
    return receiver.end();
  };
  const [plain, signed] = [send(), sign()];
  const rows: [string, () => unknown][] = [
    ["read the master file", read],
    ["compile", compile],
    ["send", () => send()],
    ["send, signed", sign],
    ["receive", () => receive(plain)],
    ["receive, signed", () => receive(signed, new AnswerVerifier(key, requestMac, clock))],
  ];
  const group = `${size} records, ${plain.length} messages`;
  let reading: number | undefined;
  for (const [name, act] of rows) {
    const time = best(act);
    reading ??= time;
    yield {
      group,
      name,
      numbers: { time: ms(time), speed: count(Math.round(size / time), "records/ms") },
      ratios: name === rows[0]?.[0] ? {} : { time: ratio(time, reading, { to: "reading", better: "lower" }) },
    };
  }
}

function best(act: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    act();
    return performance.now() - begin;
  });
  return Math.min(...times);
}
