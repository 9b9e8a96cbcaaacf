/** Errors for bodies that are not read to their end. */
interface BodyErrors {
  readonly tooLarge: Error;
  /** The client disconnected. */
  readonly incomplete: Error;
}

/**
 * The chunks of a body, of which no more are read beyond the limit in octets.
 * @throws {Error} one of `errors`
 */
export async function* readChunks(
  request: Request,
  most: number,
  { tooLarge, incomplete }: BodyErrors,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) throw tooLarge;
  let octets = 0;
  try {
    for await (const chunk of request.body ?? []) {
      octets += chunk.byteLength;
      if (octets > most) throw tooLarge;
      yield chunk;
    }
  } catch (error) {
    throw error === tooLarge ? tooLarge : incomplete;
  }
}
