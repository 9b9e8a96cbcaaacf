/** Octets of the length before a message. */
const lengthOctets = 2;

const none: Buffer = Buffer.alloc(0);

/** Splits a stream of octets into messages, each preceded by its length in two octets (RFC 1035 §4.2.2). */
export class Frames {
  /** From `#start` to `#end` those that wait; free behind them, if there is room. */
  #octets = none;
  #start = 0;
  #end = 0;
  /** The end of the last whole message. */
  #wholeEnd = 0;
  #whole = 0;

  /** The number of whole messages that wait. */
  get whole(): number {
    return this.#whole;
  }

  /** Octets that wait, and those of them that belong to an incomplete message. */
  get waiting(): number {
    return this.#end - this.#start;
  }

  get incomplete(): number {
    return this.#end - this.#wholeEnd;
  }

  /** Adds octets of the stream, which must not change afterwards. */
  add(chunk: Uint8Array): void {
    if (this.waiting === 0) {
      this.#octets = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.#start = this.#wholeEnd = 0;
      this.#end = chunk.length;
    } else {
      if (this.#end + chunk.length > this.#octets.length) this.#move(this.waiting + chunk.length);
      this.#octets.set(chunk, this.#end);
      this.#end += chunk.length;
    }
    for (let end = this.#endAfter(this.#wholeEnd); end <= this.#end; end = this.#endAfter(end)) {
      this.#wholeEnd = end;
      this.#whole++;
    }
  }

  /** The next message, which stays; undefined until it is whole. */
  get first(): Buffer | undefined {
    if (this.#whole === 0) return undefined;
    return this.#octets.subarray(this.#start + lengthOctets, this.#endAfter(this.#start));
  }

  /** Removes the next message. */
  shift(): void {
    this.#start = this.#endAfter(this.#start);
    // A short rest must not keep the memory of a long chunk.
    if (--this.#whole === 0) this.#move(this.waiting);
  }

  /** The messages that this chunk completes. */
  *take(chunk: Uint8Array): Generator<Buffer> {
    this.add(chunk);
    for (let message = this.first; message !== undefined; message = this.first) {
      this.shift();
      yield message;
    }
  }

  #endAfter(start: number): number {
    return this.#end - start < lengthOctets ? Infinity : start + lengthOctets + this.#octets.readUInt16BE(start);
  }

  /** Moves what waits to a buffer of at least this size, at least twice as large, so that octets seldom move again. */
  #move(size: number): void {
    const waiting = this.#octets.subarray(this.#start, this.#end);
    this.#octets = size === 0 ? none : Buffer.allocUnsafe(Math.max(size, 2 * waiting.length));
    waiting.copy(this.#octets);
    this.#wholeEnd -= this.#start;
    this.#end = waiting.length;
    this.#start = 0;
  }
}

/** The messages, each preceded by its length. */
export function addFrames(messages: readonly Uint8Array[]): Buffer {
  const octets = Buffer.allocUnsafe(messages.reduce((sum, { length }) => sum + lengthOctets + length, 0));
  let at = 0;
  for (const message of messages) {
    at = octets.writeUInt16BE(message.length, at);
    octets.set(message, at);
    at += message.length;
  }
  return octets;
}

export function addFrame(message: Uint8Array): Buffer {
  return addFrames([message]);
}
