import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** The zone that all these primaries are asked for. */
export const zone = "example.com";
/** The name of the key that requests to some of them are signed with. */
export const keyName = "transfer";

/** The time limits of an import that meets a slow primary; all others have time enough. */
export interface TimeLimits {
  readonly connectMs?: number;
  readonly idleMs?: number;
  readonly totalMs?: number;
}

/**
 * A primary that does harm, by mistake or by intent. It shares no code with `src`: its messages are octets (RFC 1035
 * §4.1).
 */
export interface HostilePrimary {
  /** Its use of a connection on which it was asked for the zone, or its way to listen and have none. */
  readonly act: ((peer: Peer) => unknown) | "refuses" | "never accepts";
  readonly limits?: TimeLimits;
  /** Whether it is asked with a TSIG key. */
  readonly isSigned?: true;
}

/** Octets of a response: its header and question as asked, unless they are replaced, and the records. */
interface Response {
  readonly id?: number;
  /** The second 16 bits of the header; by default those of an authoritative answer. */
  readonly bits?: number;
  readonly question?: Buffer;
  readonly answers?: readonly Buffer[];
  readonly authorities?: readonly Buffer[];
  readonly additionals?: readonly Buffer[];
}

/** A connection on which the zone was asked for. */
export class Peer {
  readonly socket: Socket;
  readonly #id: number;

  constructor(socket: Socket, query: Buffer) {
    this.socket = socket;
    this.#id = query.readUInt16BE();
  }

  message(response: Response = {}): Buffer {
    return messageOf(this.#id, axfr, response);
  }

  send(...messages: Buffer[]): boolean {
    return this.socket.write(Buffer.concat(messages.map(framed)));
  }

  /** Sends the messages, and the last one again and again as fast as they are read, at most 200 MB in all. */
  async flood(...messages: Buffer[]): Promise<void> {
    const again = Buffer.concat(Array(64).fill(framed(messages.at(-1) as Buffer)));
    let [resume, sent] = [() => {}, 0];
    this.socket.on("drain", () => resume()).on("close", () => resume());
    this.send(...messages);
    for (; sent < 200e6 && this.socket.writable; sent += again.length)
      if (!this.socket.write(again)) await new Promise<void>((resolve) => (resume = resolve));
  }

  /** Acts every 50 ms until the connection ends, at most for 10 seconds. */
  async repeat(act: () => void): Promise<void> {
    for (let time = 0; time < 200; time++) {
      await wait(50);
      if (!this.socket.writable) return;
      act();
    }
  }
}

const types = { A: 1, CNAME: 5, SOA: 6, DS: 43, TSIG: 250, AXFR: 252, private: 65280 };

const uint = (octets: number, value: number): Buffer => {
  const buffer = Buffer.alloc(octets);
  buffer.writeUIntBE(value, 0, octets);
  return buffer;
};
const framed = (message: Buffer): Buffer => Buffer.concat([uint(2, message.length), message]);

function nameOf(text: string): Buffer {
  const labels = text.split(".").filter(Boolean);
  return Buffer.concat([...labels.flatMap((label) => [uint(1, label.length), Buffer.from(label)]), uint(1, 0)]);
}

const questionOf = (name: string, type: number) => Buffer.concat([nameOf(name), uint(2, type), uint(2, 1)]);
const axfr = questionOf(zone, types.AXFR);
/** A pointer to the name in the question. */
const apex = uint(2, 0xc00c);
const authoritative = 0x8400;

function messageOf(id: number, asked: Buffer, response: Response): Buffer {
  const { question = asked, answers = [], authorities = [], additionals = [], bits = authoritative } = response;
  const counts = [1, answers.length, authorities.length, additionals.length].map((count) => uint(2, count));
  const head = [uint(2, response.id ?? id), uint(2, bits), ...counts];
  return Buffer.concat([...head, question, ...answers, ...authorities, ...additionals]);
}

function record(owner: Buffer, type: number, data: Buffer, { recordClass = 1 } = {}): Buffer {
  return Buffer.concat([owner, uint(2, type), uint(2, recordClass), uint(4, 300), uint(2, data.length), data]);
}

const soa = (serial = 7, owner = apex) => {
  const numbers = [serial, 14400, 3600, 1209600, 300].map((number) => uint(4, number));
  return record(owner, types.SOA, Buffer.concat([apex, apex, ...numbers]));
};
const address = (owner = apex) => record(owner, types.A, Buffer.from([192, 0, 2, 1]));
/** As many of these records as fit into a message. */
const full = (one: Buffer) => Array<Buffer>(Math.floor(65_000 / one.length)).fill(one);

/** A TSIG record without a signature (RFC 8945 §4.2). */
function tsig(error: number, mac = Buffer.alloc(0)): Buffer {
  const time = uint(6, Math.floor(Date.now() / 1000));
  const data = [nameOf("hmac-sha256"), time, uint(2, 300), uint(2, mac.length), mac, uint(2, 0), uint(2, error)];
  const octets = Buffer.concat([...data, uint(2, 0)]);
  const head = [nameOf(keyName), uint(2, types.TSIG), uint(2, 255), uint(4, 0), uint(2, octets.length)];
  return Buffer.concat([...head, octets]);
}

const rcode = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, NOTAUTH: 9 };
const tsigError = { BADSIG: 16, BADKEY: 17, BADTIME: 18 };

/** Long enough for what is sent before the silence, also on a busy machine. */
const soon: TimeLimits = { idleMs: 1000 };

export const hostilePrimaries: Readonly<Record<string, HostilePrimary>> = {
  // unreachable
  "refuses the connection": { act: "refuses" },
  "accepts no connection": { act: "never accepts", limits: { connectMs: 150 } },
  "resets the connection": { act: ({ socket }) => socket.resetAndDestroy() },
  "closes the connection at once": { act: ({ socket }) => socket.end() },

  // too slow
  "never answers": { act: () => {}, limits: soon },
  "sends an octet now and then": {
    act: (peer) => peer.repeat(() => peer.socket.write(uint(1, 255))),
    limits: soon,
  },
  "sends half a frame": {
    act: (peer) => peer.socket.write(framed(peer.message({ answers: [soa()] })).subarray(0, 30)),
    limits: soon,
  },
  "sends the SOA record only": { act: (peer) => peer.send(peer.message({ answers: [soa()] })), limits: soon },
  "sends an empty message now and then": {
    act: (peer) => {
      peer.send(peer.message({ answers: [soa()] }));
      return peer.repeat(() => peer.send(peer.message()));
    },
    limits: soon,
  },
  "sends a record now and then": {
    act: (peer) => {
      peer.send(peer.message({ answers: [soa()] }));
      return peer.repeat(() => peer.send(peer.message({ answers: [address()] })));
    },
    limits: { totalMs: 500 },
  },

  // too large
  "sends millions of records": {
    act: (peer) => peer.flood(peer.message({ answers: [soa()] }), peer.message({ answers: full(address()) })),
  },
  "sends endless CNAMEs": {
    act: (peer) =>
      peer.flood(peer.message({ answers: [soa()] }), peer.message({ answers: full(record(apex, types.CNAME, apex)) })),
  },
  "sends millions of messages with a record": {
    act: (peer) => peer.flood(peer.message({ answers: [soa()] }), peer.message({ answers: [address()] })),
  },
  "sends millions of invalid records": {
    act: (peer) =>
      peer.flood(
        peer.message({ answers: [soa()] }),
        peer.message({ answers: full(record(apex, types.DS, Buffer.from([0, 1, 13, 2, 171]))) }),
      ),
  },
  "sends huge records": {
    act: (peer) =>
      peer.flood(
        peer.message({ answers: [soa()] }),
        peer.message({ answers: [record(apex, types.private, Buffer.alloc(65_000))] }),
      ),
  },

  // refused
  ...Object.fromEntries(
    Object.entries(rcode).map(([name, code]): [string, HostilePrimary] => [
      `answers ${name}`,
      { act: (peer) => peer.send(peer.message({ bits: authoritative | code })) },
    ]),
  ),
  "answers REFUSED in the middle": {
    act: (peer) => peer.send(peer.message({ answers: [soa()] }), peer.message({ bits: authoritative | rcode.REFUSED })),
  },
  ...Object.fromEntries(
    Object.entries(tsigError).map(([name, code]): [string, HostilePrimary] => [
      `rejects the key with ${name}`,
      {
        act: (peer) => peer.send(peer.message({ bits: authoritative | rcode.NOTAUTH, additionals: [tsig(code)] })),
        isSigned: true,
      },
    ]),
  ),
  "does not sign its response": { act: (peer) => peer.send(peer.message({ answers: [soa(), soa()] })), isSigned: true },
  "signs with another secret": {
    act: (peer) => peer.send(peer.message({ answers: [soa(), soa()], additionals: [tsig(0, Buffer.alloc(32))] })),
    isSigned: true,
  },

  // no transfer
  "sends empty messages without end": {
    act: (peer) => peer.flood(peer.message({ answers: [soa()] }), peer.message()),
  },
  "sends empty messages only": { act: (peer) => peer.flood(peer.message()) },
  "fills the authority section": {
    act: (peer) => peer.flood(peer.message({ answers: [soa()] }), peer.message({ authorities: full(address()) })),
  },
  "sends frames of length 0": { act: (peer) => peer.flood(Buffer.alloc(0)) },
  "sends huge frames of junk": { act: (peer) => peer.flood(Buffer.alloc(65_535, 0xa5)) },
  "speaks HTTP": { act: ({ socket }) => socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n") },
  "closes the connection in the middle": {
    act: (peer) => {
      peer.send(peer.message({ answers: [soa(), address()] }));
      peer.socket.end(framed(peer.message({ answers: [address()] })).subarray(0, 20));
    },
  },
  "resets the connection in the middle": {
    act: (peer) => {
      peer.send(peer.message({ answers: [soa(), address()] }));
      return peer.repeat(() => peer.socket.resetAndDestroy());
    },
  },
  "sends SOA records of two serials": {
    act: (peer) => peer.send(peer.message({ answers: [soa(7), address(), soa(8)] })),
  },
  "sends SOA records of rising serials without end": {
    act: (peer) => peer.flood(...[7, 8, 9].map((serial) => peer.message({ answers: [soa(serial)] }))),
  },
  "sends no SOA record first": { act: (peer) => peer.send(peer.message({ answers: [address(), soa(), soa()] })) },
  "sends records after the last SOA record": {
    act: (peer) => peer.send(peer.message({ answers: [soa(), soa(), soa()] })),
  },
  "sends another zone": {
    act: (peer) => peer.send(peer.message({ answers: [soa(7, nameOf("example.org")), soa(7, nameOf("example.org"))] })),
  },
  "sends records of another zone": {
    act: (peer) => peer.send(peer.message({ answers: [soa(), address(nameOf("www.example.org")), soa()] })),
  },
  "sends records of another class": {
    act: (peer) =>
      peer.send(
        peer.message({ answers: [soa(), record(apex, types.A, Buffer.from([0, 0, 0, 0]), { recordClass: 3 }), soa()] }),
      ),
  },
  "sends a compression loop": {
    act: (peer) => peer.send(peer.message({ question: Buffer.concat([apex, uint(2, types.AXFR), uint(2, 1)]) })),
  },
  "sends records that point at themselves": {
    // the owner of the record begins where its pointer points to
    act: (peer) => peer.send(peer.message({ answers: full(address(uint(2, 0xc000 + 12 + axfr.length))) })),
  },
  "counts records that are not there": {
    act: (peer) => {
      const message = peer.message({ answers: [soa()] });
      message.writeUInt16BE(65_535, 6);
      return peer.send(message);
    },
  },
  "truncates its response": {
    act: (peer) => peer.send(peer.message({ bits: authoritative | 0x200, answers: [soa()] })),
  },
  "answers with another id": { act: (peer) => peer.flood(peer.message({ id: 0, answers: [soa(), soa()] })) },
  "answers another question": {
    act: (peer) =>
      peer.send(peer.message({ question: questionOf("example.org", types.AXFR), answers: [soa(), soa()] })),
  },
  "sends a query": { act: (peer) => peer.send(peer.message({ bits: 0, answers: [soa(), soa()] })) },
  "sends a NOTIFY": {
    act: (peer) => peer.send(peer.message({ bits: authoritative | 0x2000, answers: [soa(), soa()] })),
  },
};

/** The second SOA record ends the transfer, whatever follows. */
export const endlessSoa: HostilePrimary = { act: (peer) => peer.flood(peer.message({ answers: [soa()] })) };

export interface RunningPrimary {
  readonly host: string;
  readonly port: number;
  /** The number of connections on which the zone was asked for. */
  readonly connections: () => number;
}

/** Starts the primary on 127.0.0.1. Over UDP, it answers questions for the SOA record without fault. */
export async function startPrimary({ act }: HostilePrimary): Promise<RunningPrimary> {
  let connections = 0;
  const { port, stop } =
    act === "never accepts"
      ? await listenInVain()
      : await listen((socket) =>
          socket.once("data", (query) => {
            connections++;
            if (act !== "refuses") act(new Peer(socket, query.subarray(2)));
          }),
        );
  if (act === "refuses") stop();
  const stopDatagrams = await answerSoa(port);
  onTestFinished(() => {
    stop();
    stopDatagrams();
  });
  return { host, port, connections: () => connections };
}

const host = "127.0.0.1";

interface Listener {
  readonly port: number;
  stop(): void;
}

async function listen(converse: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}); // the other side may close the connection at any moment
    converse(socket);
  });
  server.listen(0, host);
  await once(server, "listening");
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Listens without accepting: a thread that does nothing more, and connections that fill its queue. */
async function listenInVain(): Promise<Listener> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:net").createServer().listen({ port: 0, host: "${host}", backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
    });
  `;
  const thread = new Worker(code, { eval: true });
  const [port] = (await once(thread, "message")) as [number];
  const sockets = Array.from({ length: 2 }, () => connect({ host, port }).on("error", () => {}));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    void thread.terminate();
  };
  return { port, stop };
}

/** Answers questions for the SOA record. */
async function answerSoa(port: number): Promise<() => void> {
  const socket = createSocket("udp4");
  const asked = questionOf(zone, types.SOA);
  socket.on("message", (query, peer) =>
    socket.send(messageOf(query.readUInt16BE(), asked, { answers: [soa()] }), peer.port, peer.address),
  );
  socket.bind(port, host);
  await once(socket, "listening");
  return () => socket.close();
}
