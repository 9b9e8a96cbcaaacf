import { expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { rcode } from "../../src/dns/transfer/codes.ts";
import type { Message } from "../../src/dns/transfer/message.ts";
import { checkAnswers } from "../../src/executor/verify/verify-servers.ts";
import { questionsOf, setsOf } from "../../src/executor/verify/verify-sets.ts";
import { type Behaviour, startResolver } from "../dns-client/fake-resolver.ts";
import { zoneOf } from "../planner/world.ts";

const empty: Message = {
  ...{ id: 1, qr: true, opcode: 0, aa: true, tc: false, rd: false, ra: false, ad: false, cd: false, rcode: 0 },
  ...{ questions: [], answers: [], authorities: [], additionals: [], unread: [], edns: undefined, tsig: undefined },
};

const head = "@ 300 SOA ns1.example.net. ops.example.com. 1 2 3 4 5\n";
const outside = "www 300 ALIAS host.example.net.";

/** The name that the resolver has addresses for, by type. */
const both: Readonly<Record<string, Behaviour>> = {
  "host.example.net. A": { answer: ["host.example.net. 60 A 192.0.2.1"] },
  "host.example.net. AAAA": { answer: ["host.example.net. 60 AAAA 2001:db8::1"] },
};
const four: Readonly<Record<string, Behaviour>> = { ...both, "host.example.net. AAAA": {} };
const v4 = "www 60 A 192.0.2.1\n";
const v6 = "www 60 AAAA 2001:db8::1\n";

interface Case {
  /** The records of the zone, of which each but ALIAS is answered. */
  readonly zone?: string;
  /** The answers of the server in place of the ALIAS record. */
  readonly answers?: string;
  /** The error of its answers for the name of the ALIAS record. */
  readonly error?: keyof typeof rcode;
  readonly world?: Readonly<Record<string, Behaviour>>;
  readonly until?: number;
}

test.each<[string, Case, verdict: string, text: string]>([
  ["addresses of both types", { answers: v4 + v6, world: both }, "pass", "serial 1, 1 RRsets answered"],
  ["addresses that its target has not", { answers: v4, world: {} }, "pass", "serial 1, 1 RRsets answered"],
  ["the one type that its target has", { answers: v4, world: four }, "pass", "serial 1, 1 RRsets answered"],
  [
    "one of the two types that its target has",
    { answers: v4, world: both },
    "fail",
    'www.example.com ALIAS is answered with no AAAA record, although its target "host.example.net" has some',
  ],
  [
    "nothing, while its target has addresses",
    { world: both },
    "fail",
    'www.example.com ALIAS is answered with no address, although its target "host.example.net" has some',
  ],
  [
    "nothing, while its target has addresses of one type",
    { world: four },
    "fail",
    'www.example.com ALIAS is answered with no A record, although its target "host.example.net" has some',
  ],
  [
    "NXDOMAIN, while its target has addresses",
    { error: "NXDOMAIN", world: both },
    "fail",
    'www.example.com ALIAS is answered with no address, although its target "host.example.net" has some',
  ],
  [
    "SERVFAIL, while its target has addresses",
    { error: "SERVFAIL", world: both },
    "fail",
    'www.example.com ALIAS is answered with SERVFAIL, although its target "host.example.net" has some',
  ],
  [
    "nothing, as its target",
    { world: { "host.example.net. A": {}, "host.example.net. AAAA": {} } },
    "inconclusive",
    'www.example.com ALIAS is answered with no address, and its target "host.example.net" has none',
  ],
  [
    "nothing, and its target does not exist",
    { world: {} },
    "inconclusive",
    'www.example.com ALIAS is answered with no address, and its target "host.example.net" has none (NXDOMAIN)',
  ],
  [
    "nothing, and its target cannot be resolved",
    { world: { "host.example.net. A": { rcode: "SERVFAIL" }, "host.example.net. AAAA": { rcode: "SERVFAIL" } } },
    "inconclusive",
    'www.example.com ALIAS is answered with no address, and its target "host.example.net" cannot be resolved: RESOLVER: the resolver replied SERVFAIL',
  ],
  [
    "nothing, while its target in the zone has an address",
    { zone: "www 300 ALIAS host\nhost 300 A 192.0.2.1" },
    "fail",
    'www.example.com ALIAS is answered with no A record, although its target "host.example.com" has some',
  ],
  [
    "nothing, while its target in the zone leads to addresses elsewhere",
    { zone: "www 300 ALIAS host\nhost 300 CNAME host.example.net.", world: both },
    "fail",
    'www.example.com ALIAS is answered with no address, although its target "host.example.com" has some',
  ],
  [
    "nothing in a chain, of which only the last is a fault",
    { zone: "@ 300 ALIAS www\nwww 300 ALIAS host.example.net.", world: both },
    "fail",
    'www.example.com ALIAS is answered with no address, although its target "host.example.net" has some',
  ],
  [
    "nothing for two",
    { zone: "@ 300 ALIAS host.example.net.\nwww 300 ALIAS host.example.net.", world: both },
    "fail",
    'example.com ALIAS is answered with no address, although its target "host.example.net" has some (and 1 more)',
  ],
  [
    "glue below a delegation",
    { zone: "www 300 NS ns1.example.net.\na.www 300 ALIAS b.example." },
    "pass",
    "serial 1, 2 RRsets answered",
  ],
  ["addresses a little later", { answers: v4, world: four, until: 5000 }, "pass", "serial 1, 1 RRsets answered"],
])("the verdict on an ALIAS record that is answered with %s", async (_, { world = {}, ...given }, verdict, text) => {
  const { name, records } = zoneOf(`${head}${given.zone ?? outside}`);
  const all = [...records];
  const stored = all.filter(({ type }) => type !== "ALIAS");
  const instead = [...zoneOf(head + (given.answers ?? "")).records].filter(({ type }) => type !== "SOA");
  let now = 0;
  const server = {
    address: { host: "192.0.2.53", port: 53 },
    ask: async ({ name: owner, type }: { name: string; type: string }): Promise<Message> => {
      const isAlias = all.some((one) => one.type === "ALIAS" && nameKey(one.owner) === owner);
      const answering = isAlias && now >= (given.until ?? 0) ? [...stored, ...instead] : stored;
      const answers = answering
        .filter((one) => nameKey(one.owner) === owner && (one.type === type || one.type === "CNAME"))
        .map((one) => ({ ...one, class: 1 })) as unknown as Message["answers"];
      const isOurs = owner.endsWith("example.com.");
      const code = isAlias && given.error ? rcode[given.error] : isOurs ? rcode.NOERROR : rcode.REFUSED;
      return { ...empty, aa: isOurs, answers, rcode: code };
    },
  };
  const resolver = await startResolver((question) => world[question]);
  const zone = { name, serial: 1, records: all, sets: setsOf(all, 300) };
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const expected = { zone, questions: questionsOf(all), until: given.until ?? 0 };
  const found = await checkAnswers(server, expected, { clock, resolvers: [resolver.at] });
  const shown = String(found.text).replaceAll(`${resolver.at.host}:${resolver.at.port}`, "RESOLVER");
  expect({ ...found, text: shown }).toEqual({ where: "192.0.2.53:53", verdict, text });
});
