import { askSoa, notify } from "../../../src/dns-client/ask.ts";
import { type Program, type Running, startNameServer } from "../../dns/transfer/nameservers.ts";
import { domainName } from "../../names.ts";
import { type Ask, Asker } from "./ask.ts";
import type { DarkService } from "./service.ts";

/**
 * Another name server that has the zones from the service by transfer. The first question after a write tells it that
 * they have changed, and waits until it has the serials of the service.
 */
export class Secondary {
  readonly #service: DarkService;
  readonly #server: Running;
  readonly #asker: Asker;
  readonly #zones: readonly string[];
  #synced: Promise<void> = Promise.resolve();
  #epoch = -1;

  private constructor(service: DarkService, server: Running, asker: Asker, zones: readonly string[]) {
    this.#service = service;
    this.#server = server;
    this.#asker = asker;
    this.#zones = zones;
  }

  /** The zones must be served by the service already. */
  static async start(program: Program, service: DarkService, zones: readonly string[]): Promise<Secondary> {
    const primary = { host: "127.0.0.1", port: service.port };
    const server = await startNameServer(program, { zones: {}, secondary: { primary, zones } });
    return new Secondary(service, server, await Asker.open(server.port), zones);
  }

  readonly ask: Ask = async (name, type) => {
    if (this.#epoch !== this.#service.epoch) {
      this.#epoch = this.#service.epoch;
      this.#synced = this.#sync();
    }
    await this.#synced;
    return this.#asker.ask(name, type);
  };

  async stop(): Promise<void> {
    this.#asker.close();
    await this.#server.stop();
  }

  async #sync(): Promise<void> {
    for (const zone of this.#zones) {
      const soa = await askSoa({ host: "127.0.0.1", port: this.#service.port }, domainName(zone));
      await notify(this.#server, soa);
      while ((await askSoa(this.#server, domainName(zone))).data.serial !== soa.data.serial)
        await new Promise(setImmediate);
    }
  }
}
