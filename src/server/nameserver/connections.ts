import { isIPv6 } from "node:net";
import { addressWords, plainAddress } from "../../dns/address.ts";

/** Limits on connections: of all peers together, of one peer, and of the operator's own secondaries. */
export const mostConnections = { all: 256, ofPeer: 32, ofSecondaries: 256 };

/**
 * Counts open connections, so that no peer exhausts the limit for others, nor all of them that of the secondaries. A
 * peer is an IPv4 address or an IPv6 /64, which one machine may own completely.
 */
export class Connections {
  readonly #secondaries: ReadonlySet<string>;
  readonly #ofPeer = new Map<string, number>();
  #all = 0;
  #ofSecondaries = 0;

  constructor(secondaries: readonly string[]) {
    this.#secondaries = new Set(secondaries.map(plainAddress));
  }

  /** Returns a function to call when the connection has ended; undefined over the limit. */
  admit(address: string): (() => void) | undefined {
    const plain = plainAddress(address);
    return this.#secondaries.has(plain) ? this.#admitSecondary() : this.#admitPeer(peerOf(plain));
  }

  #admitSecondary(): (() => void) | undefined {
    if (this.#ofSecondaries === mostConnections.ofSecondaries) return undefined;
    this.#ofSecondaries++;
    return () => {
      this.#ofSecondaries--;
    };
  }

  #admitPeer(peer: string): (() => void) | undefined {
    const count = this.#ofPeer.get(peer) ?? 0;
    if (this.#all === mostConnections.all || count === mostConnections.ofPeer) return undefined;
    this.#all++;
    this.#ofPeer.set(peer, count + 1);
    return () => {
      this.#all--;
      const left = (this.#ofPeer.get(peer) ?? 0) - 1;
      if (left === 0) this.#ofPeer.delete(peer);
      else this.#ofPeer.set(peer, left);
    };
  }
}

function peerOf(address: string): string {
  return isIPv6(address) ? [...addressWords(address)].slice(0, 4).join(":") : address;
}
