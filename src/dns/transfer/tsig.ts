import { createHmac, timingSafeEqual } from "node:crypto";
import { isSameName, type Name, nameKey, readName } from "../name/name.ts";
import { WireWriter } from "../rdata/wire-writer.ts";
import { rcode } from "./codes.ts";
import type { Message } from "./message.ts";
import { type Tsig, type TsigData, tsigTimers, tsigVariables, writeTsig } from "./tsig-record.ts";

interface Algorithm {
  readonly wire: Name;
  readonly hash: string;
  /** Length of the hash, in octets. */
  readonly whole: number;
  /** Length of the sent part of the hash, in octets. */
  readonly size: number;
}

/** IANA, TSIG Algorithm Names (RFC 8945 §6), by their names in key files. */
export const algorithms = {
  "hmac-md5": { wire: readName("hmac-md5.sig-alg.reg.int."), hash: "md5", whole: 16, size: 16 },
  "hmac-sha1": { wire: readName("hmac-sha1."), hash: "sha1", whole: 20, size: 20 },
  "hmac-sha224": { wire: readName("hmac-sha224."), hash: "sha224", whole: 28, size: 28 },
  "hmac-sha256": { wire: readName("hmac-sha256."), hash: "sha256", whole: 32, size: 32 },
  "hmac-sha256-128": { wire: readName("hmac-sha256-128."), hash: "sha256", whole: 32, size: 16 },
  "hmac-sha384": { wire: readName("hmac-sha384."), hash: "sha384", whole: 48, size: 48 },
  "hmac-sha384-192": { wire: readName("hmac-sha384-192."), hash: "sha384", whole: 48, size: 24 },
  "hmac-sha512": { wire: readName("hmac-sha512."), hash: "sha512", whole: 64, size: 64 },
  "hmac-sha512-256": { wire: readName("hmac-sha512-256."), hash: "sha512", whole: 64, size: 32 },
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof algorithms;

/** A secret that two servers share. */
export interface Key {
  readonly name: Name;
  readonly algorithm: AlgorithmName;
  readonly secret: Uint8Array;
}

/** The message signed before this one: the request of an answer, or the answer's previous message. */
export interface PriorMessage {
  readonly mac: string;
  /** Messages without a TSIG since then. */
  readonly unsigned?: readonly Uint8Array[];
  /** Whether it is a message of the same answer. */
  readonly isSameAnswer?: boolean;
}

export interface SignedMessage {
  readonly message: Buffer;
  readonly mac: string;
}

export const fudge = 300;

/**
 * A message with a TSIG record at its end (RFC 8945 §5.1). `time` in seconds since 1970; `prior` if the message answers
 * another one; `error` and `other` report on the request's TSIG.
 */
export function sign(
  message: Uint8Array,
  key: Key,
  { time, prior, error = 0, other = "" }: { time: number; prior?: PriorMessage; error?: number; other?: string },
): SignedMessage {
  const view = Buffer.from(message);
  const tsig = { ...unsignedTsig(view.readUInt16BE(0), key, time), error, other };
  const mac = digest(view, key, tsig, prior).subarray(0, algorithms[key.algorithm].size).toString("latin1");
  return { message: append(view, { ...tsig, mac }), mac };
}

/** Appends an unsigned TSIG to the response to a request with an unknown key or an invalid MAC (RFC 8945 §5.3.2). */
export function appendError(message: Uint8Array, request: Tsig, error: number): Buffer {
  const view = Buffer.from(message);
  return append(view, { ...request, mac: "", originalId: view.readUInt16BE(0), error, other: "" });
}

/** The number of octets that `sign` adds. */
export function tsigLength(key: Key): number {
  return writeTsig(unsignedTsig(0, key, 0)).length + algorithms[key.algorithm].size;
}

/** The `rcode` of a rejected TSIG record; undefined if it is accepted. FORMERR is an error of the message. */
export type TsigError = 1 | 16 | 17 | 18 | 22 | undefined;

/**
 * Verifies the signature and time of a message (RFC 8945 §5.2). `octets` are the whole message of `tsig`. A MAC shorter
 * than its algorithm requires is rejected, with BADTRUNC if its length is valid at all.
 */
export function verifyTsig(
  octets: Uint8Array,
  tsig: Tsig,
  key: Key,
  { time, prior }: { time: number; prior?: PriorMessage },
): TsigError {
  const { wire, size, whole } = algorithms[key.algorithm];
  if (!isSameName(tsig.key, key.name) || nameKey(tsig.algorithm) !== wire) return rcode.BADKEY;
  const mac = Buffer.from(tsig.mac, "latin1");
  if (mac.length > whole || mac.length < Math.max(10, whole / 2)) return rcode.FORMERR;
  const expected = digest(withoutTsig(octets, tsig), key, tsig, prior);
  if (!timingSafeEqual(expected.subarray(0, mac.length), mac)) return rcode.BADSIG;
  if (Math.abs(time - tsig.time) > tsig.fudge) return rcode.BADTIME;
  return mac.length < size ? rcode.BADTRUNC : undefined;
}

/** The TSIG of a request: none, valid, or invalid and why. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "signed"; readonly key: Key; readonly prior: PriorMessage }
  | { readonly kind: "refused"; readonly error: Exclude<TsigError, undefined>; readonly key: Key | undefined };

export function credentials(octets: Uint8Array, { tsig }: Message, keys: Iterable<Key>, time: number): Credentials {
  if (tsig === undefined) return { kind: "none" };
  for (const key of keys) {
    const error = verifyTsig(octets, tsig, key, { time });
    if (error === undefined) return { kind: "signed", key, prior: { mac: tsig.mac } };
    if (error !== rcode.BADKEY) return { kind: "refused", error, key };
  }
  return { kind: "refused", error: rcode.BADKEY, key: undefined };
}

/** The server's time in six octets, for a response with BADTIME (RFC 8945 §5.2.3). */
export function timeOctets(time: number): string {
  const wire = WireWriter.plain();
  wire.uint(6, time);
  return wire.bytes().toString("latin1");
}

function unsignedTsig(id: number, key: Key, time: number): TsigData {
  const { wire } = algorithms[key.algorithm];
  return { key: key.name, algorithm: wire, time, fudge, mac: "", originalId: id, error: 0, other: "" };
}

function digest(
  message: Uint8Array,
  key: Key,
  tsig: TsigData,
  { mac, unsigned = [], isSameAnswer = false }: PriorMessage = { mac: "" },
): Buffer {
  const hmac = createHmac(algorithms[key.algorithm].hash, key.secret);
  if (mac !== "") hmac.update(Buffer.from([mac.length >> 8, mac.length & 255])).update(mac, "latin1");
  for (const before of unsigned) hmac.update(before);
  hmac.update(message).update(isSameAnswer ? tsigTimers(tsig) : tsigVariables(tsig));
  return hmac.digest();
}

function append(message: Buffer, tsig: TsigData): Buffer {
  const whole = Buffer.concat([message, writeTsig(tsig)]);
  whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10);
  return whole;
}

/** The message without its TSIG record, as it was signed. */
function withoutTsig(octets: Uint8Array, { start, originalId }: Tsig): Buffer {
  const message = Buffer.from(octets.subarray(0, start));
  message.writeUInt16BE(originalId, 0);
  message.writeUInt16BE(message.readUInt16BE(10) - 1, 10);
  return message;
}
