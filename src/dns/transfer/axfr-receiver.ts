import { count } from "../../diagnostics/quantities.ts";
import { Fault } from "../name/fault.ts";
import { isInside, isSameName, type Name } from "../name/name.ts";
import { canonical, type ZoneRecord } from "../zone/zone.ts";
import { dnsClass, opcode } from "./codes.ts";
import { type Message, type MessageRecord, readMessage, type UnreadRecord } from "./message.ts";
import type { AnswerVerifier } from "./signed-answer.ts";
import { rcodeError, TransferError } from "./transfer-error.ts";

/** Limits of one zone transfer. */
export interface Bounds {
  readonly records: number;
  readonly octets: number;
}

/**
 * The messages without a record of the zone, and the records outside of the answer section, that a transfer may have.
 * RFC 5936 §2.2 knows neither, and each costs as much as a record.
 */
const most = { empty: 100, others: 1000 };

/** A complete zone from a server: the SOA record comes first, and once. */
export interface AxfrZone {
  readonly records: readonly ZoneRecord[];
  /** Records with an invalid value; they are not among `records`. */
  readonly unread: readonly UnreadRecord[];
}

/**
 * The client side of a zone transfer (RFC 5936) without sockets and timers: takes messages in order, and returns the
 * zone when it is complete. An invalid message ends the transfer, and nothing of the zone is returned.
 */
export class AxfrReceiver {
  readonly #zone: Name;
  readonly #id: number;
  readonly #bounds: Bounds;
  readonly #verifier: AnswerVerifier | undefined;
  readonly #records: ZoneRecord[] = [];
  readonly #unread: UnreadRecord[] = [];
  #octets = 0;
  #empty = 0;
  #others = 0;
  #soa: string | undefined;
  #isWhole = false;

  /** With a `verifier` the answer must be signed. */
  constructor(zone: Name, id: number, bounds: Bounds, verifier?: AnswerVerifier) {
    this.#zone = zone;
    this.#id = id;
    this.#bounds = bounds;
    this.#verifier = verifier;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The number of records so far. */
  get recordCount(): number {
    return this.#records.length + this.#unread.length;
  }

  /**
   * Takes the next message of the answer.
   * @throws {TransferError}
   */
  take(octets: Uint8Array): void {
    this.#octets += octets.length;
    if (this.#octets > this.#bounds.octets)
      throw new TransferError("transfer/too-large", `the zone is larger than ${this.#bounds.octets} octets`, larger);
    const message = readAnswer(octets);
    checkAnswer(message, this.#id, opcode.query);
    // The signature of an error response does not matter: it contains no data.
    if (message.rcode !== 0 && message.tsig === undefined) throw rcodeError(message.rcode);
    this.#verifier?.take(octets, message);
    if (message.rcode !== 0) throw rcodeError(message.rcode);
    this.#checkQuestion(message);
    if (message.tc)
      throw new TransferError("transfer/answer", "the server sent a truncated response over TCP", askAnother);
    this.#checkOthers(message);
    for (const record of message.answers) this.#take(record);
    for (const record of message.unread) {
      checkClass(record);
      this.#checkOwner(record.owner);
      this.#checkCount();
      this.#unread.push(record);
    }
    if (this.#isWhole) this.#verifier?.end();
  }

  /** Returns the zone after the last message. @throws {TransferError} `transfer/incomplete` if it is incomplete. */
  end(): AxfrZone {
    if (this.#isWhole) return { records: this.#records, unread: this.#unread };
    const summary = this.#octets
      ? `the transfer ended early, after ${count(this.recordCount, "record")}`
      : "the connection ended before a whole DNS message";
    throw new TransferError("transfer/incomplete", summary, "Try again, or use another server of the zone.");
  }

  #checkOthers({ answers, authorities, additionals, unread }: Message): void {
    if (answers.length + unread.length === 0) this.#empty++;
    this.#others += authorities.length + additionals.length;
    const excess =
      this.#empty > most.empty
        ? `${most.empty} messages without a record`
        : this.#others > most.others && `${most.others} records that are not in the answer section`;
    if (excess) throw new TransferError("transfer/answer", `the server sent more than ${excess}`, askAnother);
  }

  /** The first message repeats the question, the others may (RFC 5936 §2.2.2). */
  #checkQuestion({ questions }: Message): void {
    const [question] = questions;
    if (questions.length === 0 && this.#records.length > 0) return;
    const isSame = question?.type === "AXFR" && question.class === dnsClass.in && isSameName(question.name, this.#zone);
    if (questions.length !== 1 || !isSame)
      throw new TransferError("transfer/answer", "the response is to another question", askAnother);
  }

  #take(taken: MessageRecord): void {
    const { owner, type, ttl, data } = taken;
    if (this.#isWhole) throw new TransferError("transfer/answer", "records follow the end of the zone", askAnother);
    checkClass(taken);
    const record = { owner, type, ttl, data };
    if (type === "SOA" || this.#soa === undefined) {
      if (this.#isEnd(record)) return;
    } else this.#checkOwner(owner);
    this.#checkCount();
    this.#records.push(record);
  }

  #checkCount(): void {
    const { records } = this.#bounds;
    if (this.recordCount < records) return;
    throw new TransferError("transfer/too-large", `the zone has more than ${records} records`, larger);
  }

  /** Whether the record is the second SOA record, which ends the transfer. */
  #isEnd(record: ZoneRecord): boolean {
    const isApex = isSameName(record.owner, this.#zone);
    if (record.type !== "SOA" || !isApex)
      throw new TransferError(
        "transfer/soa",
        "the transfer does not start with the SOA record of the zone",
        askAnother,
      );
    const soa = canonical(record);
    if (this.#soa === undefined) {
      this.#soa = soa;
      return false;
    }
    if (this.#soa !== soa)
      throw new TransferError(
        "transfer/soa",
        "the zone changed during the transfer: it ends with another SOA record",
        "Try again.",
      );
    this.#isWhole = true;
    return true;
  }

  #checkOwner(owner: Name): void {
    if (isInside(owner, this.#zone)) return;
    throw new TransferError("transfer/out-of-zone", `the server sent "${owner}", which is not in the zone`, askAnother);
  }
}

/** @throws {TransferError} `transfer/class` */
function checkClass({ class: recordClass }: { readonly class: number }): void {
  if (recordClass === dnsClass.in) return;
  throw new TransferError("transfer/class", `a record has the class ${recordClass}, not IN`, askAnother);
}

/** @throws {TransferError} `transfer/message` */
export function readAnswer(octets: Uint8Array): Message {
  try {
    return readMessage(octets);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new TransferError("transfer/message", error.message, askAnother);
  }
}

/** Checks that the message is a response to the query with this id. @throws {TransferError} `transfer/answer` */
export function checkAnswer(message: Message, id: number, opcode: number): void {
  if (message.id !== id) throw new TransferError("transfer/answer", "the response has another message id", askAnother);
  if (!message.qr || message.opcode !== opcode)
    throw new TransferError("transfer/answer", "the server sent a message that is not a response", askAnother);
}

const askAnother = "This is not a valid response of a name server of the zone. Use another server.";
const larger = "Raise the limit if the zone may be that large.";
