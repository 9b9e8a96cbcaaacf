/** A connection that takes one of the slots. */
export interface SlotHolder {
  /** See `networkOf`. */
  readonly network: string;
  /** See `siteOf`. */
  readonly site: string;
  /** `idle` without a query, `stalled` if its peer has not taken answers for a while. */
  readonly activity: "idle" | "stalled" | "busy";
  /** When the peer last took an answer, at first when it connected; in milliseconds. */
  readonly lastTaken: number;
  close(): void;
}

/** Limits on the connections: of all peers together, and of one network. */
export interface SlotLimits {
  readonly all: number;
  readonly ofNetwork: number;
}

/**
 * The open connections of a group of peers. At a limit, the idlest one is closed for the next: at the limit of a
 * network, one of its own. If all are busy, the site with most of them gives up its oldest one to a site with fewer,
 * and so does a network within a site. A site or network without a connection always gets one.
 */
export class Slots {
  readonly #limits: SlotLimits;
  /** The oldest first. */
  readonly #holders = new Set<SlotHolder>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Adds a connection; false if there is no room. */
  add(next: SlotHolder): boolean {
    const { all, ofNetwork } = this.#limits;
    const holders = [...this.#holders];
    const own = holders.filter(({ network }) => network === next.network);
    if (own.length >= ofNetwork) {
      if (!this.#close(idlest(own))) return false;
    } else if (holders.length >= all && !this.#close(idlest(holders) ?? oldestOfLargest(holders, next))) return false;
    this.#holders.add(next);
    return true;
  }

  delete(holder: SlotHolder): void {
    this.#holders.delete(holder);
  }

  #close(holder: SlotHolder | undefined): boolean {
    holder?.close();
    return holder !== undefined && this.#holders.delete(holder);
  }
}

function idlest(holders: readonly SlotHolder[]): SlotHolder | undefined {
  const sorted = holders.toSorted((a, b) => a.lastTaken - b.lastTaken);
  return sorted.find(({ activity }) => activity === "idle") ?? sorted.find(({ activity }) => activity === "stalled");
}

/** Undefined if no one else has more than the next one would have. */
function oldestOfLargest(holders: readonly SlotHolder[], next: SlotHolder): SlotHolder | undefined {
  let candidates = holders;
  let isFair = false;
  for (const key of ["site", "network"] as const) {
    const sizes = new Map<string, number>();
    for (const { [key]: group } of candidates) sizes.set(group, (sizes.get(group) ?? 0) + 1);
    const own = sizes.get(next[key]) ?? 0;
    const largest = Math.max(...sizes.values());
    isFair = own === 0 || largest > own + 1;
    candidates = candidates.filter(({ [key]: group }) => (isFair ? sizes.get(group) === largest : group === next[key]));
  }
  return isFair ? candidates[0] : undefined;
}
