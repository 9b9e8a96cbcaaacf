import { isIPv6 } from "node:net";
import { addressWords, plainAddress } from "../../dns/address.ts";

/** How many connections there may be: of all peers together, of one of them, and of the operator's own secondaries. */
export const mostConnections = { all: 256, ofPeer: 32, ofSecondaries: 256 };

/**
 * Who is connected. No peer takes the room of the others, and all of them together not that of the secondaries. A peer is
 * an IPv4 address, or the /64 of an IPv6 address, which one machine may have whole.
 */
export class Connections {
  readonly #secondaries: ReadonlySet<string>;
  readonly #ofPeer = new Map<string, number>();
  #all = 0;
  #ofSecondaries = 0;

  constructor(secondaries: readonly string[]) {
    this.#secondaries = new Set(secondaries.map(plainAddress));
  }

  /** Gives what is to be called when the connection has ended; undefined where there is no room for it. */
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
