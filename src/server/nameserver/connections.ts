import type { Socket } from "node:net";
import { plainAddress } from "../../dns/name/address.ts";
import type { StoreVersion } from "../store/driver.ts";
import type { AnswerContext } from "./answer-safely.ts";
import { TcpConnection } from "./connection.ts";
import { type SlotLimits, Slots } from "./slots.ts";
import type { QueryQueue, Turns } from "./turns.ts";

/** Limits on the connections of three groups of peers, so that none takes the place of another. */
export const slotLimits = {
  /** The operator's own secondaries, and peers that have signed a query with one of the keys. */
  secondaries: { all: 256, ofNetwork: 256 },
  /** Peers in the `axfr_ips` of zones. */
  ofZones: { all: 256, ofNetwork: 32 },
  others: { all: 256, ofNetwork: 32 },
} satisfies Record<string, SlotLimits>;

/** Limits on the queries over TCP that are answered in one turn; `longer` are those that `answerAny` answers. */
export const mostQueriesInTurn = { all: 64, ofConnection: 16, longer: 8 };

/**
 * Answers the queries on TCP connections, in each turn some of each site in rotation, and of each of its connections.
 */
export class Connections implements QueryQueue {
  readonly #context: AnswerContext;
  readonly #turns: Turns;
  readonly #addresses: ReadonlySet<string>;
  readonly #secondaries = new Slots(slotLimits.secondaries);
  readonly #ofZones = new Slots(slotLimits.ofZones);
  readonly #others = new Slots(slotLimits.others);
  /** The open connections and their slots. */
  readonly #open = new Map<TcpConnection, Slots>();
  /** Connections with queries to answer, by their sites, in the order of their turns. */
  readonly #ready = new Map<string, Set<TcpConnection>>();
  #chosen: { readonly connection: TcpConnection; readonly queries: number }[] = [];

  constructor(context: AnswerContext, turns: Turns) {
    this.#context = context;
    this.#turns = turns;
    this.#addresses = new Set(context.secondaries?.map(plainAddress));
  }

  /** Takes a new connection, or closes it if there is no slot. */
  take(socket: Socket): void {
    const connection = new TcpConnection(socket, {
      context: this.#context,
      onReady: (connection) => this.#await(connection),
      onSigned: (connection) => this.#move(connection, this.#secondaries),
    });
    const slots = this.#slotsOf(connection);
    if (!slots.add(connection)) return connection.close();
    this.#open.set(connection, slots);
    socket.on("close", () => {
      this.#open.get(connection)?.delete(connection);
      this.#open.delete(connection);
      this.#ready.get(connection.site)?.delete(connection);
    });
  }

  choose(): boolean {
    let left = mostQueriesInTurn.all;
    for (const [site, connections] of this.#ready) {
      if (left === 0) break;
      const [connection] = connections;
      if (connection) connections.delete(connection);
      this.#ready.delete(site);
      if (connections.size > 0) this.#ready.set(site, connections); // behind the other sites
      const queries = Math.min(left, mostQueriesInTurn.ofConnection, connection?.answerable ?? 0);
      if (connection && queries > 0) this.#chosen.push({ connection, queries });
      left -= queries;
    }
    return this.#chosen.length > 0;
  }

  answer(version: StoreVersion | undefined): void {
    let longer = 0;
    const mayBegin = () => ++longer <= mostQueriesInTurn.longer;
    for (const { connection, queries } of this.#chosen) connection.answer({ queries, version, mayBegin });
    this.#chosen = [];
    if (this.#ready.size > 0) this.#turns.request();
  }

  /** Closes connections that are idle, or whose peers neither complete a query nor take an answer. */
  closeOverdue(): void {
    const now = performance.now();
    for (const connection of this.#open.keys()) if (connection.isOverdue(now)) connection.close();
  }

  closeAll(): void {
    for (const connection of this.#open.keys()) connection.close();
  }

  #await(connection: TcpConnection): void {
    const ofSite = this.#ready.get(connection.site);
    if (ofSite) ofSite.add(connection);
    else this.#ready.set(connection.site, new Set([connection]));
    this.#turns.request();
  }

  #slotsOf({ address }: TcpConnection): Slots {
    if (this.#addresses.has(address)) return this.#secondaries;
    return this.#context.zones.hasSecondary?.(address) ? this.#ofZones : this.#others;
  }

  #move(connection: TcpConnection, slots: Slots): void {
    const taken = this.#open.get(connection);
    if (taken === undefined || taken === slots || !slots.add(connection)) return;
    taken.delete(connection);
    this.#open.set(connection, slots);
  }
}
