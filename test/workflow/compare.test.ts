import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type Message, readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { type CompareRequest, compare } from "../../src/workflow/compare/compare.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { Desk, lines } from "../cli/run.ts";
import { fakeServer } from "../dns/transfer/fake-server.ts";
import { binaries, freePort } from "../dns/transfer/nameservers.ts";
import { serveZones, useNameServer } from "../dns/transfer/use-name-server.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { compileZone } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { isNightly, samples } from "../properties.ts";
import { sampleOfRealZones } from "../real-zones.ts";
import { contextOf } from "./import-context.ts";

const nonce = "0123456789abcdef0123456789abcdef";
const label = "zw-0123456789abcdef";

function compareSides(desk: Desk, a: string, b: string, more: Partial<CompareRequest> = {}) {
  const context = { ...contextOf(desk), nonce: () => nonce };
  const project = openProject(context, { config: "zonewright.yaml" });
  return compare(context, project, { a, b, zones: [], ttl: false, jobs: 16, ...more });
}

const head = "@ 3600 IN SOA ns hostmaster 1 7200 3600 1209600 600\n@ 3600 IN NS ns.example.org.\n";

const old = lines`
  same 300 IN A 192.0.2.1
  ttl 300 IN A 192.0.2.2
  data 300 IN A 192.0.2.3
  order 300 IN A 192.0.2.4
  order 300 IN A 192.0.2.5
  old-only 300 IN TXT "x"
  to-ttl 300 IN CNAME ttl
  to-to-ttl 300 IN CNAME to-ttl
  retarget 300 IN CNAME same
  becomes-alias 300 IN A 192.0.2.6
  dangling 300 IN CNAME nowhere
  away 300 IN CNAME www.example.org.
  *.wild 300 IN A 192.0.2.7
  *.gone 300 IN A 192.0.2.8
  *.shadow 300 IN A 192.0.2.9
  a.ent 300 IN A 192.0.2.10
  sub 300 IN NS ns1.sub
  ns1.sub 300 IN A 192.0.2.11
  cut 300 IN A 192.0.2.12
  below.cut 300 IN A 192.0.2.13
  tree 300 IN DNAME example.net.
  back 300 IN DNAME same-tree
  x.same-tree 300 IN A 192.0.2.14
`;

const changed = lines`
  same 300 IN A 192.0.2.1
  ttl 600 IN A 192.0.2.2
  data 300 IN A 192.0.2.33
  order 300 IN A 192.0.2.5
  order 300 IN A 192.0.2.4
  new-only 300 IN TXT "x"
  to-ttl 300 IN CNAME ttl
  to-to-ttl 300 IN CNAME to-ttl
  retarget 300 IN CNAME ttl
  becomes-alias 300 IN CNAME same
  dangling 300 IN CNAME nowhere
  away 300 IN CNAME www.example.org.
  *.wild 300 IN A 192.0.2.77
  *.shadow 300 IN A 192.0.2.9
  deep.x.shadow 300 IN A 192.0.2.9
  ent 300 IN TXT "no longer empty"
  sub 300 IN NS ns2.sub
  ns2.sub 300 IN A 192.0.2.11
  cut 300 IN NS ns.example.org.
  tree 300 IN DNAME example.org.
  back 300 IN DNAME same-tree
  x.same-tree 300 IN A 192.0.2.15
`;

/** The answers of a name server as BIND's dig shows them: response code, AA, and the records that are compared. */
async function digAll(server: string, questions: readonly string[]): Promise<Map<string, string>> {
  const [host = "", port = ""] = server.split(":");
  const words = questions.flatMap((question) => question.split(" "));
  const flags = ["-r", "+norecurse", "+noall", "+comments", "+answer", "+authority", "+nocookie"];
  const { stdout } = await promisify(execFile)("dig", [`@${host}`, "-p", port, ...flags, ...words]);
  const parts = stdout.split(/^;; Got answer:$/m).slice(1);
  expect(parts).toHaveLength(questions.length);
  const section = (text: string, name: string) =>
    (text.split(`;; ${name} SECTION:\n`)[1]?.split("\n\n")[0]?.split("\n") ?? [])
      .map((line) => line.replaceAll(/\s+/g, " ").toLowerCase())
      .sort();
  return new Map(
    questions.map((question, index) => {
      const text = parts[index] ?? "";
      const status = /status: (\w+)/.exec(text)?.[1];
      const isAuthoritative = /flags:[^;]* aa/.test(text);
      const answers = section(text, "ANSWER");
      const referral = !isAuthoritative && answers.length === 0 ? section(text, "AUTHORITY") : [];
      return [question, [status, isAuthoritative, ...answers, ...referral].join("\n")];
    }),
  );
}

test.skipIf(isMissing("named", "dig"))("the answers that differ are those that differ for dig", async () => {
  const [a, b] = [
    await serveZones({ "example.com.": head + old }),
    await serveZones({ "example.com.": head + changed }),
  ];
  const desk = new Desk({ "old/example.com.zone": head + old });
  const ownersAndTypes = [...`${old}${changed}`.matchAll(/^(\S+) \d+ IN (\S+)/gm)].map(([, owner, type]) => [
    owner,
    type,
  ]);
  const probes = ["ent", "shadow", "x.shadow", "wild", "gone", "nowhere", "same-tree"].map((name) => [name, "A"]);
  const random = ["", ".wild", ".gone", ".shadow", ".x.shadow", ".ent", ".sub", ".cut", ".tree", ".back"];
  const below = random.map((name) => [`${label}${name}`, "A"]);
  const named = [...ownersAndTypes, ...probes, ...below].map(([owner, type]) => `${owner}.example.com. ${type}`);
  for (const old of [`@${a}`, "old"]) {
    const { zones } = await compareSides(desk, old, `@${b}`, { zones: ["example.com"] });
    const reported = (zones[0]?.answers?.differences ?? []).map(({ name, type }) => `${name} ${type}`);
    const questions = [...new Set([...named, ...reported])];
    const [digA, digB] = [await digAll(a, questions), await digAll(b, questions)];
    const differing = questions.filter((question) => digA.get(question) !== digB.get(question));
    expect([...reported].sort()).toEqual(differing.sort());
    expect(differing.length).toBeGreaterThan(30);
  }
});

test.skipIf(isMissing("named", "named-compilezone"))(
  "a folder of real zones and the server that serves them are equal",
  async () => {
    const zones: Record<string, string> = {};
    const files = sampleOfRealZones.bindFiles;
    for (const file of isNightly ? files : files.slice(0, 6)) {
      const text = readFileSync(join(sampleOfRealZones.bind, file));
      const name = file.replace(/zone$/, "").toLowerCase();
      if ((await compileZone(name, text)).records !== undefined) zones[name] = text.toString();
    }
    const names = Object.keys(zones);
    const desk = new Desk(Object.fromEntries(names.map((name) => [`zones/${name}zone`, zones[name] ?? ""])));
    const server = await serveZones(zones);
    const result = await compareSides(desk, "zones", `@${server}`);
    const found = result.zones.map(({ zone, verdict, records, answers }) => {
      const { questions = 0, differences, unanswered } = answers ?? {};
      return { zone, verdict, records, isAsked: questions > 4, differences, unanswered };
    });
    const same = { verdict: "equal", records: [], isAsked: true, differences: [], unanswered: [] };
    expect(found).toEqual(names.sort().map((zone) => ({ zone, ...same })));
    expect(names.length).toBeGreaterThan(isNightly ? 15 : 3);
  },
);

for (const program of ["knot", "nsd"] as const)
  test.skipIf(isMissing(binaries[program]))(`a file and ${program}, which serves it, are equal`, async () => {
    const desk = new Desk({ "zones/example.com.zone": head + old });
    const server = await useNameServer(program, { zones: { "example.com.": head + old } });
    const { zones } = await compareSides(desk, "zones", `@127.0.0.1:${server.port}`);
    expect(zones).toMatchObject([{ verdict: "equal", records: [], answers: { differences: [], unanswered: [] } }]);
    expect(zones[0]?.answers?.questions).toBeGreaterThan(50);
  });

test.skipIf(isMissing("named"))("a delegated zone that one server serves, too, is compared by itself", async () => {
  const parent = lines`
    child 300 IN NS ns.child
    ns.child 300 IN A 192.0.2.1
    child 300 IN DS 1 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    moved 300 IN NS ns.example.org.
  `;
  const alias = "moved 300 IN TXT data\n";
  const both = { "example.com.": head + parent, "child.example.com.": `${head}www 60 IN A 192.0.2.2\n` };
  const a = await serveZones(both);
  const b = await serveZones({ "example.com.": head + parent.replace(/^moved.*\n/m, alias).replace("DS 1", "DS 2") });
  const { zones } = await compareSides(new Desk(), `@${a}`, `@${b}`, { zones: ["example.com"] });
  expect(zones[0]?.answers?.differences.map(({ name, type, parts }) => [name, type, ...parts])).toEqual([
    ["child.example.com.", "DS", "answer"],
    ["moved.example.com.", "NS", "authority", "referral"],
    ["moved.example.com.", "TXT", "answer", "authority", "referral"],
    ["moved.example.com.", "AAAA", "authority", "referral"],
    [`${label}.moved.example.com.`, "A", "rcode", "authority", "referral"],
  ]);
});

/** A change of one RRset, and how it is reported. */
const edits = {
  delete: { kind: "only-a", text: () => "" },
  ttl: { kind: "ttl", text: (owner: string) => `${owner} 301 IN A 192.0.2.1\n` },
  data: { kind: "rdata", text: (owner: string) => `${owner} 300 IN A 192.0.2.2\n` },
  both: { kind: "rdata", text: (owner: string) => `${owner} 301 IN A 192.0.2.2\n` },
  more: { kind: "rdata", text: (owner: string) => `${owner} 300 IN A 192.0.2.1\n${owner} 300 IN A 192.0.2.2\n` },
  add: { kind: "only-b", text: (owner: string) => `${owner} 300 IN A 192.0.2.1\n${owner} 300 IN TXT "new"\n` },
} as const;

test("exactly the changed RRsets are reported", async () => {
  const names = fc.uniqueArray(fc.stringMatching(/^(?:\*\.)?[a-z0-9]{1,4}(?:\.[a-z0-9]{1,3}){0,2}$/), { minLength: 1 });
  const edit = fc.option(fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[])), { freq: 3 });
  const zone = names.chain((all) => fc.tuple(...all.map((owner) => fc.tuple(fc.constant(owner), edit))));
  await fc.assert(
    fc.asyncProperty(zone, async (sets) => {
      const before = sets.map(([owner]) => `${owner} 300 IN A 192.0.2.1\n`);
      const after = sets.map(([owner, edit]) => (edit ? edits[edit].text(owner) : `${owner} 300 IN A 192.0.2.1\n`));
      const desk = new Desk({
        "old/example.com.zone": head + before.join(""),
        "new/example.com.zone": head + after.toReversed().join(""),
      });
      const { zones } = await compareSides(desk, "old", "new");
      const reported = (zones[0]?.records ?? []).map(({ owner, type, kind }) => `${owner} ${type} ${kind}`);
      const wanted = sets.flatMap(([owner, edit]) =>
        edit ? [`${owner}.example.com. ${edit === "add" ? "TXT" : "A"} ${edits[edit].kind}`] : [],
      );
      expect(reported.sort()).toEqual(wanted.sort());
      expect(zones[0]?.verdict).toBe(wanted.length > 0 ? "differs" : "equal");
    }),
    samples(60),
  );
});

/** A name server on UDP only; nothing listens on its port for TCP. */
async function udpServer(reply: (query: Message) => readonly NewMessage[]): Promise<string> {
  const socket = createSocket("udp4");
  socket.bind(await freePort(), "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  socket.on("message", (octets, from) => {
    const query = readMessage(octets);
    for (const message of reply(query)) socket.send(writeMessage(message), from.port, from.address);
  });
  return `127.0.0.1:${socket.address().port}`;
}

const soa = readZone(head, "example.com")
  .records.slice(0, 1)
  .map(({ owner, type, ttl = 0, data }) => ({ owner, type, class: 1, ttl, data }));

test.each<[string, readonly string[], readonly string[], object]>([
  ["equal", ["!a"], ["!a"], { verdict: "equal", records: [] }],
  [
    "others",
    ["!a"],
    ["!b"],
    {
      verdict: "differs",
      records: [
        {
          owner: "bad.example.com.",
          type: "NAPTR",
          kind: "rdata",
          a: { ttl: 300, rdata: ["\\# 11 0001000101750002216100"] },
          b: { ttl: 300, rdata: ["\\# 11 0001000101750002216200"] },
          isExpected: false,
        },
      ],
      answers: { differences: [{ name: "bad.example.com.", type: "NAPTR", parts: ["answer"] }] },
    },
  ],
  [
    "in A alone",
    ["!a"],
    [],
    {
      verdict: "differs",
      records: [
        {
          owner: "bad.example.com.",
          type: "NAPTR",
          kind: "only-a",
          a: { ttl: 300, rdata: ["\\# 11 0001000101750002216100"] },
        },
      ],
      answers: { differences: [{ name: "bad.example.com.", type: "NAPTR", parts: ["answer"] }] },
    },
  ],
])("records with an invalid value are compared by their octets: %s", async (_, inA, inB, expected) => {
  const [a, b] = await Promise.all(
    [inA, inB].map(async (substitutions) => {
      const bad = substitutions.map((regexp) => ({
        owner: domainName("bad.example.com."),
        type: "NAPTR",
        class: 1,
        ttl: 300,
        data: { order: 1, preference: 1, flags: "u", services: "", regexp, replacement: "." },
      }));
      const reply = ({ questions: [question], ...query }: Message): NewMessage => {
        const { name, type } = question as Message["questions"][number];
        const isBad = name.startsWith("bad.") && type === "NAPTR";
        const answers = type === "AXFR" ? [...soa, ...bad, ...soa] : type === "SOA" ? soa : isBad ? bad : [];
        return { id: query.id, qr: true, aa: true, questions: [{ name, type, class: 1 }], answers };
      };
      const { host, port } = await fakeServer((query) => [writeMessage(reply(readMessage(query)))]);
      const socket = createSocket("udp4").bind(port, host);
      await once(socket, "listening");
      onTestFinished(() => void socket.close());
      socket.on("message", (octets, from) =>
        socket.send(writeMessage(reply(readMessage(octets))), from.port, from.address),
      );
      return `@${host}:${port}`;
    }),
  );
  const compared = await compareSides(new Desk({}), a ?? "", b ?? "", { zones: ["example.com"] });
  expect(compared.zones).toMatchObject([expected]);
});

const zoneText = `${head}www 300 IN A 192.0.2.1\n`;
const isSoa = ({ questions: [question] }: Message) => question?.type === "SOA";
const answerSoa = ({ id, questions }: Message): NewMessage => ({ id, qr: true, aa: true, questions, answers: soa });

const noTransfer = [{ side: "b", reason: "SERVER: cannot connect to the server (ECONNREFUSED)" }];
const silent = "no response over UDP to 1 queries";

test.each<[string, (query: Message) => NewMessage[], object]>([
  ["never answers", () => [], { verdict: "unanswered", silent: [{ side: "b", reason: silent }] }],
  [
    "answers with another id",
    (query) => [{ ...answerSoa(query), id: query.id ^ 1 }],
    { verdict: "unanswered", silent: [{ side: "b", reason: "the response has another message id" }] },
  ],
  [
    "answers another question",
    (query) => [{ ...answerSoa(query), questions: query.questions.map((question) => ({ ...question, type: "TXT" })) }],
    { verdict: "unanswered", silent: [{ side: "b", reason: "the response is to another question" }] },
  ],
  [
    "truncates, and has no TCP",
    (query) => [{ ...answerSoa(query), answers: [], tc: true }],
    { verdict: "unanswered", silent: [{ side: "b", reason: "cannot connect to the server (ECONNREFUSED)" }] },
  ],
  [
    "is lame: refuses",
    ({ id, questions }) => [{ id, qr: true, rcode: 5, questions }],
    { verdict: "differs", missing: [{ side: "b", reason: "it replied REFUSED" }] },
  ],
  [
    "is lame: a resolver",
    (query) => [{ ...answerSoa(query), aa: false, ra: true }],
    { verdict: "differs", missing: [{ side: "b", reason: "it is not authoritative for the zone" }] },
  ],
  [
    "failed to load the zone",
    ({ id, questions }) => [{ id, qr: true, rcode: 2, questions }],
    { verdict: "unanswered", silent: [{ side: "b", reason: "it failed (SERVFAIL)" }] },
  ],
  [
    "answers only for the SOA record",
    (query) => (isSoa(query) ? [answerSoa(query)] : []),
    {
      verdict: "unanswered",
      silent: [],
      answers: { unanswered: [{ type: "NS", side: "b", reason: silent }, {}, {}, {}, {}, {}] },
    },
  ],
])("a server that %s", async (_, reply, wanted) => {
  const desk = new Desk({ "zones/example.com.zone": zoneText });
  const server = await udpServer(reply);
  const bounds = { timeoutMs: 150, attempts: 1, connectMs: 500, idleMs: 500 };
  const result = await compareSides(desk, "zones", `@${server}`, { bounds });
  const shown = JSON.parse(JSON.stringify(result.zones[0]).replaceAll(server, "SERVER"));
  expect(shown).toMatchObject({ zone: "example.com.", missing: [], silent: [], notTransferred: noTransfer, ...wanted });
});

test("a server that stops answering is not waited for at each question", async () => {
  const many = Array.from({ length: 300 }, (_, index) => `host-${index} 300 IN A 192.0.2.1\n`).join("");
  const desk = new Desk({ "zones/example.com.zone": head + many });
  const server = await udpServer((query) => (isSoa(query) ? [answerSoa(query)] : []));
  const bounds = { timeoutMs: 250, attempts: 1, connectMs: 500 };
  const begun = Date.now();
  const { zones } = await compareSides(desk, "zones", `@${server}`, { bounds });
  const reasons = (zones[0]?.answers?.unanswered ?? []).map(({ reason }) => reason);
  expect(zones[0]?.verdict).toBe("unanswered");
  expect(new Set(reasons)).toEqual(new Set([silent, "not asked, because 10 questions in a row had no answer"]));
  expect(reasons.length).toBeGreaterThan(600);
  expect(reasons.filter((reason) => reason === silent).length).toBeLessThan(40);
  expect(Date.now() - begun).toBeLessThan(300 * 250);
});

test("an interruption ends the comparison", async () => {
  const desk = new Desk({ "zones/example.com.zone": zoneText });
  const interruption = new AbortController();
  const server = await udpServer((query) => {
    if (isSoa(query)) return [answerSoa(query)];
    interruption.abort();
    return [];
  });
  const result = await desk.run(`compare zones @${server}`, { interruption });
  expect(result).toEqual({ code: 130, out: "", talk: "interrupted: nothing was changed\n" });
});
