import { ApiError } from "../../client/api-error.ts";
import type { CallOptions, ReadingClient } from "../../client/client.ts";
import { ClientError } from "../../client/client-error.ts";
import { TransportError } from "../../client/transport-error.ts";
import { largestPage } from "../../contract/bounds.ts";
import type { ApiEvent, EventAction } from "../../contract/resources/event.ts";
import { addressWords, isAddress4, isAddress6, plainAddress } from "../../dns/name/address.ts";
import type { FreedAddress } from "../../dns/name/freed-address.ts";
import type { FreedAddresses } from "../target.ts";

/** The methods of the client that find freed addresses. */
type AddressClient = Pick<ReadingClient, "listEvents" | "listAddresses" | "getProfile">;

/** The events whose messages name addresses of a node (decisions/nodes#jobs, decisions/nodes#reverse-dns). */
const actions = [
  "entity_transfer_accept",
  "node_addip",
  "node_delete",
  "node_deleteip",
  "node_migrate_datacenter",
] as const satisfies EventAction[];

/** The maximum number of addresses in one filter, which is a header. */
const mostAddresses = 100;

/** The addresses to look for, in canonical form, or all. */
export type Candidates = ReadonlySet<string> | "all";

/**
 * Finds the addresses among `candidates` that a node of the account had and none has now. The evidence is the event log
 * of the last 90 days. No request is sent if no node can have a candidate, one if the log names none of them, and a
 * list of the nodes' addresses and the profile otherwise.
 */
export async function readFreedAddresses(
  client: AddressClient,
  candidates: Candidates,
  options: CallOptions = {},
): Promise<FreedAddresses> {
  if (candidates !== "all" && ![...candidates].some(isOfNodes)) return { freed: [] };
  try {
    const { named, gap } = await readNamed(client, candidates, options);
    const unknown = gap === undefined ? {} : { unknown: gap };
    if (named.size === 0) return { freed: [], ...unknown };
    const freed = await withoutHeld(client, named, options);
    if (freed.length > 0 && (await client.getProfile({}, options)).restricted)
      return { freed: [], unknown: "the user of this token is restricted and may not see every node" };
    return { freed, ...unknown };
  } catch (error) {
    return { freed: [], unknown: explain(error) };
  }
}

/**
 * Whether a node can have the address: IPv4 addresses except those for documentation (RFC 5737), and IPv6 addresses
 * with an interface identifier of a hardware address (modified EUI-64, RFC 4291 appendix A).
 */
export function isOfNodes(address: string): boolean {
  if (!address.includes(":")) return !/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./.test(address);
  const [, , , , , fifth = 0, sixth = 0] = addressWords(address);
  return (fifth & 0xff) === 0xff && sixth >> 8 === 0xfe;
}

/** The candidates that events of nodes name, each with its newest event. */
async function readNamed(client: AddressClient, candidates: Candidates, options: CallOptions) {
  const filter = { "+or": actions.map((action) => ({ action })) };
  const query = { page: 1, page_size: largestPage };
  const { data, results } = await client.listEvents({ query, filter }, options);
  const named = new Map<string, FreedAddress>();
  for (const one of data.flatMap(addressesOf))
    if ((candidates === "all" || candidates.has(one.address)) && !named.has(one.address)) named.set(one.address, one);
  const gap = `only the newest ${data.length} of ${results} events about addresses were read`;
  return { named, ...(results > data.length && { gap }) };
}

/** The addresses that a node lost by an event. */
function addressesOf({ action, entity, message, created }: ApiEvent): FreedAddress[] {
  if (!entity || !message) return [];
  const until = created.slice(0, 10);
  if (action === "entity_transfer_accept")
    return [...message.matchAll(/(?:^|; )(\S+): ([^;]*)/g)].flatMap(([, node = "", list = ""]) =>
      addressesIn(list).map((address) => ({ address, node, until, isTransferred: true as const })),
    );
  const end = action === "node_addip" ? {} : { until };
  return addressesIn(message).map((address) => ({ address, node: entity.label, ...end }));
}

/** The words of a message that are addresses. */
function addressesIn(message: string): string[] {
  return message.split(/[\s,;()]+/).flatMap((word) => {
    const text = word.replace(/\.$|(?<!:):$/, "");
    const isAddress = isAddress4(text, 0, text.length) || isAddress6(text, 0, text.length);
    return isAddress ? [plainAddress(text)] : [];
  });
}

/** The addresses without those that nodes have now, sorted. */
async function withoutHeld(
  client: AddressClient,
  named: ReadonlyMap<string, FreedAddress>,
  options: CallOptions,
): Promise<FreedAddress[]> {
  const held = new Set<string>();
  const wanted = [...named.keys()].sort();
  for (let at = 0; at < wanted.length; at += mostAddresses) {
    const filter = { "+or": wanted.slice(at, at + mostAddresses).map((address) => ({ address })) };
    const { data } = await client.listAddresses({ query: { page: 1, page_size: largestPage }, filter }, options);
    for (const { address } of data) held.add(plainAddress(address));
  }
  return wanted.flatMap((address) => (held.has(address) ? [] : (named.get(address) ?? [])));
}

/** Why the addresses could not be read. Rethrows an abort, and errors that are not the service's. */
function explain(error: unknown): string {
  const isAborted = error instanceof TransportError && error.kind === "aborted";
  if (!(error instanceof ClientError) || isAborted) throw error;
  if (error instanceof ApiError && ["scope", "grant"].includes(error.kind))
    return "this token cannot read events or nodes (scopes events:read_only and nodes:read_only)";
  return `they cannot be read: ${error.problems[0]?.summary}`;
}
