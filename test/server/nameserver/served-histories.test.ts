// @suite long nightly-postgres

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { startNameServer } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { isNightly, seed } from "../../properties.ts";
import { start } from "../start.ts";
import { askAll } from "./served.ts";
import { waitForCurrent } from "./wait-for-current.ts";
import { readWireAnswer, type WireAnswer } from "./wire-answer.ts";

const host = "127.0.0.1";
const servfail = 2;
const apexes = ["example.com", "sub.example.com", "c.b.example.com", "example.net"];
const nameserver = "ns1.example.org";

/** Domains that contain each other, and one that does not. */
const domain = fc.constantFrom(
  ...["example.com", "example.com", "example.com", "sub.example.com", "c.b.example.com", "Example.NET"],
);
/** Names that meet: at, above and below each other and the domains, in two spellings, and as wildcards. */
const name = fc.constantFrom("", "a", "A", "b.a", "d.b.a", "*", "*.b", "b", "*.c.b", "sub", "ns.sub", "*.sub", "x.y.z");
const octet = fc.nat(5);
const target = fc.constantFrom(
  ...["a.example.com", "ns.sub.example.com", "NS.Sub.example.com", "w.b.example.com", "b.a.example.com"],
  ...["example.com", "a.example.net", "a.example.org", "d.b.a.example.net"],
);
const data = fc.oneof(
  octet.map((octet) => ({ type: "A", target: `192.0.2.${octet}` })),
  octet.map((octet) => ({ type: "AAAA", target: `2001:db8::${octet}` })),
  fc
    .tuple(octet, fc.constantFrom(1, 1, 300))
    .map(([octet, times]) => ({ type: "TXT", target: `"te\\xt ${octet}`.repeat(times) })),
  fc.tuple(fc.nat(2), target).map(([priority, target]) => ({ type: "MX", priority, target })),
  target.map((target) => ({ type: "NS", target })),
  target.map((target) => ({ type: "CNAME", target })),
  target.map((target) => ({ type: "PTR", target })),
  octet.map((octet) => ({ type: "CAA", tag: "issue", target: `ca${octet}.example.net` })),
  target.map((target) => ({ type: "SRV", service: "_sip", protocol: "_tcp", priority: 1, weight: 2, port: 3, target })),
);
const ttl = fc.constantFrom(0, 300, 3600);
const record = fc.record({ name, ttl_sec: ttl, data }).map(({ data, ...rest }) => ({ ...rest, ...data }));

interface Step {
  readonly domain: string;
  readonly verb: "create" | "change" | "delete" | "fill" | "delegate" | "settings" | "remove" | "wait";
  readonly body: object;
  /** Chooses a record, or the seconds to wait. */
  readonly at: number;
}

const stepOf = (verb: Step["verb"], body: fc.Arbitrary<object> = fc.constant({})): fc.Arbitrary<Step> =>
  fc.record({ domain, verb: fc.constant(verb), body, at: fc.nat(1000) });
const step = fc.oneof(
  { weight: 10, arbitrary: stepOf("create", record) },
  {
    weight: 3,
    arbitrary: stepOf(
      "change",
      fc.oneof(
        name.map((name) => ({ name })),
        ttl.map((ttl_sec) => ({ ttl_sec })),
        target.map((target) => ({ target })),
      ),
    ),
  },
  { weight: 4, arbitrary: stepOf("delete") },
  {
    weight: 2,
    arbitrary: stepOf(
      "fill",
      name.map((name) => ({ name })),
    ),
  },
  {
    weight: 2,
    arbitrary: stepOf(
      "delegate",
      fc.constantFrom("sub", "b", "d", "b.a").map((name) => ({ name })),
    ),
  },
  {
    weight: 2,
    arbitrary: stepOf(
      "settings",
      fc.oneof(
        fc.constantFrom("h@example.com", "h.m@example.net").map((soa_email) => ({ soa_email })),
        ttl.map((ttl_sec) => ({ ttl_sec })),
        ttl.map((expire_sec) => ({ expire_sec })),
        fc.constantFrom("disabled", "active", "active").map((status) => ({ status })),
        domain.map((domain) => ({ domain })),
      ),
    ),
  },
  { weight: 1, arbitrary: stepOf("remove") },
  { weight: 2, arbitrary: stepOf("wait") },
);
/** Several changes between two rounds of questions. */
const round = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 15 }), choice: fc.integer() });

const codes: Readonly<Record<string, number>> = {
  ...{ A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 },
};
/** These, SOA, DNAME, DS, ANY, and an unknown one. */
const types = [...Object.values(codes), 6, 39, 43, 255, 65_280];
const unsized = 0;
const sizes = [unsized, 100, 512, 800, 1232, 4096];

interface Question {
  readonly name: string;
  readonly type: number;
  /** The UDP payload size of EDNS. */
  readonly size: number;
}

function writeQuery({ name, type, size }: Question, id: number): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  const head = Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, size === unsized ? 0 : 1]);
  const opt = size === unsized ? [] : [0, 0, 41, size >> 8, size & 255, 0, 0, 0, 0, 0, 0];
  return Buffer.concat([head, ...labels, Buffer.from([type >> 8, type & 255, 0, 1, ...opt])]);
}

/** Sends queries over one connection from an address; returns the answers in the order of the queries. */
async function askStream({ host, port }: ServerAddress, queries: readonly Buffer[], localAddress = "127.0.0.1") {
  const socket = connect({ host, port, localAddress });
  const answers: Buffer[] = [];
  let received = Buffer.alloc(0);
  let [sent, left] = [0, queries.length];
  const send = (count: number) => {
    for (; count > 0 && sent < queries.length; count--) {
      const query = queries[sent++] ?? Buffer.alloc(0);
      socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]));
    }
  };
  await once(socket, "connect");
  send(16);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk as Buffer]);
    for (let size = 0; received.length >= 2; received = received.subarray(2 + size)) {
      size = received.readUInt16BE(0);
      if (received.length < size + 2) break;
      const octets = Buffer.from(received.subarray(2, 2 + size));
      answers[octets.readUInt16BE(0)] = octets;
      left--;
      send(1);
    }
    if (left === 0) break;
  }
  socket.destroy();
  return answers;
}

/** The domains at one time, as zone files made from the replies of the API, and the answers of our name server. */
interface State {
  readonly files: Readonly<Record<string, string>>;
  /** The records that may be in the additional section, as `WireAnswer` has them. */
  readonly addresses: readonly string[];
  readonly questions: readonly Question[];
  readonly udp: readonly WireAnswer[];
  readonly tcp: readonly WireAnswer[];
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the API.
type Reply = any;

/** The service's defaults (decisions/service#zone-file). */
const times = { ttl_sec: 86_400, refresh_sec: 14_400, retry_sec: 14_400, expire_sec: 1_209_600 };

function timeOf(domain: Reply, field: keyof typeof times): number {
  return domain[field] || times[field];
}

/** The shortest TTL of a record's set (RFC 2181 §5.2), of which BIND takes the first. */
function ttlOf({ domain, records }: Content, { name, type }: Reply): number {
  const set = records.filter((other) => other.name.toLowerCase() === name.toLowerCase() && other.type === type);
  return Math.min(...set.map(({ ttl_sec }) => ttl_sec || timeOf(domain, "ttl_sec")));
}

function addressLines(content: Content): string[] {
  return content.records.flatMap((record) => {
    const { type, target } = record;
    if (type !== "A" && type !== "AAAA") return [];
    const hex = (text: string, digits: number) => text.padStart(digits, "0");
    const four = target.split(".").map((octet: string) => hex(Number(octet).toString(16), 2));
    const data = type === "A" ? four.join("") : `20010db8${hex(target.replace("2001:db8::", ""), 24)}`;
    const owner = `${record.name}.${content.domain.domain}.`.replace(/^\./, "").toLowerCase();
    return [`${owner} ${ttlOf(content, record)} 1 ${codes[type]} ${data}`];
  });
}

/** A master file from the replies of the API. */
function masterFile({ domain, records }: Content, serial: number): string {
  const time = (field: keyof typeof times) => timeOf(domain, field);
  const mail = domain.soa_email.split("@");
  const rname = `${mail[0].replaceAll(".", "\\.")}.${mail[1]}.`;
  const lines = [
    `$ORIGIN ${domain.domain}.`,
    `$TTL ${time("ttl_sec")}`,
    `@ SOA ${nameserver}. ${rname} ${serial} ${time("refresh_sec")} ${time("retry_sec")} ${time("expire_sec")} ${time("ttl_sec")}`,
    `@ NS ${nameserver}.`,
    ...records.map(
      (record) => `${record.name || "@"} ${ttlOf({ domain, records }, record)} ${record.type} ${dataOf(record)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function dataOf({ type, target, priority, weight, port, tag }: Reply): string {
  if (type === "A" || type === "AAAA") return target;
  if (type === "MX") return `${priority} ${target}.`;
  if (type === "SRV") return `${priority} ${weight} ${port} ${target}.`;
  if (type === "CAA") return `0 ${tag} "${target}"`;
  if (type !== "TXT") return `${target}.`;
  return [...target.matchAll(/.{1,255}/g)].map(([part]) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ");
}

/** Plays a history on an API with a name server, and asks after each round. */
async function playHistory(rounds: readonly { readonly steps: readonly Step[]; readonly choice: number }[]) {
  const delay = 60;
  const api = await start({ nameservers: [nameserver], renderDelay: delay });
  const clock = () => api.clock.now;
  const onError = (error: unknown) => expect.fail(String(error));
  const settings = readServerSettings({
    store: api.store,
    ...api.clocks,
    nameservers: [nameserver],
    renderDelay: delay,
  });
  const zones = new StoredZones(settings, clock, { waitForCurrent });
  const service = await listenDns({ host, port: 0, zones, onError });
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const listAll = async (path: string) => {
    const items: Reply[] = [];
    for (let page = 1; ; page++) {
      const { body } = await api.call("GET", `${path}?page=${page}&page_size=500`);
      items.push(...body.data);
      if (page >= body.pages) return items;
    }
  };
  const states: State[] = [];
  try {
    for (const { steps, choice } of rounds) {
      for (const step of steps) await takeStep(api.call, step, pass);
      pass(delay);
      const domains = (await listAll("/domains")).filter(({ status }) => status === "active");
      const contents = await Promise.all(
        domains.map(async (domain) => ({ domain, records: await listAll(`/domains/${domain.id}/records`) })),
      );
      const questions = questionsAbout(contents, choice);
      const queries = questions.map(writeQuery);
      const at = { host, port: service.port };
      const udp = (await askAll(at, queries)).map((octets) => readWireAnswer(octets ?? Buffer.alloc(12)));
      const tcp = (await askStream(at, queries)).map(readWireAnswer);
      const soas = domains.map(({ domain }) => writeQuery({ name: `${domain}.`, type: 6, size: unsized }, 0));
      const serials: (Buffer | undefined)[] = [];
      for (const query of soas) serials.push((await askStream(at, [query]))[0]);
      const files = Object.fromEntries(
        contents.map((content, index) => {
          const answer = serials[index] ?? Buffer.alloc(12);
          // The serial is in front of four times, with five numbers of 32 bits at the end.
          const serial = answer.readUInt16BE(6) === 1 ? answer.readUInt32BE(answer.length - 20) : 0;
          return [`${content.domain.domain}.`, masterFile(content, serial)];
        }),
      );
      states.push({ files, addresses: contents.flatMap(addressLines), questions, udp, tcp });
    }
  } finally {
    await service.close();
  }
  return states;
}

type Call = Awaited<ReturnType<typeof start>>["call"];

/** Sends the requests of a step; the API refuses some, such as a second CNAME record of a name. */
async function takeStep(call: Call, step: Step, pass: (seconds: number) => void): Promise<void> {
  if (step.verb === "wait") return pass(step.at % 90);
  const { body } = await call("GET", "/domains");
  const found = body.data.find(({ domain }: Reply) => domain === step.domain.toLowerCase() || domain === step.domain);
  if (found === undefined) {
    const soa_email = "hostmaster@example.org";
    await call("POST", "/domains", { domain: step.domain, type: "master", soa_email });
    return;
  }
  const path = `/domains/${found.id}`;
  if (step.verb === "remove") await call("DELETE", path);
  else if (step.verb === "settings") await call("PUT", path, step.body);
  else if (step.verb === "create") await call("POST", `${path}/records`, step.body);
  else if (step.verb === "fill")
    for (let octet = 0; octet < 40; octet++)
      await call("POST", `${path}/records`, { ...step.body, type: "A", target: `198.51.100.${octet}` });
  else if (step.verb === "delegate") {
    const { name } = step.body as { name: string };
    for (const server of [`ns.${name}`, `NS2.${name}`, "a"].slice(step.at % 3)) {
      await call("POST", `${path}/records`, { type: "NS", name, target: `${server}.${step.domain}` });
      await call("POST", `${path}/records`, { type: "A", name: server, target: "203.0.113.1" });
      await call("POST", `${path}/records`, { type: "AAAA", name: server, target: "2001:db8::53" });
    }
  } else {
    const { data } = (await call("GET", `${path}/records?page_size=500`)).body;
    const id = data[step.at % Math.max(1, data.length)]?.id;
    if (id === undefined) return;
    if (step.verb === "delete") await call("DELETE", `${path}/records/${id}`);
    else await call("PUT", `${path}/records/${id}`, step.body);
  }
}

interface Content {
  readonly domain: Reply;
  readonly records: readonly Reply[];
}

/** Questions about all owners, and names around them, some of them in upper case. */
function questionsAbout(contents: readonly Content[], choice: number): Question[] {
  const owners = contents.flatMap(({ domain, records }) =>
    records.map(({ name }) => (name === "" ? domain.domain : `${name}.${domain.domain}`)),
  );
  const near = [...owners, ...apexes].flatMap((name) => [
    name,
    `zz.${name}`,
    `y.zz.${name}`,
    name.replace(/^[^.]+\./, ""),
  ]);
  const names = [...new Set([...near, "com", "example.org", "b.example.com"])];
  const held = contents.flatMap(({ domain, records }) =>
    records.map(({ name, type }) => ({
      name: name === "" ? domain.domain : `${name}.${domain.domain}`,
      type: codes[type] ?? 0,
    })),
  );
  const any = names.flatMap((name) => types.map((type) => ({ name, type })));
  const take = (from: typeof any, most: number, seed: number) =>
    fc.sample(
      fc.shuffledSubarray(from, { minLength: Math.min(from.length, most), maxLength: Math.min(from.length, most) }),
      {
        seed,
        numRuns: 1,
      },
    );
  const asked = [...take(any, 110, choice), ...take(held, 40, choice)].flat();
  return asked.map(({ name, type }, index) => ({
    name: `${index % 3 === 0 ? name.toUpperCase() : name}.`,
    type,
    size: sizes[(index * 7 + choice) % sizes.length] ?? unsized,
  }));
}

const addressOf = (index: number) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`;

/** BIND with the zones of each state in a view of its own, which a client chooses with its address. */
function startViews(states: readonly State[]) {
  const config = (folder: string, port: number) => {
    const views = states.map(({ files }, index) => {
      const zones = Object.entries(files).map(([name, text], number) => {
        const file = join(folder, `${index}-${number}`);
        writeFileSync(file, text);
        return `zone "${name}" { type primary; file "${file}"; };`;
      });
      return `view "v${index}" { match-clients { ${addressOf(index)}; }; ${zones.join(" ")} };`;
    });
    const file = join(folder, "ready");
    writeFileSync(file, `@ 60 SOA . . 1 1 1 1 1\n@ 60 NS ns\nns A 192.0.2.1\n`);
    return `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; notify no;
  minimal-responses no-auth; zero-no-soa-ttl no; dnssec-validation no; empty-zones-enable no;
  check-names primary ignore; check-integrity no; check-mx ignore; check-mx-cname ignore; check-srv-cname ignore;
  check-dup-records ignore; check-sibling no; check-wildcard no;
};
controls {};
${views.join("\n")}
view "ready" { match-clients { 127.0.0.1; }; zone "ready." { type primary; file "${file}"; }; };`;
  };
  return startNameServer("bind", { zones: { "ready.": "" }, config });
}

/**
 * Whether an answer ends with an alias, and BIND followed it within its zone: where a zone is above others, the server
 * leaves that to resolvers, because another zone may have the target.
 */
function isLeftToResolvers({ rcode, aa, question, answers, authorities }: WireAnswer, bind: WireAnswer): boolean {
  const isStart = answers.length > 0 && answers.every((line) => / 5 +\S+$/.test(line) && bind.answers.includes(line));
  const above = apexes.filter((apex) => apexes.some((other) => other.endsWith(`.${apex}`)));
  const isAbove = above.some((apex) => question.includes(`${apex}. `));
  return isStart && isAbove && rcode === 0 && aa && bind.aa && authorities.length === 0;
}

/** The difference between our answers and those of BIND, undefined if they agree. */
function compare(
  question: Question,
  seen: Readonly<Record<"udp" | "tcp" | "bind", WireAnswer | undefined>>,
  addresses: readonly string[],
) {
  const { udp, tcp, bind } = seen;
  if (udp === undefined || tcp === undefined || bind === undefined) return { question, wrong: "no answer", ...seen };
  if (isLeftToResolvers(tcp, bind)) return undefined;
  const limit = question.size === unsized ? 512 : Math.min(1232, Math.max(512, question.size));
  const isAny = question.type === 255;
  // BIND answers an alias loop with its records and SERVFAIL, others without an error.
  const isLoop = bind.rcode === servfail && bind.answers.length > 0;
  const head = ({ rcode, aa, question }: WireAnswer) => JSON.stringify([rcode, aa, question]);
  const required = ({ answers, authorities }: WireAnswer) => JSON.stringify([answers, authorities]);
  const isPart = (one: readonly string[], other: readonly string[]) => one.every((line) => other.includes(line));
  const wrong: string[] = [];
  if (head(tcp) !== head(isLoop ? { ...bind, rcode: 0 } : bind)) wrong.push("head");
  if (tcp.tc) wrong.push("truncated over TCP");
  if (!isAny && required(tcp) !== required(bind)) wrong.push("records");
  if (isAny && !(isPart(tcp.answers, bind.answers) && tcp.answers.length > 0 === bind.answers.length > 0))
    wrong.push("ANY");
  if (udp.length > limit) wrong.push("too large");
  if (udp.tc ? tcp.length <= limit : required(udp) !== required(tcp)) wrong.push("truncation");
  if (!isPart(udp.additionals, tcp.additionals)) wrong.push("additionals over UDP");
  if (!udp.tc && tcp.length <= limit && udp.additionals.length !== tcp.additionals.length) wrong.push("left out");
  // Elsewhere addresses are optional: BIND adds those of wildcards, and none of hosts outside of a delegated zone.
  if (!bind.aa && !isPart(bind.additionals, tcp.additionals)) wrong.push("glue");
  if (!isPart(tcp.additionals, addresses)) wrong.push("unknown additionals");
  return wrong.length === 0 ? undefined : { question, wrong, ...seen };
}

test.skipIf(isMissing("named"))(
  "answers over UDP and TCP are those of BIND with the records of the API, after every history of changes",
  async () => {
    const histories = fc.sample(fc.array(round, { minLength: 8, maxLength: 12 }), {
      seed,
      numRuns: isNightly ? 40 : 1,
    });
    for (const history of histories) {
      const states = await playHistory(history);
      const bind = await startViews(states);
      onTestFinished(() => bind.stop());
      for (const [index, { files, addresses, questions, udp, tcp }] of states.entries()) {
        const theirs = (await askStream(bind, questions.map(writeQuery), addressOf(index))).map(readWireAnswer);
        const wrong = questions
          .map((question, at) => compare(question, { udp: udp[at], tcp: tcp[at], bind: theirs[at] }, addresses))
          .filter((difference) => difference !== undefined);
        expect(wrong.slice(0, 3), Object.values(files).join("\n")).toEqual([]);
      }
      await bind.stop();
    }
  },
  3_600_000,
);
