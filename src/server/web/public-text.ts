import { createHash } from "node:crypto";

/** A text that is the same for everybody: its octets are made once, and sent from memory. */
export interface PublicText {
  readonly pieces: readonly Uint8Array[];
  /** Strong entity tag (RFC 9110 §8.8.3). */
  readonly etag: string;
}

/** Octets that are sent in one turn of the event loop. */
const pieceOctets = 2 ** 18;

export function publicText(text: string): PublicText {
  const octets = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += pieceOctets) pieces.push(octets.subarray(at, at + pieceOctets));
  return { pieces, etag: `"${createHash("sha256").update(octets).digest("base64url")}"` };
}

/** Whether an `If-None-Match` header names the tag: it is `*`, or a list compared weakly (RFC 9110 §13.1.2). */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim()) ?? []; // a comma inside a tag splits off no whole tag
  return ifNoneMatch?.trim() === "*" || tags.some((tag) => tag.replace(/^W\//, "") === etag);
}

/** Makes a value once, at its first need. */
export function makeOnce<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
