import { Fault } from "../../dns/name/fault.ts";
import { type Head, type Message, readHead, readMessage } from "../../dns/transfer/message.ts";

/** A request, decoded once. */
export interface Query {
  /** The octets that a signature covers. */
  readonly octets: Uint8Array;
  readonly head: Head;
  /** Undefined if the message is malformed. */
  readonly message: Message | undefined;
}

/** Decodes a message; undefined for one that must not be answered: an answer, or fewer octets than a header. */
export function decodeQuery(octets: Uint8Array): Query | undefined {
  const message = readWellFormed(octets);
  const head = message ?? readHead(octets)?.head;
  return head === undefined || head.qr ? undefined : { octets, head, message };
}

function readWellFormed(octets: Uint8Array): Message | undefined {
  try {
    return readMessage(octets);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
