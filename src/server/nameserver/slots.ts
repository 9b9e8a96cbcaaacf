/** A connection that takes one of the slots. */
export interface SlotHolder {
  /** See `TcpClient.peer`. */
  readonly peer: string;
  /** Whether an answer is under way, for which the peer need not do anything. */
  readonly isBeingAnswered: boolean;
  /** When the peer last took an answer, at first when it connected; in milliseconds. */
  readonly lastTaken: number;
  close(): void;
}

/** Limits on the connections: of all peers together, and of one. */
export interface SlotLimits {
  readonly all: number;
  readonly ofPeer: number;
}

/**
 * The open connections of a group of peers. At a limit, the idlest one is closed for the next: at the limit of a peer,
 * one of its own. If all are being answered, the peer with most of them gives one up to a peer with fewer.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #ofPeers = new Map<string, Set<SlotHolder>>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Adds a connection; false if there is no room. */
  add(next: SlotHolder): boolean {
    const { all, ofPeer } = this.#limits;
    const own = this.#ofPeers.get(next.peer) ?? new Set();
    const holders = [...this.#ofPeers.values()].flatMap((holders) => [...holders]);
    if (own.size >= ofPeer) {
      if (!this.#closeIdlest([...own].filter(isIdle))) return false;
    } else if (holders.length >= all) {
      const [largest = own] = [...this.#ofPeers.values()].sort((a, b) => b.size - a.size);
      const isFair = largest.size > own.size + 1;
      if (!this.#closeIdlest(holders.filter(isIdle)) && !(isFair && this.#closeIdlest([...largest]))) return false;
    }
    this.#ofPeers.set(next.peer, own.add(next));
    return true;
  }

  delete(holder: SlotHolder): void {
    const own = this.#ofPeers.get(holder.peer);
    if (own?.delete(holder) && own.size === 0) this.#ofPeers.delete(holder.peer);
  }

  #closeIdlest(holders: readonly SlotHolder[]): boolean {
    const [idlest] = holders.toSorted((a, b) => a.lastTaken - b.lastTaken);
    if (idlest === undefined) return false;
    this.delete(idlest);
    idlest.close();
    return true;
  }
}

function isIdle({ isBeingAnswered }: SlotHolder): boolean {
  return !isBeingAnswered;
}
