/** Splits a stream of octets into messages, each preceded by its length in two octets (RFC 1035 §4.2.2). */
export class Frames {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** The messages that this chunk completes. */
  *take(chunk: Uint8Array): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    for (let size = this.#size(); size !== undefined && this.#length >= size + 2; size = this.#size()) {
      const octets = this.#joined();
      yield octets.subarray(2, size + 2);
      this.#chunks = [octets.subarray(size + 2)];
      this.#length -= size + 2;
    }
  }

  /** The length of the next message; undefined until its two octets arrive. */
  #size(): number | undefined {
    if (this.#length < 2) return undefined;
    if ((this.#chunks[0]?.length ?? 0) < 2) this.#joined();
    const [high = 0, low = 0] = this.#chunks[0] ?? [];
    return high * 256 + low;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const octets = this.#chunks.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(this.#chunks);
    this.#chunks = [octets];
    return octets;
  }
}

export function addFrame(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message]);
}
