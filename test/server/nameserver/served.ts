import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CompiledZone } from "../../../src/dns/compiled/compiled-zone.ts";
import { compileZone } from "../../../src/dns/compiled/zone-compiler.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { answer, type Transport } from "../../../src/server/nameserver/answer.ts";
import { decodeQuery } from "../../../src/server/nameserver/query.ts";
import { checkQuerySignature, type ReplyContext, replies } from "../../../src/server/nameserver/replies.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readZone, soaOf, type TestZone } from "../../dns/transfer/zones.ts";

/** A zone with everything that makes answers differ. */
export const file = readFileSync(resolve(import.meta.dirname, "../../cases/dns/example.zone"), "utf8");

/** Another one, with a set that fits into no datagram of 512 octets. */
export const other = `$ORIGIN other.example.org.
@ 300 IN SOA ns.example.net. h 1 14400 3600 1209600 60
@ 300 IN NS ns.example.net.
www 300 IN A 192.0.2.9
${Array.from({ length: 60 }, (_, index) => `many 300 IN A 192.0.2.${index}\n`).join("")}`;

export const zone = readZone(file);
export const zones = new ZonesByName([zone, readZone(other)].map(served));

export function served({ records }: TestZone): CompiledZone {
  return compileZone(soaOf(records), records.slice(1), 3600);
}

/** The same as the zones of a name server, without transfers. */
export const stored: Zones = {
  findZones: async () => zones,
  findTransferable: async () => undefined,
  listTransferred: async () => [],
};

/** Sends messages by UDP from an address, a few at a time, and gives their answers in the same order. */
export async function askAll(
  { host, port }: ServerAddress,
  messages: readonly Buffer[],
  from = "127.0.0.1",
): Promise<(Buffer | undefined)[]> {
  const socket = createSocket("udp4");
  socket.bind({ address: from });
  await once(socket, "listening");
  socket.connect(port, host);
  await once(socket, "connect");
  const answers: (Buffer | undefined)[] = messages.map(() => undefined);
  let [sent, received] = [0, 0];
  const more = () => {
    for (; sent < messages.length && sent - received < 16; sent++) socket.send(messages[sent] ?? Buffer.of());
  };
  const all = new Promise<void>((resolve) => {
    socket.on("message", (octets) => {
      answers[octets.readUInt16BE(0)] = octets;
      received++;
      if (received === messages.length) resolve();
      more();
    });
  });
  more();
  await all;
  socket.close();
  return answers;
}

/** The answer to the octets of a message. */
export function answerTo(octets: Uint8Array, zones: ZonesByName, transport: Transport): Buffer | undefined {
  const query = decodeQuery(octets);
  return query && answer(query, zones, transport);
}

/** The replies to the octets of a message. */
export async function* repliesTo(octets: Uint8Array, transport: Transport, peer: string, options: ReplyContext) {
  const query = decodeQuery(octets);
  const { signal } = new AbortController();
  const client = transport === "udp" ? { transport } : { transport, site: peer, signal, onSigned() {} };
  if (query) yield* replies(query, checkQuerySignature(query, options), { ...client, address: peer }, options);
}
