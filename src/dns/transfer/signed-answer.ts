import { rcode, rcodeName } from "./codes.ts";
import type { Message } from "./message.ts";
import { TransferError } from "./transfer-error.ts";
import { type Key, type Prior, sign, verify } from "./tsig.ts";

/** Messages of an answer that may come without a TSIG in a row (RFC 8945 §5.3.1). */
const mostUnsigned = 99;

/** Signs the messages of one answer, each of them (RFC 8945 §5.3.1). `now` is in seconds since 1970. */
export class AnswerSigner {
  readonly key: Key;
  readonly #now: () => number;
  #prior: Prior;

  constructor(key: Key, request: Prior, now: () => number) {
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
  #prior: Prior;
  #unsigned: Uint8Array[] = [];
  #isFirst = true;

  /** `requestMac` is the MAC of the request. */
  constructor(key: Key, requestMac: string, now: () => number) {
    this.#key = key;
    this.#now = now;
    this.#prior = { mac: requestMac };
  }

  /** @throws {TransferError} `transfer/tsig` */
  take(octets: Uint8Array, { tsig }: Message): void {
    if (tsig === undefined) {
      if (this.#isFirst) throw unsigned("the answer is not signed with the TSIG key");
      if (this.#unsigned.length === mostUnsigned) throw unsigned("a hundred messages of the answer are not signed");
      this.#unsigned.push(octets);
      return;
    }
    // Nothing signs what a server says of a key that it does not know: it can only be told.
    if (tsig.error !== 0 && tsig.mac === "") throw refused(tsig.error);
    const error = verify(octets, tsig, this.#key, {
      time: this.#now(),
      prior: { ...this.#prior, unsigned: this.#unsigned },
    });
    if (error !== undefined) throw wrong(error);
    if (tsig.error !== 0) throw refused(tsig.error);
    this.#prior = { mac: tsig.mac, isSameAnswer: true };
    this.#unsigned = [];
    this.#isFirst = false;
  }

  /**
   * To be called when the answer is whole.
   * @throws {TransferError} `transfer/tsig`
   */
  end(): void {
    if (this.#unsigned.length > 0) throw unsigned("the last message of the answer is not signed");
  }
}

function unsigned(summary: string) {
  return new TransferError(
    "transfer/tsig",
    summary,
    "Somebody in between may have changed it. Ask the server's operator.",
  );
}

function wrong(error: number) {
  const name = rcodeName(error);
  const fix = "The secret or the algorithm is another one there, a clock is wrong, or somebody in between changed it.";
  return new TransferError("transfer/tsig", `the TSIG of the answer does not hold (${name})`, fix);
}

function refused(error: number) {
  return new TransferError(
    "transfer/tsig",
    `the server does not accept the TSIG (${rcodeName(error)})`,
    advice[error] ?? "Compare the key with the server's.",
  );
}

const advice: Readonly<Record<number, string>> = {
  [rcode.BADSIG]: "It has another secret for the key.",
  [rcode.BADKEY]: "It has no key of this name and algorithm.",
  [rcode.BADTIME]: "Its clock and this one differ by too much.",
  [rcode.BADTRUNC]: "It wants a longer signature: name the algorithm as the server does.",
};
