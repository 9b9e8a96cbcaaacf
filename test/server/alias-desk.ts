import { onTestFinished } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { ask } from "../../src/dns-client/ask.ts";
import { askAddresses } from "../../src/dns-client/ask-addresses.ts";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { receiveZone } from "../../src/dns-client/transfer-zone.ts";
import { AliasKeeper } from "../../src/server/areas/aliases/alias-keeper.ts";
import { countUnresolvedAliases } from "../../src/server/areas/aliases/aliases-rows.ts";
import { allowAddresses } from "../../src/server/kit/allowed-networks.ts";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Behaviour, startResolver } from "../dns-client/fake-resolver.ts";
import { domainName } from "../names.ts";
import { waitForCurrent } from "./nameserver/wait-for-current.ts";
import { start } from "./start.ts";

const host = "127.0.0.1";

/** A silent resolver delays a test only shortly; for others there is time on a busy machine. */
const bounds = { attempts: 1, connectMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
const timeoutMs = { silent: 100, other: 20_000 };

/** The networks of documents, whose addresses tests serve. */
const networks = [
  { address: "192.0.2.0", prefix: 24 },
  { address: "2001:db8::", prefix: 32 },
];

interface AliasSetup {
  readonly store?: Store;
  readonly renderDelay?: number;
  readonly records?: "documented" | "open";
  readonly jitter?: () => number;
  /** Further resolvers, which are asked before that of the test. */
  readonly before?: readonly ServerAddress[];
}

/** Addresses of a name as lines of an answer. */
export function addresses(name: string, list: readonly string[], ttl = 300): Behaviour {
  return { answer: list.map((address) => `${name} ${ttl} ${address.includes(":") ? "AAAA" : "A"} ${address}`) };
}

/**
 * An API with its name service and a keeper of ALIAS records, which looks when it is told, and a resolver with a
 * behaviour for each question.
 */
export async function beginAliases({ renderDelay = 0, records = "open", jitter = () => 0, ...setup }: AliasSetup = {}) {
  const world = new Map<string, Behaviour>();
  const resolver = await startResolver((question) => world.get(question));
  const api = await start({ records, renderDelay, ...(setup.store && { store: setup.store }) });
  const { store, clock } = api;
  const errors: string[] = [];
  const onError = (error: unknown) => {
    errors.push(error instanceof Error ? error.message : String(error));
  };
  const settings = readServerSettings({ ...api.clocks, store, records, renderDelay, nameservers: ["ns1.example.net"] });
  const isAllowed = allowAddresses(networks);
  const keeperOf = (own = settings) =>
    new AliasKeeper({
      settings: own,
      clock: () => clock.now,
      resolvers: {
        servers: [...(setup.before ?? []), resolver.at],
        isAllowed: (address) => isAllowed(address),
        ask: (server, question, signal) => {
          const behaviour = world.get(`${question.name} ${question.type}`);
          const isSilent = behaviour === "silent" || behaviour?.lie !== undefined; // a lie does not count as an answer
          const within = { ...bounds, timeoutMs: timeoutMs[isSilent ? "silent" : "other"] };
          return askAddresses(server, question, { bounds: within, signal });
        },
      },
      jitter,
      onError,
    });
  const keeper = keeperOf();
  const zones = new StoredZones(settings, () => clock.now, { waitForCurrent });
  const service = await listenDns({ host, port: 0, zones, secondaries: [host], onError });
  onTestFinished(() => service.close());
  const at = { host, port: service.port };

  /** The records of a zone as it is transferred, by type, without SOA and NS records. */
  const served = async (zone = "example.com.") => {
    const { records } = await receiveZone({ zone: domainName(zone), server: at });
    return records
      .filter(({ type }) => type !== "SOA" && type !== "NS")
      .sort((one, other) => one.type.localeCompare(other.type))
      .map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`);
  };
  const serial = async (zone = "example.com.") => {
    const question = { name: domainName(zone), type: "SOA", class: 1 };
    const { answers } = await ask(at, { question });
    return (answers[0]?.data as { serial: number } | undefined)?.serial;
  };
  return {
    ...api,
    ...{ world, resolver, keeper, keeperOf, settings, errors, at, served, serial },
    look: () => keeper.runDue(),
    advance: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    /** Sets what the resolver has for a name. */
    set: (name: string, list: readonly string[], ttl = 300) => {
      const isOf = { A: (one: string) => !one.includes(":"), AAAA: (one: string) => one.includes(":") };
      for (const type of ["A", "AAAA"] as const)
        world.set(`${nameKey(domainName(name))} ${type}`, addresses(name, list.filter(isOf[type]), ttl));
    },
    takeErrors: () => errors.splice(0),
    countUnresolved: () => store.read(countUnresolvedAliases),
  };
}
