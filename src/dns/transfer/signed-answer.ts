import { rcode, rcodeName } from "./codes.ts";
import type { Message } from "./message.ts";
import { TransferError } from "./transfer-error.ts";
import { type Key, type PriorMessage, sign, type TsigError, verifyTsig } from "./tsig.ts";
import type { TsigData } from "./tsig-record.ts";

/** The maximum number of consecutive messages of an answer without a TSIG (RFC 8945 §5.3.1). */
const mostUnsigned = 99;

/** Signs every message of one answer (RFC 8945 §5.3.1). `now` is in seconds since 1970. */
export class AnswerSigner {
  readonly key: Key;
  readonly #now: () => number;
  #prior: PriorMessage;

  constructor(key: Key, request: PriorMessage, now: () => number) {
    this.key = key;
    this.#now = now;
    this.#prior = request;
  }

  sign(message: Uint8Array): Buffer {
    const signed = sign(message, this.key, { time: this.#now(), prior: this.#prior });
    this.#prior = { mac: signed.mac, isSameAnswer: true };
    return signed.message;
  }
}

/**
 * Verifies the messages of one answer: the first and the last are signed, and at least every hundredth between them.
 */
export class AnswerVerifier {
  readonly #key: Key;
  readonly #now: () => number;
  #prior: PriorMessage;
  #unsigned: Uint8Array[] = [];
  #isFirst = true;

  /** `requestMac` is the MAC of the request. */
  constructor(key: Key, requestMac: string, now: () => number) {
    this.#key = key;
    this.#now = now;
    this.#prior = { mac: requestMac };
  }

  /** @throws {TransferError} `transfer/tsig` */
  take(octets: Uint8Array, { tsig, rcode }: Message): void {
    if (tsig === undefined) {
      if (this.#isFirst) throw new UnprovenError(rcode);
      if (this.#unsigned.length === mostUnsigned)
        throw unsignedError("100 messages of the response in a row are not signed");
      this.#unsigned.push(octets);
      return;
    }
    // A response about an unknown key cannot be signed: it can only be reported.
    if (tsig.error !== 0 && tsig.mac === "") throw new UnprovenError(rcode, tsig.error);
    const prior = { ...this.#prior, unsigned: this.#unsigned };
    const error = verifyReply(octets, tsig, this.#key, { time: this.#now(), prior });
    if (error !== undefined) throw wrongSignatureError(error);
    if (tsig.error !== 0) throw rejectedError(tsig.error, serverTime(tsig));
    this.#prior = { mac: tsig.mac, isSameAnswer: true };
    this.#unsigned = [];
    this.#isFirst = false;
  }

  /**
   * Must be called after the last message.
   * @throws {TransferError} `transfer/tsig`
   */
  end(): void {
    if (this.#unsigned.length > 0) throw unsignedError("the last message of the response is not signed");
  }
}

const unsignedFix = "It may have been modified in transit. Ask the operator of the server.";

/**
 * A response without the signature that its request had. The server cannot sign for a key that it does not know (RFC
 * 8945 §5.3.2), but anyone else can send an error like that.
 */
export class UnprovenError extends TransferError {
  /** The rcode that it claims. Knot does not sign that it has no such zone. */
  readonly rcode: number;
  /** Why the server rejects the signature of the request. */
  readonly tsigError: number | undefined;

  constructor(claim: number, tsigError?: number) {
    const { summary, fix } = tsigError === undefined ? unsigned(claim) : rejection(tsigError);
    super("transfer/tsig", summary, fix);
    this.rcode = claim;
    this.tsigError = tsigError;
  }
}

function unsigned(claim: number): { readonly summary: string; readonly fix: string } {
  const signature = "not signed with the TSIG key";
  const summary =
    claim === rcode.NOERROR ? `the response is ${signature}` : `the server replied ${rcodeName(claim)}, ${signature}`;
  return { summary, fix: claim === rcode.NOTAUTH ? unknownKeyFix : unsignedFix };
}

/** PowerDNS 4.7 rejects a signature like this, without a TSIG error. */
const unknownKeyFix =
  "The server probably rejected the key: compare its name, algorithm and secret with its configuration, and both clocks.";

function unsignedError(summary: string): TransferError {
  return new TransferError("transfer/tsig", summary, unsignedFix);
}

export function wrongSignatureError(error: number): TransferError {
  const name = rcodeName(error);
  const fix =
    "The secret or algorithm differs on the server, a clock is wrong, or the response was modified in transit.";
  return new TransferError("transfer/tsig", `the TSIG of the response is invalid (${name})`, fix);
}

/** The server's TSIG error, and with BADTIME its clock, in seconds since 1970. */
export function rejectedError(error: number, serverTime?: number): TransferError {
  const { summary, fix } = rejection(error);
  const clock = serverTime === undefined ? "" : `; its clock says ${new Date(serverTime * 1000).toISOString()}`;
  return new TransferError("transfer/tsig", `${summary}${clock}`, fix);
}

function rejection(error: number): { readonly summary: string; readonly fix: string } {
  const fix = advice[error] ?? "Compare the key with that of the server.";
  return { summary: `the server rejected the TSIG (${rcodeName(error)})`, fix };
}

/** As `verifyTsig`. A server with another clock may sign with its own time: then the signature holds at that time. */
export function verifyReply(...[octets, tsig, key, at]: Parameters<typeof verifyTsig>): TsigError {
  const error = verifyTsig(octets, tsig, key, at);
  return error === rcode.BADTIME && tsig.error === rcode.BADTIME ? undefined : error;
}

/** The time in the record of a server with another clock, in seconds since 1970 (RFC 8945 §5.2.3). */
export function serverTime({ error, other }: TsigData): number | undefined {
  if (error !== rcode.BADTIME || other.length !== 6) return undefined;
  return Buffer.from(other, "latin1").readUIntBE(0, 6);
}

const advice: Readonly<Record<number, string>> = {
  [rcode.BADSIG]:
    "The server has another secret for the key: compare the secret in the key file with that of the server.",
  [rcode.BADKEY]:
    "The server has no key with this name and algorithm, or does not allow it for the zone: compare both with its configuration, or add the key there.",
  [rcode.BADTIME]: "The clocks of the server and of this machine differ too much: set both by NTP.",
  [rcode.BADTRUNC]: "The server requires a longer signature: use the algorithm that is configured there.",
};
