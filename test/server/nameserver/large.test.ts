import { describe, expect, onTestFinished, test } from "vitest";
import { rcodeName } from "../../../src/dns/transfer/codes.ts";
import { largestMessage, readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { type AlgorithmName, algorithms, type Key, sign, tsigLength } from "../../../src/dns/transfer/tsig.ts";
import { ask } from "../../../src/dns-client/ask.ts";
import { timeBounds } from "../../../src/dns-client/server-address.ts";
import { overTcp } from "../../../src/dns-client/tcp.ts";
import { transferZone } from "../../../src/dns-client/transfer-zone.ts";
import { updateRecordRow } from "../../../src/server/areas/zones/records-rows.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";
const label = (letter: string) => letter.repeat(63);
/** The longest name of a key, and an algorithm with much to say. */
const name = domainName(`${label("k")}.${label("e")}.${label("y")}.${"s".repeat(61)}.`);
const key: Key = { name, algorithm: "hmac-sha512", secret: Buffer.from("secret") };
/** The longest name of a domain and of a record in it. */
const domain = `${label("a")}.${label("b")}.example`;
const owner = `${label("c")}.${"d".repeat(36)}`;

async function begin() {
  const api = await start({ nameservers: ["ns1.example.net"] });
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(error instanceof Error ? error.message : String(error));
  const settings = readServerSettings({
    store: api.store,
    clock: () => api.clock.now,
    nameservers: ["ns1.example.net"],
  });
  const zones = new StoredZones(settings, () => api.clock.now, { onError, waitForCurrent });
  const service = await listenDns({ host, port: 0, zones, keys: [key], onError });
  onTestFinished(() => service.close());
  const at = { host, port: service.port };
  const rcode = async (name: string, type = "A") =>
    rcodeName((await ask(at, { question: { name: domainName(name), type, class: 1 } })).rcode);
  const transfer = (zone: string) =>
    transferZone({ zone: domainName(zone), server: at, key }).then(
      ({ records }) => records.length,
      ({ message }) => message,
    );
  /** Records that an API without a limit has stored. */
  const grow = (id: number, target: string) => api.store.write((db) => updateRecordRow(db, id, { target }));
  return { ...api, at, errors, rcode, transfer, grow };
}

test("the longest data that the API accepts is answered and transferred with the longest names, EDNS and TSIG", async () => {
  const { at, domain: create, call } = await begin();
  const id = await create(domain);
  const target = "x".repeat(63_750);
  const post = (target: string) => call("POST", `/domains/${id}/records`, { type: "TXT", name: owner, target });
  expect((await post(`${target}x`)).status).toBe(400);
  expect((await post(target)).status).toBe(200);
  const question = { name: domainName(`${owner}.${domain}.`), type: "TXT", class: 1 };
  const edns = { udpSize: 1232, version: 0, do: false, options: [] };
  const query = sign(writeMessage({ id: 1, questions: [question], edns }), key, {
    time: Math.floor(Date.now() / 1000),
  });
  for await (const octets of overTcp(query.message, at, timeBounds)) {
    expect(readMessage(octets)).toMatchObject({
      rcode: 0,
      tc: false,
      answers: [{ type: "TXT" }],
      edns,
      tsig: { error: 0 },
    });
    break;
  }
  expect((await transferZone({ zone: domainName(`${domain}.`), server: at, key })).records.length).toBe(3);
  // Also where question, record and key have names of 255 octets each: head, question, record, OPT and TSIG.
  const signatures = (Object.keys(algorithms) as AlgorithmName[]).map((algorithm) => tsigLength({ ...key, algorithm }));
  expect(12 + 255 + 4 + 255 + 10 + 64_000 + 11 + Math.max(...signatures)).toBeLessThan(largestMessage);
});

describe("a record stored before there was a limit", () => {
  test("over 65,535 octets makes its whole zone SERVFAIL and is reported once", async () => {
    const { call, domain, grow, rcode, transfer, errors } = await begin();
    await domain("example.com", [{ type: "TXT", name: "big", target: "x" }]);
    await grow(1, "x".repeat(65_280));
    await call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
    expect([await rcode("big.example.com.", "TXT"), await rcode("www.example.com.")]).toEqual(["SERVFAIL", "SERVFAIL"]);
    expect(await transfer("example.com.")).toMatch(/SERVFAIL/);
    expect(errors).toEqual([
      `the zone example.com cannot be served and is answered with SERVFAIL: big.example.com. TXT takes 65536 octets, at most 65535 fit into a record`,
    ]);
    await call("DELETE", "/domains/1/records/1");
    expect(await rcode("www.example.com.")).toBe("NOERROR");
    expect(await transfer("example.com.")).toBe(3);
  });

  test("that does not fit into a message is answered with SERVFAIL and prevents transfers", async () => {
    const { call, domain, grow, rcode, transfer, errors } = await begin();
    await domain("example.com", [{ type: "TXT", name: "big", target: "x" }]);
    await grow(1, "x".repeat(65_250));
    await call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
    expect([await rcode("big.example.com.", "TXT"), await rcode("www.example.com.")]).toEqual(["SERVFAIL", "NOERROR"]);
    expect(await transfer("example.com.")).toMatch(/SERVFAIL|not signed/);
    expect(errors).toEqual(["the zone cannot be transferred: big.example.com. TXT does not fit into a message"]);
  });
});

test.skipIf(isMissing("knotd"))(
  "an RRset that does not fit into a message is answered over TCP as by Knot",
  async () => {
    const { at, domain } = await begin();
    const texts = [1, 2, 3].map((number) => `${number}${"x".repeat(25_499)}`);
    await domain(
      "example.com",
      texts.map((target) => ({ type: "TXT", name: "many", target })),
    );
    const lines = texts.map(
      (text) => `many 300 TXT ${(text.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(" ")}`,
    );
    const file = `@ 300 SOA ns1.example.net. h 1 2 3 4 5\n@ 300 NS ns1.example.net.\n${lines.join("\n")}\n`;
    const knot = await useNameServer("knot", { zones: { "example.com.": file } });
    const question = { name: domainName("many.example.com."), type: "TXT", class: 1 };
    const answerLines = async (server: typeof at) => {
      const { rcode, aa, tc, answers } = await ask(server, { question });
      return { rcode: rcodeName(rcode), aa, tc, answers: answers.length };
    };
    expect(await answerLines(at)).toEqual({ rcode: "SERVFAIL", aa: false, tc: false, answers: 0 });
    expect(await answerLines(knot)).toEqual(await answerLines(at));
  },
);
