import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import type { Message } from "../../src/dns/transfer/message.ts";
import { checkAnswers, serversOf } from "../../src/executor/verify/verify-servers.ts";
import { questionsOf, setsOf } from "../../src/executor/verify/verify-sets.ts";
import { zoneOf } from "../planner/world.ts";

/** The addresses of name servers; lookups of other names fail. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  "ns1.example.net": ["192.0.2.1", "2001:db8::1"],
  "NS2.example.net": ["192.0.2.2", "192.0.2.1"],
  "none.example.net": [],
};

const resolve = async (name: string) => {
  const found = addresses[name.slice(0, -1)];
  if (!found) throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  return found.map((host) => ({ host, port: 53 }));
};

const soa = "@ SOA ns1.example.net. ops.example.com. 1 2 3 4 5";

test.each<[string, string, string[]]>([
  [
    "each address of each server, once",
    "@ NS ns1.example.net.\n@ NS NS2.example.net.",
    ["192.0.2.1", "2001:db8::1", "192.0.2.2"],
  ],
  [
    "servers of delegations are not queried",
    "@ NS NS2.example.net.\nlab NS ns1.example.net.",
    ["192.0.2.2", "192.0.2.1"],
  ],
  [
    "names without an address, and unknown ones",
    "@ NS none.example.net.\n@ NS gone.example.net.\n@ NS ns1.example.net.",
    ["192.0.2.1", "2001:db8::1"],
  ],
  ["nobody", "@ NS gone.example.net.", []],
])("servers to query: %s", async (_, text, hosts) => {
  const { records } = zoneOf(`${soa}\n${text}`);
  expect(await serversOf([...records], resolve)).toEqual(hosts.map((host) => ({ host, port: 53 })));
});

const message: Message = {
  ...{ id: 1, qr: true, opcode: 0, aa: true, tc: false, rd: false, ra: false, ad: false, cd: false, rcode: 0 },
  ...{ questions: [], answers: [], authorities: [], additionals: [], unread: [], edns: undefined, tsig: undefined },
};

/** The reply of a server to the query for www. */
test.each<[string, Partial<Message>, verdict: string, text: string]>([
  ["the record", {}, "pass", "serial 1, 1 RRsets answered"],
  [
    "NXDOMAIN with authority",
    { rcode: 3, answers: [] },
    "fail",
    "www.example.com A is nothing instead of 300 192.0.2.1",
  ],
  ["NXDOMAIN without authority", { rcode: 3, aa: false, answers: [] }, "inconclusive", "the server replied NXDOMAIN"],
  ["no data", { answers: [] }, "fail", "www.example.com A is nothing instead of 300 192.0.2.1"],
  ["REFUSED", { rcode: 5, answers: [] }, "inconclusive", "the server refused the request (REFUSED)"],
])("the verdict on a server that replies with %s", async (_, reply, verdict, text) => {
  const { name, records } = zoneOf("@ 300 SOA ns1.example.net. ops.example.com. 1 2 3 4 5\nwww 300 A 192.0.2.1");
  const all = [...records];
  const answersTo = (owner: string, type: string) =>
    all.filter((record) => nameKey(record.owner) === owner && record.type === type);
  const server = {
    address: { host: "192.0.2.53", port: 53 },
    ask: async ({ name: owner, type }: { name: string; type: string }): Promise<Message> => {
      const answers = answersTo(owner, type) as unknown as Message["answers"];
      return { ...message, answers, ...(type === "A" && reply) };
    },
  };
  const zone = { name, serial: 1, sets: setsOf(all, 300) };
  const clock = { now: () => 0, sleep: async () => {} };
  const expected = { zone, questions: questionsOf(all), until: 0 };
  expect(await checkAnswers(server, expected, { clock })).toEqual({ where: "192.0.2.53:53", verdict, text });
});
