import { expect, onTestFinished } from "vitest";
import { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import { rdataText } from "../../../src/dns/zone/zone.ts";
import { ask } from "../../../src/dns-client/ask.ts";
import type { Remote } from "../../../src/server/kit/remote.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { Slaves } from "../../../src/server/nameserver/zones/slaves.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { readZone, soaOf } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { emptyStore } from "../stores.ts";
import { waitForCurrent } from "./wait-for-current.ts";

export const host = "127.0.0.1";
export const slave = { domain: "example.com", type: "slave", master_ips: ["192.0.2.1", "192.0.2.2"] };

/** Refresh after an hour, retry after ten minutes, expire after a day. */
export const zoneOf = (serial: number, address = "192.0.2.10") =>
  `$ORIGIN example.com.\n@ 300 SOA ns.example.net. h ${serial} 3600 600 86400 60\n@ 300 NS ns.example.net.\nwww 300 A ${address}\n`;

/** Masters without a network: the zone file or the error at each address, and the questions that they received. */
export class Masters implements Remote {
  readonly questions: string[] = [];
  readonly answers = new Map<string, string | TransferError>();

  async soa(_: string, { host }: { host: string }) {
    return soaOf(this.#records(`${host} SOA`, host));
  }

  async transfer(_: string, { host }: { host: string }) {
    return { records: this.#records(`${host} AXFR`, host), unread: [] };
  }

  #records(question: string, host: string) {
    this.questions.push(question);
    const answer = this.answers.get(host) ?? new TransferError("transfer/timeout", "no answer");
    if (answer instanceof TransferError) throw answer;
    return readZone(answer).records;
  }

  /** The queries since the last call. */
  takeQuestions(): string[] {
    return this.questions.splice(0);
  }
}

interface SlavesSetup {
  remote?: Remote;
  port?: number;
  store?: Store;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  waitForZone?: (ms: number) => Promise<void>;
}

/** Time that does not pass. */
export function never(_: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** An API with its name service, and slaves that look when they are told. */
export async function beginSlaves(options: SlavesSetup = {}) {
  const masters = new Masters();
  const { remote = masters, port = 53, store = await emptyStore(), sleep = never } = options;
  const api = await start({ store });
  const settings = { ...readServerSettings({ store, clock: () => api.clock.now }), remote };
  const errors: string[] = [];
  const onError = (error: unknown) =>
    errors.push(error instanceof TransferError ? error.message : expect.fail(String(error)));
  const slaves = new Slaves({ settings, clock: () => api.clock.now, port, sleep, onError });
  const zones = new StoredZones(settings, () => api.clock.now, {
    waitForCurrent: options.waitForZone ?? waitForCurrent,
  });
  const notice = (zone: string, peer: string) => slaves.handleNotify(domainName(zone), peer);
  const service = await listenDns({ host, port: 0, zones, notice, onError });
  onTestFinished(() => service.close());
  const at = { host, port: service.port };
  return {
    ...api,
    masters,
    slaves,
    errors,
    at,
    /** Advances the clock by `seconds` and lets the slaves look. */
    async lookAfter(seconds: number) {
      api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
      await slaves.runDue();
      return masters.takeQuestions();
    },
    async www() {
      const { rcode, aa, answers } = await ask(at, {
        question: { name: domainName("www.example.com."), type: "A", class: 1 },
      });
      return rcode === 0 ? `${aa ? "aa " : ""}${answers.map((record) => rdataText(record))}` : rcode;
    },
  };
}
