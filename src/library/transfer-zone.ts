import type { UnreadRecord } from "../dns/transfer/message.ts";
import { receiveZone, type TransferOptions } from "../dns-client/transfer-zone.ts";
import { type ReadRecord, toReadRecord } from "./read-record.ts";

/** A transferred zone: its records, and those with an invalid value. */
export interface TransferredZone {
  readonly records: readonly ReadRecord[];
  readonly unread: readonly UnreadRecord[];
}

/**
 * Transfers a complete zone from a name server by AXFR over TCP (RFC 5936).
 * @throws {TransferError} whose `rule` tells why.
 */
export async function transferZone(options: TransferOptions): Promise<TransferredZone> {
  const { records, unread } = await receiveZone(options);
  return { records: records.map((record) => toReadRecord(record, 0)), unread }; // each has a TTL
}
