import { describe, expect, test } from "vitest";
import { TransferError } from "../../src/dns/transfer/transfer-error.ts";
import { askAddresses } from "../../src/dns-client/ask-addresses.ts";
import { dig } from "../dns/transfer/dig.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { type Behaviour, startResolver } from "./fake-resolver.ts";

const name = domainName("www.example.net.");
const bounds = { timeoutMs: 200, attempts: 1, connectMs: 1000, idleMs: 5000, totalMs: 5000 };

/** The answer in one line, or the error. */
async function outcome(behaviour: Behaviour, type: "A" | "AAAA" = "A"): Promise<string> {
  const { at } = await startResolver(() => behaviour);
  try {
    const { kind, names, addresses, ttl } = await askAddresses(at, { name, type }, { bounds });
    return [kind, names.join(" > "), addresses.join(" "), ttl].filter((part) => part !== "").join(" | ");
  } catch (error) {
    if (error instanceof TransferError) return `${error.problem.id}: ${error.message}`;
    throw error;
  }
}

const chain = (length: number, from = "www.example.net.") =>
  Array.from({ length }, (_, at) => `${at === 0 ? from : `c${at}.example.net.`} 300 CNAME c${at + 1}.example.net.`);
const soa = "example.net. 3600 SOA ns.example.net. h.example.net. 1 2 3 4 120";
const www = "www.example.net.";

describe("an answer of a resolver", () => {
  test.each<[what: string, behaviour: Behaviour, expected: string]>([
    [
      "addresses in another order, one of them twice",
      { answer: [`${www} 300 A 192.0.2.10`, `${www} 300 A 192.0.2.9`, `${www} 300 A 192.0.2.9`] },
      "addresses | www.example.net. | 192.0.2.9 192.0.2.10 | 300",
    ],
    [
      "in another letter case",
      { answer: ["WWW.Example.NET. 300 A 192.0.2.9"] },
      "addresses | www.example.net. | 192.0.2.9 | 300",
    ],
    [
      "by CNAME records, the last of which comes first",
      {
        answer: [
          "c.example.net. 60 A 192.0.2.9",
          "b.example.net. 30 CNAME c.example.net.",
          `${www} 300 CNAME b.example.net.`,
        ],
      },
      "addresses | www.example.net. > b.example.net. > c.example.net. | 192.0.2.9 | 30",
    ],
    ["no data", { authority: [soa] }, "nodata | www.example.net. | 120"],
    ["no data without a SOA record", {}, "nodata | www.example.net. | 60"],
    ["no such name", { rcode: "NXDOMAIN", authority: [soa] }, "nxdomain | www.example.net. | 120"],
    [
      "no such target",
      { rcode: "NXDOMAIN", answer: chain(1), authority: [soa] },
      "nxdomain | www.example.net. > c1.example.net. | 120",
    ],
    [
      "only a part of the way",
      { answer: chain(2) },
      "partial | www.example.net. > c1.example.net. > c2.example.net. | 60",
    ],
    [
      "records of another name beside",
      { answer: [`${www} 300 A 192.0.2.9`, "bank.example. 300 A 192.0.2.66", "c9.example.net. 1 A 192.0.2.67"] },
      "addresses | www.example.net. | 192.0.2.9 | 300",
    ],
    ["records of another name only", { answer: ["bank.example. 300 A 192.0.2.66"] }, "nodata | www.example.net. | 60"],
    ["the other type", { answer: [`${www} 300 AAAA 2001:db8::1`] }, "nodata | www.example.net. | 60"],
    [
      "32 addresses",
      { answer: Array.from({ length: 32 }, (_, at) => `${www} 300 A 192.0.2.${at}`) },
      `addresses | www.example.net. | ${Array.from({ length: 32 }, (_, at) => `192.0.2.${at}`).join(" ")} | 300`,
    ],
    [
      "over TCP, because a datagram is too short",
      { truncates: true, answer: [`${www} 300 A 192.0.2.9`] },
      "addresses | www.example.net. | 192.0.2.9 | 300",
    ],
    ["12 CNAME records", { answer: [...chain(12), "c12.example.net. 300 A 192.0.2.9"] }, expectedChain(12)],
  ])("%s", async (_, behaviour, expected) => {
    expect(await outcome(behaviour)).toBe(expected);
  });
});

function expectedChain(length: number): string {
  const names = Array.from({ length }, (_, at) => `c${at + 1}.example.net.`);
  return `addresses | ${[www, ...names].join(" > ")} | 192.0.2.9 | 300`;
}

describe("no answer that can be believed", () => {
  const a = [`${www} 300 A 192.0.2.9`];
  test.each<[what: string, behaviour: Behaviour, expected: string]>([
    ["a failure", { rcode: "SERVFAIL" }, "transfer/rcode: the resolver replied SERVFAIL"],
    ["a refusal", { rcode: "REFUSED" }, "transfer/rcode: the resolver replied REFUSED"],
    ["silence", "silent", "transfer/timeout: no response over UDP to 1 queries"],
    [
      "another question",
      { answer: a, lie: { questions: [{ name: domainName("bank.example."), type: "A", class: 1 }] } },
      "transfer/answer: the response is to another question",
    ],
    [
      "a question for another type",
      { answer: a, lie: { questions: [{ name, type: "AAAA", class: 1 }] } },
      "transfer/answer: the response is to another question",
    ],
    ["no question", { answer: a, lie: { questions: [] } }, "transfer/answer: the response is to another question"],
    ["a query", { answer: a, lie: { qr: false } }, "transfer/answer: the server sent a message that is not a response"],
    [
      "a referral of a server without recursion",
      { authority: ["net. 300 NS ns.example.net."], lie: { ra: false } },
      "transfer/answer: the server does not resolve names",
    ],
    [
      "a loop of CNAME records",
      { answer: [...chain(2), `c2.example.net. 300 CNAME ${www}`] },
      "transfer/answer: the CNAME records of the answer form a loop",
    ],
    [
      "two CNAME records of one name",
      { answer: [`${www} 300 CNAME a.example.net.`, `${www} 300 CNAME b.example.net.`] },
      "transfer/answer: the answer has several CNAME records of www.example.net.",
    ],
    [
      "13 CNAME records",
      { answer: [...chain(13), "c13.example.net. 300 A 192.0.2.9"] },
      "transfer/answer: the answer has more than 12 CNAME records in a row",
    ],
    [
      "33 addresses",
      { answer: Array.from({ length: 33 }, (_, at) => `${www} 300 A 192.0.2.${at}`) },
      "transfer/answer: the target has 33 addresses; the limit is 32",
    ],
    [
      "4000 addresses, over TCP",
      {
        truncates: true,
        answer: Array.from({ length: 4000 }, (_, at) => `${www} 300 A 192.0.${at >> 8}.${at & 255}`),
      },
      "transfer/answer: the target has 4000 addresses; the limit is 32",
    ],
  ])("%s", async (_, behaviour, expected) => {
    expect(await outcome(behaviour)).toBe(expected);
  });
});

test("a question wants recursion, and is repeated over TCP to the same server only", async () => {
  const { at, take } = await startResolver(() => ({ truncates: true, answer: [`${www} 300 AAAA 2001:db8::1`] }));
  await askAddresses(at, { name, type: "AAAA" }, { bounds });
  expect(take()).toEqual(["www.example.net. AAAA UDP", "www.example.net. AAAA TCP"]);
});

test.skipIf(isMissing("named") || isMissing("dig"))("the addresses are those that dig reads from BIND", async () => {
  const zone = `$ORIGIN example.net.
@ 300 IN SOA ns h 1 14400 3600 1209600 300
@ 300 IN NS ns
ns 300 IN A 192.0.2.53
www 300 IN CNAME front
front 300 IN CNAME pool
pool 300 IN AAAA 2001:db8::a
pool 300 IN AAAA 2001:db8:0:1::
${Array.from({ length: 30 }, (_, at) => `pool 300 IN A 203.0.113.${(at * 7) % 30}`).join("\n")}
`;
  const server = await useNameServer("bind", { zones: { "example.net.": zone } });
  for (const type of ["A", "AAAA"] as const) {
    const { names, addresses } = await askAddresses(server, { name, type });
    const lines = await dig(server, name, type);
    const dug = lines.map((line) => line.split(/\s+/)).map((fields) => [fields.at(-2), fields.at(-1)]);
    const targets = dug.filter(([kind]) => kind === "CNAME").map(([, target]) => target);
    expect(names.slice(1).toSorted()).toEqual(targets.toSorted());
    expect(addresses.toSorted()).toEqual(
      dug
        .filter(([kind]) => kind === type)
        .map(([, address]) => address)
        .toSorted(),
    );
  }
});
