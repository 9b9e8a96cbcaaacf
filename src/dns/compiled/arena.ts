/** A buffer that only grows at its end, so that offsets into it stay valid. */
export class Arena {
  octets: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.octets = Buffer.allocUnsafeSlow(capacity);
  }

  /** Reserves `count` octets and returns their offset. */
  reserve(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.octets.length) this.#resize(Math.max(this.length, this.octets.length * 2));
    return start;
  }

  /** Appends octets of a buffer, which may be this one, and returns their offset. */
  append({ octets }: { readonly octets: Buffer }, from: number, to: number): number {
    const start = this.reserve(to - from);
    octets.copy(this.octets, start, from, to);
    return start;
  }

  /** Returns unused room. */
  trim(): void {
    if (this.octets.length - this.length > this.length / 4) this.#resize(this.length);
  }

  #resize(capacity: number): void {
    const resized = Buffer.allocUnsafeSlow(capacity);
    this.octets.copy(resized);
    this.octets = resized;
  }
}
