import { randomInt } from "node:crypto";
import { UnprovenError } from "../dns/transfer/signed-answer.ts";
import { TransferError } from "../dns/transfer/transfer-error.ts";
import { sign } from "../dns/transfer/tsig.ts";
import { type Update, writeUpdate } from "../dns/transfer/update.ts";
import { readUpdateReply, type SentUpdate, type UpdateReply } from "../dns/transfer/update-reply.ts";
import type { AskOptions } from "./ask.ts";
import type { ServerAddress, TimeBounds } from "./server-address.ts";
import { overTcp } from "./tcp.ts";

/** The end of an update. */
export type UpdateOutcome =
  | { readonly kind: "answered"; readonly reply: UpdateReply }
  /**
   * It may have taken effect, now or later. `claim` is an error without a signature, which the server or someone else
   * replied.
   */
  | { readonly kind: "lost"; readonly reason: TransferError; readonly claim?: UpdateReply }
  /** Nothing of it was sent. */
  | { readonly kind: "unsent"; readonly reason: TransferError };

export interface UpdateOptions extends Pick<AskOptions, "key" | "signal" | "now"> {
  readonly bounds?: Partial<TimeBounds>;
}

/** Longer than for questions: a server that signs works for a while, and its late reply would be lost. */
export const updateBounds: TimeBounds = { connectMs: 10_000, idleMs: 120_000, totalMs: 130_000 };

/**
 * Sends an update over TCP, once: if the host has several addresses, to the first that accepts a connection. Messages
 * that are no reply to it are skipped.
 * @throws {RangeError} as `writeUpdate` does; failures of the network are outcomes.
 */
export async function sendUpdate(
  server: ServerAddress,
  update: Update,
  options: UpdateOptions = {},
): Promise<UpdateOutcome> {
  const { key, signal, now = () => Math.floor(Date.now() / 1000) } = options;
  const id = randomInt(65536);
  const octets = writeUpdate(update, id, key);
  const signed = key && sign(octets, key, { time: now() });
  const sent: SentUpdate = { id, signature: key && signed && { key, mac: signed.mac } };
  let isSent = false;
  const onConnect = () => {
    isSent = true;
  };
  let rejected: TransferError | undefined;
  const bounds = { ...updateBounds, ...options.bounds, signal, onConnect };
  try {
    for await (const message of overTcp(signed?.message ?? octets, server, bounds)) {
      try {
        const reply = readUpdateReply(message, sent, now());
        if (reply.isProven) return { kind: "answered", reply };
        return { kind: "lost", reason: new UnprovenError(reply.rcode, reply.tsigError), claim: reply };
      } catch (error) {
        rejected = asTransferError(error);
      }
    }
  } catch (error) {
    const reason = asTransferError(error);
    if (!isSent) return { kind: "unsent", reason };
    rejected ??= lostError(reason.message);
  }
  return { kind: "lost", reason: rejected ?? lostError("the connection ended before a reply to the update") };
}

function asTransferError(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  throw error;
}

function lostError(summary: string): TransferError {
  const fix = "Check the connection to the server. The next apply looks first whether the update took effect.";
  return new TransferError("transfer/lost", summary, fix);
}
