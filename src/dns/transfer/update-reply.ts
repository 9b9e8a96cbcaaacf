import { checkAnswer, readAnswer } from "./axfr-receiver.ts";
import { opcode, rcode } from "./codes.ts";
import { serverTime, UnprovenError, verifyReply, wrongSignatureError } from "./signed-answer.ts";
import type { Key } from "./tsig.ts";

/** An update as it was sent. */
export interface SentUpdate {
  readonly id: number;
  /** The key and the MAC of its signature; undefined if it is unsigned. */
  readonly signature: { readonly key: Key; readonly mac: string } | undefined;
}

/** The verdict of a server on an update. */
export interface UpdateReply {
  /** NOERROR: all of it took effect. Otherwise nothing did (RFC 2136 §3). */
  readonly rcode: number;
  /** Why the server rejected the signature, BADSIG, BADKEY, BADTIME or BADTRUNC; undefined if it did not. */
  readonly tsigError: number | undefined;
  /** With BADTIME the clock of the server, in seconds since 1970. */
  readonly serverTime: number | undefined;
  /**
   * Whether the reply has the valid signature that the update asks for. Only an error can lack it: a server cannot sign
   * for a key that it does not know (RFC 8945 §5.3.2), and others than the server can write such an error.
   */
  readonly isProven: boolean;
}

/**
 * Reads the reply to an update; `time` is now, in seconds since 1970.
 * @throws {TransferError} if it is none: it is invalid or answers another message, its signature is wrong, or it says
 *   NOERROR without a signature. The reply may still come.
 */
export function readUpdateReply(octets: Uint8Array, { id, signature }: SentUpdate, time: number): UpdateReply {
  const message = readAnswer(octets);
  checkAnswer(message, id, opcode.update);
  const { tsig, rcode: code } = message;
  const reply = { rcode: code, tsigError: tsig?.error || undefined, serverTime: tsig && serverTime(tsig) };
  if (signature === undefined) return { ...reply, isProven: true };
  if (tsig === undefined || (tsig.mac === "" && tsig.error !== rcode.NOERROR)) {
    if (code === rcode.NOERROR) throw new UnprovenError(code);
    return { ...reply, isProven: false };
  }
  const error = verifyReply(octets, tsig, signature.key, { time, prior: { mac: signature.mac } });
  if (error !== undefined) throw wrongSignatureError(error);
  return { ...reply, isProven: true };
}
