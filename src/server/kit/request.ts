import { Readable } from "node:stream";

/** A request as the API reads it: a `Request`, or one without its costs. */
export interface ApiRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The path of a URL, without decoding it. */
export function pathOf({ url }: Pick<ApiRequest, "url">): string {
  const from = url.indexOf("/", url.indexOf("//") + 2);
  if (from < 0) return "/";
  const to = url.slice(from).search(/[?#]/);
  return to < 0 ? url.slice(from) : url.slice(from, from + to);
}

/** Errors for bodies that are not read to their end. */
interface BodyErrors {
  tooLarge(): Error;
  /** For a client that disconnected. */
  incomplete(): Error;
}

/** Chunks of a body from which on they must have an average of 64 octets: parsing one takes as long as hundreds. */
const mostSmallChunks = 4096;

/**
 * The octets of a body, of which no more are read beyond the limit in octets, nor in chunks of few octets.
 * @throws {Error} one of `errors`
 */
export async function readBodyOctets(
  request: ApiRequest,
  most: number,
  { tooLarge, incomplete }: BodyErrors,
): Promise<Buffer<ArrayBuffer>> {
  const { body } = request;
  if (Number(request.headers.get("Content-Length") ?? 0) > most) throw tooLarge();
  let read = Buffer.alloc(0);
  let [octets, chunks] = [0, 0];
  const isWithin = (chunk: Uint8Array) => {
    const at = octets;
    octets += chunk.byteLength;
    if (octets > most || ++chunks > Math.max(mostSmallChunks, octets / 64)) return false;
    // A chunk that was kept would take 300 octets, however short it is.
    if (octets > read.length) read = Buffer.concat([read], Math.max(octets, Math.min(most, 2 * read.length)));
    read.set(chunk, at);
    return true;
  };
  const end = body instanceof Readable ? await readStream(body, isWithin) : await readIterable(body, isWithin);
  if (end === "complete") return read.subarray(0, octets);
  throw end === "too large" ? tooLarge() : incomplete();
}

type End = "complete" | "too large" | "incomplete";

/** A stream of Node, by its events: to iterate it takes longer than the rest of a request. */
function readStream(stream: Readable, isWithin: (chunk: Uint8Array) => boolean): Promise<End> {
  return new Promise((resolve) => {
    const end = (how: End) => {
      stream.off("data", read).off("end", complete).off("error", fail).off("close", fail);
      resolve(how);
    };
    const read = (chunk: Uint8Array) => {
      if (isWithin(chunk)) return;
      stream.pause();
      end("too large");
    };
    const complete = () => end("complete");
    const fail = () => end("incomplete");
    if (stream.destroyed || stream.readableEnded) fail();
    else stream.on("data", read).on("end", complete).on("error", fail).on("close", fail);
  });
}

async function readIterable(
  chunks: AsyncIterable<Uint8Array> | null,
  isWithin: (chunk: Uint8Array) => boolean,
): Promise<End> {
  try {
    for await (const chunk of chunks ?? []) if (!isWithin(chunk)) return "too large";
    return "complete";
  } catch {
    return "incomplete";
  }
}
