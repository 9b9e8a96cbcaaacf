import { createHmac } from "node:crypto";
import { createSocket, type Socket as Dgram } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Question, RECURSION_AVAILABLE } from "dns-packet";

/**
 * A name server of generated zones, some of which it serves as a broken server would. It judges imports, so it shares
 * no code with `src`: messages by dns-packet, TSIG by RFC 8945.
 */
export interface BrokenServer {
  readonly port: number;
  /** The number of transfers that were requested, by zone. */
  readonly requests: ReadonlyMap<string, number>;
  stop(): void;
}

/** The transfers that fail, and the problem that reports each. */
export const breakages = {
  refused: "transfer/refused",
  lame: "transfer/notauth",
  truncated: "transfer/answer",
  "wrong-tsig": "transfer/tsig",
  endless: "transfer/too-large",
  "other-serial": "transfer/soa",
  closed: "transfer/incomplete",
} as const;

export type Breakage = keyof typeof breakages;

const kinds = Object.keys(breakages) as Breakage[];

/** The key that signs transfers, as a key file of BIND. */
export const keyName = "transfer";
const secret = Buffer.from("a secret that both sides know");
export const keyText = `key "${keyName}" { algorithm hmac-sha256; secret "${secret.toString("base64")}"; };\n`;

/** The name of a generated zone, without the final dot. */
export function zoneName(index: number): string {
  return `z${String(index).padStart(5, "0")}.bench.example`;
}

/** How the zone is broken: one in `every`, all kinds in turn. */
export function breakageOf(index: number, every: number): Breakage | undefined {
  return index % every === every - 1 ? kinds[Math.floor(index / every) % kinds.length] : undefined;
}

/** The records of a generated zone, without SOA: 11 to 71 of several types. */
export function recordsOf(index: number): Answer[] {
  const zone = zoneName(index);
  const address = (host: number) => `10.${(index >> 8) & 255}.${index & 255}.${host}`;
  const hosts = Array.from({ length: 1 + (index % 7) }, (_, host): Answer[] => [
    { name: `host${host}.${zone}`, type: "A", ttl: 300, data: address(host) },
    { name: `host${host}.${zone}`, type: "AAAA", ttl: 300, data: `2001:db8::${index.toString(16)}:${host}` },
    { name: `alias${host}.${zone}`, type: "CNAME", ttl: 3600, data: `host${host}.${zone}` },
    {
      name: `_sip._tcp.host${host}.${zone}`,
      type: "SRV",
      ttl: 3600,
      data: { priority: 1, weight: 2, port: 5060, target: `host${host}.${zone}` },
    },
    {
      name: `text${host}.${zone}`,
      type: "TXT",
      ttl: 3600,
      data: [`zone ${index} host ${host}`, "x".repeat(host * 30)],
    },
  ]);
  return [
    { name: zone, type: "NS", ttl: 86400, data: "ns1.example.net" },
    { name: zone, type: "NS", ttl: 86400, data: "ns2.example.net" },
    { name: zone, type: "A", ttl: 300, data: address(99) },
    { name: zone, type: "MX", ttl: 3600, data: { preference: 10, exchange: `host0.${zone}` } },
    { name: zone, type: "TXT", ttl: 3600, data: "v=spf1 mx -all" },
    { name: zone, type: "CAA", ttl: 3600, data: { flags: 0, tag: "issue", value: "ca.example.net" } },
    ...hosts.flat(),
  ];
}

function soaOf(index: number, serial: number): Answer {
  const data = {
    mname: "ns1.example.net",
    rname: "hostmaster.example.net",
    serial,
    refresh: 14400,
    retry: 3600,
    expire: 1209600,
    minimum: 300,
  };
  return { name: zoneName(index), type: "SOA", ttl: 3600, data };
}

/** Starts the server on a free port of 127.0.0.1; one zone in `every` is broken. */
export async function startBrokenServer(every: number): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  const requests = new Map<string, number>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // a client may disconnect at any moment
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE()) return;
      const query = received.subarray(2, 2 + received.readUInt16BE());
      const name = decode(query).questions?.[0]?.name ?? "";
      requests.set(name, (requests.get(name) ?? 0) + 1);
      const index = Number(/^z(\d+)\.bench\.example$/.exec(name)?.[1] ?? -1);
      void answer(socket, query, { index, breakage: breakageOf(index, every) });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const resolver = await startResolver(port);
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    resolver.close();
  };
  return { port, requests, stop };
}

/** Answers every query over UDP: the record does not exist. */
async function startResolver(port: number): Promise<Dgram> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    const { id = 0, questions = [] } = decode(query);
    const soa: Answer = { ...soaOf(0, 7), name: "example" } as Answer;
    socket.send(
      encode({ id, type: "response", flags: RECURSION_AVAILABLE, questions, authorities: [soa] }),
      port,
      address,
    );
  });
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

async function answer(
  socket: Socket,
  query: Buffer,
  { index, breakage }: { readonly index: number; readonly breakage: Breakage | undefined },
): Promise<void> {
  const { id = 0, questions = [] } = decode(query);
  const sign = signer(query, breakage === "wrong-tsig" ? Buffer.from("another secret") : secret);
  const message = (answers: Answer[], { rcode = 0, flags = 0 } = {}) =>
    encode({ id, type: "response", flags: AUTHORITATIVE_ANSWER | flags | rcode, questions, answers });
  const send = (octets: Buffer) => socket.write(framed(sign(octets)));
  if (index < 0 || breakage === "lame") return void send(message([], { rcode: 9 }));
  if (breakage === "refused") return void send(message([], { rcode: 5 }));
  const soa = soaOf(index, 7);
  const records = recordsOf(index);
  if (breakage === "truncated") return void send(message([soa, ...records], { flags: truncated }));
  if (breakage === "endless") {
    send(message([soa]));
    const part = message(manyRecords(index, questions));
    while (socket.writable)
      if (!send(part)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
    return;
  }
  const half = Math.ceil(records.length / 2);
  send(message([soa, ...records.slice(0, half)]));
  if (breakage === "closed") return void socket.end();
  send(message([...records.slice(half), soaOf(index, breakage === "other-serial" ? 8 : 7)]));
}

/** The flag TC of the header. */
const truncated = 1 << 9;

/** Nearly as many records as fit into a message. */
function manyRecords(index: number, questions: Question[]): Answer[] {
  const size = 60_000 - encode({ type: "response", questions }).length;
  const record = (number: number): Answer => ({
    name: `h${number}.${zoneName(index)}`,
    type: "A",
    ttl: 300,
    data: "192.0.2.1",
  });
  const octets = encode({ type: "response", answers: [record(10_000)] }).length;
  return Array.from({ length: Math.floor(size / octets) }, (_, number) => record(number));
}

function framed(message: Buffer): Buffer {
  return Buffer.concat([uint(message.length, 2), message]);
}

function uint(value: number, octets: number): Buffer {
  const buffer = Buffer.alloc(octets);
  buffer.writeUIntBE(value, 0, octets);
  return buffer;
}

/** A name on the wire, without compression. */
function wireName(name: string): Buffer {
  const labels = name.split(".").filter(Boolean);
  return Buffer.concat([...labels.flatMap((label) => [uint(label.length, 1), Buffer.from(label)]), uint(0, 1)]);
}

/** Adds a TSIG record to each message of an answer (RFC 8945 §4.2, §5.3.1); none if the request has none. */
function signer(query: Buffer, secret: Buffer): (message: Buffer) => Buffer {
  const tsig = decode(query).additionals?.at(-1) as { type: string; data: Buffer } | undefined;
  if (!tsig) return (message) => message;
  const algorithm = wireName("hmac-sha256");
  const macAt = algorithm.length + 6 + 2;
  let before = tsig.data.subarray(macAt, macAt + 2 + tsig.data.readUInt16BE(macAt));
  let isFirst = true;
  return (message) => {
    const time = Buffer.concat([uint(Math.floor(Date.now() / 1000), 6), uint(300, 2)]);
    const noError = uint(0, 4);
    const name = wireName(keyName);
    const variables = isFirst ? [name, uint(255, 2), uint(0, 4), algorithm, time, noError] : [time];
    isFirst = false;
    const mac = createHmac("sha256", secret)
      .update(Buffer.concat([before, message, ...variables]))
      .digest();
    before = Buffer.concat([uint(mac.length, 2), mac]);
    const data = Buffer.concat([algorithm, time, before, message.subarray(0, 2), noError]);
    const record = [name, uint(250, 2), uint(255, 2), uint(0, 4), uint(data.length, 2), data];
    const signed = Buffer.concat([message, ...record]);
    signed.writeUInt16BE(signed.readUInt16BE(10) + 1, 10);
    return signed;
  };
}
