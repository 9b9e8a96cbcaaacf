import pMap from "p-map";
import type { CallOptions, Client } from "../../client/client.ts";
import { all } from "../../client/pages.ts";
import type { Domain } from "../../contract/resources/domain.ts";
import type { ApiRecord } from "../../contract/resources/record.ts";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { LiveRecord, LiveZone } from "../../dns/desired-live.ts";
import { Fault } from "../../dns/fault.ts";
import { asName, type Name, type NameKey, nameKey, readExactName } from "../../dns/name.ts";
import { toOctets } from "../../dns/text.ts";
import { fromApi, isHeld } from "./mapping.ts";

/** What reading needs of the client: no method that writes. */
export type ReadingClient = Pick<Client, "listDomains" | "listRecords" | "getDomain">;

export interface Live {
  /** The wanted zones that exist. */
  readonly zones: ReadonlyMap<NameKey, LiveZone>;
  /** Names of the other zones of the account. */
  readonly others: readonly Name[];
  /** Those of the others that `isBeside` asked for. */
  readonly beside: readonly LiveZone[];
}

const zonesAtOnce = 4;

/**
 * Reads the wanted zones as they are stored: one pass over the list of domains, then the records of each, but for those
 * of types that the toolkit does not know. Once they are read, `besideOf` says which of the
 * others are to be read, too.
 * @throws {ProblemError} `live-record` for a record that cannot be read; and what the client's methods reject with.
 */
export async function readLive(
  client: ReadingClient,
  isWanted: (name: NameKey) => boolean,
  options: CallOptions = {},
  besideOf: (zones: Live["zones"]) => (name: NameKey) => boolean = () => () => false,
): Promise<Live> {
  const domains = await all(client.listDomains, {}, options);
  const named = domains.map((domain) => ({ domain, name: zoneName(domain) }));
  const read = (some: typeof named) =>
    pMap(some, ({ domain }) => readZone(client, domain, options), { concurrency: zonesAtOnce });
  const wanted = await read(named.filter(({ name }) => isWanted(nameKey(name))));
  const zones = new Map(wanted.map((zone) => [nameKey(zone.name), zone]));
  const others = named.filter(({ name }) => !isWanted(nameKey(name)));
  const isBeside = besideOf(zones);
  const beside = await read(others.filter(({ name }) => isBeside(nameKey(name))));
  return { zones, others: others.map(({ name }) => name), beside };
}

/** Reads one zone again. Throws as `readLive`. */
export async function readLiveZone(client: ReadingClient, domainId: number): Promise<LiveZone> {
  return readZone(client, await client.getDomain({ domainId }));
}

async function readZone(client: ReadingClient, domain: Domain, options: CallOptions = {}): Promise<LiveZone> {
  const name = zoneName(domain);
  const stored = await all(client.listRecords, { domainId: domain.id }, options);
  return {
    name,
    id: domain.id,
    settings: settingsOf(domain),
    records: stored.filter(({ type }) => isHeld(type)).map((record) => liveRecord(record, name)),
  };
}

/** The settings of a stored domain; all that the toolkit does not know is a master, or active. */
export function settingsOf(domain: Domain): LiveZone["settings"] {
  return {
    type: domain.type === "slave" ? "slave" : "master",
    soa_email: domain.soa_email,
    description: domain.description,
    status: domain.status === "disabled" ? "disabled" : "active",
    tags: domain.tags,
    group: domain.group,
    axfr_ips: domain.axfr_ips,
    master_ips: domain.master_ips,
    ttl_sec: domain.ttl_sec,
    refresh_sec: domain.refresh_sec,
    retry_sec: domain.retry_sec,
    expire_sec: domain.expire_sec,
  };
}

function zoneName({ domain }: Domain): Name {
  try {
    return readExactName(toOctets(domain));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return asName(`${domain}.`); // no file can name it, so nobody wants it: no reason to refuse the others
  }
}

function liveRecord(record: ApiRecord, zone: Name): LiveRecord {
  try {
    return { ...fromApi(record, zone), id: record.id, updated: record.updated };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new ProblemError(
      problem(
        "live-record",
        `${zone} holds the ${record.type} record ${record.id} with name ${shown(record.name)} and target ${shown(record.target)}, which cannot be read: ${error.message}`,
        { fix: "Correct or delete it through the API; nothing was changed." },
      ),
    );
  }
}

/** What is stored, on one line and not at any length. */
function shown(text: string): string {
  return `"${plain(text.length > 100 ? `${text.slice(0, 100)}…` : text)}"`;
}
