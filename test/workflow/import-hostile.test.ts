import { mkdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addFrame } from "../../src/dns/transfer/frames.ts";
import { type MessageRecord, readMessage } from "../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { AnswerSigner } from "../../src/dns/transfer/signed-answer.ts";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { type ServerAddress, serverText } from "../../src/dns-client/server-address.ts";
import type { TransferOptions } from "../../src/dns-client/transfer-zone.ts";
import { axfrSource } from "../../src/workflow/import/axfr.ts";
import { type ImportResult, importInto } from "../../src/workflow/import/zones.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { Desk } from "../cli/run.ts";
import { fakeServer, tcpServer } from "../dns/transfer/fake-server.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { domainName } from "../names.ts";
import { contextOf } from "./import-context.ts";

const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("a shared secret") };
const wrongKey: Key = { ...key, secret: Buffer.from("another secret") };

const soaText = "@ 300 IN SOA ns.example. hostmaster 7 14400 3600 1209600 300\n";

function recordsOf(zone: string, text: string): MessageRecord[] {
  return readZone(text, zone).records.map(({ owner, type, ttl = 0, data }) => ({ owner, type, class: 1, ttl, data }));
}

/** Messages of a transfer, by the first label of the zone; each is signed unless it says otherwise. */
type Stream = (context: {
  readonly parts: readonly [NewMessage, NewMessage, NewMessage];
  readonly signer: AnswerSigner;
  readonly other: AnswerSigner;
}) => Iterable<Uint8Array>;

const signed = (messages: Iterable<NewMessage>, signer: AnswerSigner) =>
  [...messages].map((message) => signer.sign(writeMessage(message)));

/** A header, and a name that a pointer of compression begins or continues (RFC 1035 §4.1.4). */
const withName = (id: number, ...name: number[]) =>
  Buffer.from([id >> 8, id & 255, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name, 0, 252, 0, 1]);

const streams: Readonly<Record<string, { readonly stream: Stream; readonly problem?: string }>> = {
  good: { stream: ({ parts, signer }) => signed(parts, signer) },
  "bad-first": {
    stream: ({ parts: [first, ...rest], signer, other }) => [...signed([first], other), ...signed(rest, signer)],
    problem: "transfer/tsig: the TSIG of the response is invalid (BADSIG)",
  },
  "bad-middle": {
    stream: ({ parts: [first, middle, last], signer, other }) => [
      ...signed([first], signer),
      ...signed([middle], other),
      ...signed([last], signer),
    ],
    problem: "transfer/tsig: the TSIG of the response is invalid (BADSIG)",
  },
  "bad-last": {
    stream: ({ parts: [first, middle, last], signer, other }) => [
      ...signed([first, middle], signer),
      ...signed([last], other),
    ],
    problem: "transfer/tsig: the TSIG of the response is invalid (BADSIG)",
  },
  "unsigned-first": {
    stream: ({ parts: [first, ...rest], signer }) => [writeMessage(first), ...signed(rest, signer)],
    problem: "transfer/tsig: the response is not signed with the TSIG key",
  },
  "unsigned-last": {
    stream: ({ parts: [first, middle, last], signer }) => [...signed([first, middle], signer), writeMessage(last)],
    problem: "transfer/tsig: the last message of the response is not signed",
  },
  "compression-loop": {
    stream: ({ parts: [{ id = 0 }], signer }) => [signer.sign(withName(id, 0xc0, 12))],
    problem:
      "transfer/message: the DNS message is invalid at octet 12: the compression pointer of a name does not point to an earlier name",
  },
  "compression-circle": {
    stream: ({ parts: [{ id = 0 }], signer }) => [signer.sign(withName(id, 1, 0x61, 0xc0, 12))],
    problem:
      "transfer/message: the DNS message is invalid at octet 12: the compression pointer of a name does not point to an earlier name",
  },
  "compression-forward": {
    stream: ({ parts: [{ id = 0 }], signer }) => [signer.sign(withName(id, 0xc0, 14, 0))],
    problem:
      "transfer/message: the DNS message is invalid at octet 12: the compression pointer of a name does not point to an earlier name",
  },
  "cut-message": {
    stream: ({ parts: [first] }) => [writeMessage(first).subarray(0, -3)],
    problem: "transfer/message: the DNS message is invalid at octet 49: it ends in the middle of a field",
  },
  "mixed-classes": {
    stream: ({ parts: [first, { answers = [], ...middle }, last], signer }) =>
      signed([first, { ...middle, answers: answers.map((record) => ({ ...record, class: 3 })) }, last], signer),
    problem: "transfer/class: a record has the class 3, not IN",
  },
  "other-zone": {
    stream: ({ parts: [first, middle, last], signer }) =>
      signed([first, { ...middle, answers: recordsOf("example.org", "www 300 IN A 192.0.2.1\n") }, last], signer),
    problem: 'transfer/out-of-zone: the server sent "www.example.org.", which is not in the zone',
  },
  "soa-of-other-zone": {
    stream: ({ parts: [first], signer }) => signed([{ ...first, answers: recordsOf("example.org", soaText) }], signer),
    problem: "transfer/soa: the transfer does not start with the SOA record of the zone",
  },
  "other-question": {
    stream: ({ parts: [first], signer }) =>
      signed([{ ...first, questions: [{ name: domainName("example.org."), type: "AXFR", class: 1 }] }], signer),
    problem: "transfer/answer: the response is to another question",
  },
  "other-id": {
    stream: ({ parts: [first, ...rest], signer }) => signed([{ ...first, id: (first.id ?? 0) ^ 1 }, ...rest], signer),
    problem: "transfer/answer: the response has another message id",
  },
  "other-id-later": {
    stream: ({ parts: [first, middle, last], signer }) =>
      signed([first, { ...middle, id: (middle.id ?? 0) ^ 1 }, last], signer),
    problem: "transfer/answer: the response has another message id",
  },
  "not-a-response": {
    stream: ({ parts: [first], signer }) => signed([{ ...first, qr: false }], signer),
    problem: "transfer/answer: the server sent a message that is not a response",
  },
  endless: {
    stream: function* ({ parts: [first, middle], signer }) {
      yield* signed([first], signer);
      for (let index = 0; index < 500; index++) yield* signed([middle], signer);
    },
    problem: "transfer/too-large: the zone has more than 100 records",
  },
  "empty-messages": {
    stream: function* ({ parts: [first], signer }) {
      yield* signed([first], signer);
      for (let index = 0; index < 500; index++) yield* signed([{ ...first, answers: [] }], signer);
    },
    problem: "transfer/answer: the server sent more than 100 messages without a record",
  },
  giant: {
    stream: ({ parts: [first, { answers = [], ...middle }], signer }) => {
      const data = { strings: Array.from({ length: 200 }, () => "x".repeat(250)) };
      const large = Array.from({ length: 2 }, () => ({
        ...middle,
        answers: [{ ...answers[0], type: "TXT", data } as MessageRecord],
      }));
      return signed([first, ...large], signer);
    },
    problem: "transfer/too-large: the zone is larger than 60000 octets",
  },
};

test("a hostile stream fails its own zone, once and without a file", async () => {
  const server = await fakeServer((octets) => {
    const query = readMessage(octets);
    const { id, questions, tsig } = query;
    const zone = (questions[0]?.name ?? "").slice(0, -1);
    const [soa, ...rest] = recordsOf(zone, `${soaText}@ 300 IN NS ns.example.\nwww 300 IN A 192.0.2.1\n`);
    if (!soa || !tsig) throw new Error("no request");
    const head = { id, qr: true, aa: true, questions };
    const part = (answers: readonly MessageRecord[]): NewMessage => ({ ...head, answers });
    const parts = [part([soa]), part(rest), part([soa])] as const;
    const now = () => Math.floor(Date.now() / 1000);
    const [signer, other] = [key, wrongKey].map((one) => new AnswerSigner(one, { mac: tsig.mac }, now));
    if (!signer || !other) throw new Error("no signer");
    return streams[zone.split(".")[0] ?? ""]?.stream({ parts, signer, other }) ?? [];
  });
  const desk = new Desk();
  const names = Object.keys(streams).map((label) => `${label}.example.`);
  const results = await runImport(desk, names, { server, bounds: { records: 100, octets: 60_000 }, key });
  expect(outcomes(results, server)).toEqual(
    Object.entries(streams).map(([label, { problem }]) =>
      problem === undefined
        ? `${label}.example. written zones/${label}.example.yaml`
        : `${label}.example. failed: ${problem}`,
    ),
  );
  expect(zoneFiles(desk)).toEqual(["zones/good.example.yaml"]);
});

/** Name servers that keep a connection open; the bounds are those of the test, so that it does not wait for minutes. */
const slowServers: Readonly<Record<string, readonly [problem: string, send: (socket: Socket, query: Buffer) => void]>> =
  {
    nothing: ["transfer/timeout: the server has not answered within 0.2 seconds", () => {}],
    "an octet at a time": [
      "transfer/timeout: the server has not answered within 0.2 seconds",
      (socket) => {
        socket.write(Buffer.from([0xff, 0xff])); // the length of a message that takes minutes
        repeat(socket, () => socket.write(Buffer.from([0])));
      },
    ],
    "a message at a time": [
      "transfer/timeout: the server has sent no new record within 0.2 seconds",
      (socket, query) => {
        const { id, questions } = readMessage(query);
        const head = { id, qr: true, aa: true, questions };
        const [soa] = recordsOf("slow.example", soaText);
        socket.write(addFrame(writeMessage({ ...head, answers: soa ? [soa] : [] })));
        repeat(socket, () => socket.write(addFrame(writeMessage(head))));
      },
    ],
  };

/** Acts every 20 ms until the connection ends: a reply of 32 octets must take longer than the idle time. */
function repeat(socket: Socket, act: () => void): void {
  const timer = setInterval(act, 20);
  socket.once("close", () => clearInterval(timer));
}

test.each(Object.entries(slowServers))("a name server that sends %s fails in time, without a file", async (_, row) => {
  const [problem, send] = row;
  const server = await tcpServer((socket) => socket.once("data", (query) => send(socket, query.subarray(2))));
  const desk = new Desk();
  const bounds = { idleMs: 200, totalMs: 600 };
  expect(outcomes(await runImport(desk, ["slow.example."], { server, bounds }), server)).toEqual([
    `slow.example. failed: ${problem}`,
  ]);
  expect(zoneFiles(desk)).toEqual([]);
});

interface Options {
  readonly server?: ServerAddress;
  readonly key?: Key;
  readonly bounds?: TransferOptions["bounds"];
  readonly text?: string;
}

async function runImport(desk: Desk, names: readonly string[], options: Options): Promise<ImportResult[]> {
  const { server = { host: "192.0.2.53", port: 53 }, key, bounds, text } = options;
  const context = contextOf(desk);
  const project = openProject(context, { config: "zonewright.yaml" });
  const request = {
    zones: names.map((name) => domainName(name)),
    servers: [server],
    key,
    jobs: 4,
    perServer: 4,
    ...(bounds && { bounds }),
  };
  const transfer = async ({ zone }: TransferOptions) => {
    const { records } = readZone(text ?? "", zone.slice(0, -1));
    return { records, unread: [] };
  };
  const source = axfrSource(request, text === undefined ? undefined : transfer);
  const results: ImportResult[] = [];
  for await (const one of importInto(
    context,
    project,
    { source, to: "yaml", isRestart: false, command: "" },
    { confirm: async () => true },
  ))
    results.push(one);
  return results;
}

function zoneFiles(desk: Desk): string[] {
  return Object.keys(desk.files()).filter((file) => file.startsWith("zones/"));
}

/** The results as lines, without the name of the server. */
function outcomes(results: readonly ImportResult[], server?: ServerAddress): string[] {
  const from = server && `${serverText(server)}: `;
  const shown = (summary: string) =>
    from !== undefined && summary.startsWith(from) ? summary.slice(from.length) : summary;
  return results.map((result) =>
    result.state === "failed"
      ? `${result.name} failed: ${result.problems.map(({ id, summary }) => `${id}: ${shown(summary)}`).join("; ")}`
      : `${result.name} ${result.state} ${result.file}`,
  );
}

const text = `${soaText}@ 300 IN NS ns.example.\nwww 300 IN A 192.0.2.1\n`;

test("names that are hostile as file names become files in the folder, or fail alone", async () => {
  const desk = new Desk();
  const long = `${Array.from({ length: 3 }, () => "\\001".repeat(60)).join(".")}.example.`;
  const names = [
    "a/b.example.",
    "\\.\\.\\/b.example.",
    "con.example.",
    "-rf.example.",
    "node_modules.",
    "x\\010y.example.",
  ];
  const results = outcomes(await runImport(desk, [...names, long, "last.example."], { text }));
  expect(results.at(-2)).toContain("its name is too long for the file system");
  expect(results.at(-1)).toBe("last.example. written zones/last.example.yaml");
  expect(zoneFiles(desk)).toHaveLength(names.length + 1);
  expect(Object.keys(desk.files()).filter((file) => !/^(?:zones|\.zonewright)\//.test(file))).toEqual([]);
  // Each file is read again as its zone.
  expect((await runImport(desk, names, { text })).map(({ state }) => state)).toEqual(names.map(() => "same"));
});

test("a zone whose file cannot be written or merged fails alone", async () => {
  const desk = new Desk({
    "zones/slave.example.yaml": "type: slave\nmaster_ips: [192.0.2.1]\n",
    "zones/broken.example.yaml": "records: { www: { A: 1.2.3 } }\n",
    "zones/taken.example.yaml": "zone: other.example\nrecords: { www: { A: 192.0.2.1 } }\n",
    "zones/elsewhere/moved.example.yaml": "records: { www: { A: 192.0.2.2 } }\n",
  });
  mkdirSync(join(desk.folder, "zones/folder.example.yaml"));
  const names = ["slave", "broken", "taken", "folder", "moved", "last"].map((label) => `${label}.example.`);
  const before = desk.files();
  expect(outcomes(await runImport(desk, names, { text }))).toEqual([
    "slave.example. failed: rewrite-inexact: zones/slave.example.yaml is a slave zone: its records come from its masters, so none can be merged into it",
    "broken.example. failed: rewrite-inexact: zones/broken.example.yaml has errors, so nothing can be merged into it",
    "taken.example. failed: rewrite-name: zones/taken.example.yaml contains the zone other.example., not taken.example.",
    "folder.example. failed: file-read: zones/folder.example.yaml cannot be read: it is a folder",
    "moved.example. written zones/elsewhere/moved.example.yaml",
    "last.example. written zones/last.example.yaml",
  ]);
  const after = desk.files();
  const changed = zoneFiles(desk).filter((file) => before[file] !== after[file]);
  expect(changed).toEqual(["zones/elsewhere/moved.example.yaml", "zones/last.example.yaml"]);
});
