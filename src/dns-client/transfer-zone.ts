import { randomInt } from "node:crypto";
import type { Name } from "../dns/name/name.ts";
import { AxfrReceiver, type AxfrZone, type Bounds } from "../dns/transfer/axfr-receiver.ts";
import { dnsClass } from "../dns/transfer/codes.ts";
import { writeMessage } from "../dns/transfer/message-writer.ts";
import { AnswerVerifier } from "../dns/transfer/signed-answer.ts";
import { type Key, sign } from "../dns/transfer/tsig.ts";
import { type ServerAddress, type TimeBounds, timeBounds } from "./server-address.ts";
import { overTcp } from "./tcp.ts";

export interface TransferOptions {
  readonly zone: Name;
  readonly server: ServerAddress;
  /** Signs the request; the response must then be signed with it, too. */
  readonly key?: Key | undefined;
  readonly bounds?: Partial<Bounds & TimeBounds>;
  readonly signal?: AbortSignal;
  /** @internal Called with the octets of each message that was read. The next one is read when it resolves. */
  readonly pause?: (octets: number) => Promise<void>;
  /** In seconds since 1970. */
  readonly now?: () => number;
}

const sizeBounds: Bounds = { records: 5_000_000, octets: 2 ** 30 };

/**
 * Transfers a complete zone from a name server by AXFR over TCP (RFC 5936).
 * @throws {TransferError} whose `rule` tells why.
 */
export async function receiveZone(options: TransferOptions): Promise<AxfrZone> {
  const { zone, server, key, signal, pause, now = () => Math.floor(Date.now() / 1000) } = options;
  const bounds = { ...sizeBounds, ...timeBounds, ...options.bounds };
  const id = randomInt(65536);
  const query = writeMessage({ id, questions: [{ name: zone, type: "AXFR", class: dnsClass.in }] });
  const signed = key && sign(query, key, { time: now() });
  const verifier = key && signed && new AnswerVerifier(key, signed.mac, now);
  const receiver = new AxfrReceiver(zone, id, bounds, verifier);
  const recordCount = () => receiver.recordCount;
  for await (const message of overTcp(signed?.message ?? query, server, { ...bounds, signal, recordCount })) {
    receiver.take(message);
    if (receiver.isWhole) break;
    await pause?.(message.length);
  }
  return receiver.end();
}
