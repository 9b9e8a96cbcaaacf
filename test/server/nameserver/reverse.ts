import { onTestFinished } from "vitest";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { ReverseZones } from "../../../src/server/nameserver/zones/reverse-zones.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings, type ServerOptions } from "../../../src/server/server.ts";
import type { Store } from "../../../src/server/store/store.ts";
import { start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

export const host = "127.0.0.1";
export const nodes = "/node/instances";
export const plain = { region: "us-east", type: "g6-nanode-1" };
/** The zones of the first addresses that nodes get, and that of default names. */
export const zone4 = "0.18.198.in-addr.arpa.";
export const zone6 = "0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.";
export const defaults = "ip.nodes.invalid.";

export const onError = (error: unknown) => {
  throw error;
};

/** The zones of a name service whose operator has secondaries. */
export function zonesOf(store: Store, now: () => Date, options: Partial<ServerOptions> = {}): ReverseZones {
  const settings = readServerSettings({ store, clock: now, nameservers: ["ns1.example.net"], ...options });
  const stored = new StoredZones(settings, now, { waitForCurrent, isAllTransferred: true });
  return new ReverseZones(stored, settings, now, { isTransferred: true });
}

/** An API and its name server, which this machine may transfer all zones from. */
export async function begin(options: Partial<ServerOptions> = {}) {
  const api = await start(options);
  const zones = zonesOf(api.store, () => api.clock.now, options);
  const service = await listenDns({ host, port: 0, zones, secondaries: [host], onError });
  onTestFinished(() => service.close());
  const at = { host, port: service.port };
  const rename = (address: string, rdns: string | null) => api.call("PUT", `${nodes}/1/ips/${address}`, { rdns });
  return { ...api, zones, at, rename };
}
