import { Fault } from "../../dns/name/fault.ts";

/** The default TTLs of a zone file while its entries are read in order. */
export class Ttls {
  /** The zone's default: records with this TTL have none of their own. */
  zone: number | undefined;
  #default: number | undefined;
  #last: number | undefined;
  #ignoresMissing = false;
  readonly #initial: number | undefined;

  /** `initial` is the TTL of the name server for records that have none before any `$TTL`; BIND has no such TTL. */
  constructor(initial?: number) {
    this.#initial = initial;
  }

  /** Sets the default from `$TTL`, or from an SOA's minimum if no earlier record had a TTL. */
  set(seconds: number): void {
    this.#default = seconds;
    // As a setting, 0 would mean the service's default; here it means "do not cache" and is kept on the records.
    if (seconds > 0) this.zone ??= seconds;
  }

  /** The default set last. */
  get default(): number | undefined {
    return this.#default;
  }

  /** An independent copy of the state. */
  copy(): Ttls {
    const copy = new Ttls(this.#initial);
    copy.zone = this.zone;
    copy.#default = this.#default;
    copy.#last = this.#last;
    copy.#ignoresMissing = this.#ignoresMissing;
    return copy;
  }

  /** The TTL of a following record without one; NaN if that is an error. */
  get after(): number | undefined {
    const usual = this.#default ?? this.#initial;
    if (usual !== undefined) return usual === (this.zone ?? usual) ? undefined : usual;
    return this.#last ?? (this.#ignoresMissing ? undefined : Number.NaN);
  }

  /** Stops `of` from throwing: the cause of missing TTLs was reported, or will be. */
  ignoreMissing(): void {
    this.#ignoresMissing = true;
  }

  /**
   * The record's own TTL, else `$TTL`, else the SOA's minimum, else that of the record before (RFC 2308 §4, RFC 1035
   * §5.1). As in BIND, the minimum is used only if no record before the SOA had a TTL.
   * @throws {Fault} `ttl-missing`
   */
  of(own: number | undefined, soaMinimum: number | undefined): number | undefined {
    if (own !== undefined) {
      this.#last = own;
      return own;
    }
    if (this.#default === undefined && this.#initial !== undefined) this.set(this.#initial);
    if (this.#default === undefined && this.#last === undefined && soaMinimum !== undefined) this.set(soaMinimum);
    if (this.#default !== undefined) return this.#default === this.zone ? undefined : this.#default;
    if (this.#last !== undefined || this.#ignoresMissing) return this.#last;
    this.ignoreMissing();
    throw new Fault(
      "ttl-missing",
      "the record has no TTL and nothing before it gives one",
      "Write $TTL 1h at the head of the file.",
    );
  }
}

/** The TTL of a record; NaN if it has none. */
export function ttlOf(ttls: Ttls, own: number | undefined, minimum: number | undefined): number | undefined {
  try {
    return ttls.of(own, minimum);
  } catch (error) {
    if (error instanceof Fault) return Number.NaN;
    throw error;
  }
}
