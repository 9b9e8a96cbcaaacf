import pMap from "p-map";
import * as z from "zod";
import { all } from "../../client/pages.ts";
import { domain } from "../../contract/resources/domain.ts";
import { snapshotNode } from "../../contract/resources/node-addresses.ts";
import { openRecord } from "../../contract/resources/open-record.ts";
import { record } from "../../contract/resources/record.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveOptions } from "../read-live.ts";
import type { FreedAddresses } from "../target.ts";
import { type Candidates, isOfNodes } from "./freed-addresses.ts";
import { type PlanningClient, zoneName } from "./live.ts";
import { isRefusedToList } from "./nodes.ts";

/** A record of either setting: only with open records, it has its data in presentation form. */
const snapshotRecord = record.extend(openRecord.pick({ flags: true, rdata: true }).partial().shape);

/** Minor versions add optional parts; another major version is another format. */
export const apiSnapshotFormat = "zonewright.snapshot/1";

/** The live zones of an account as the API returns them, to plan against without a token. */
export const apiSnapshotSchema = z.object({
  format: z.literal(apiSnapshotFormat),
  time: z.iso.datetime().describe("Time when reading started"),
  target: z.object({
    name: z.string().optional().describe("The name of the target in the config; absent in a project without targets"),
    api: z.string().describe("The base URL of the API"),
    account: z
      .string()
      .nullable()
      .describe("External unique identifier of the account; null if the token may not read it"),
    records: z
      .literal("open")
      .optional()
      .describe("The records setting of the target, if its server holds every type and any TTL"),
  }),
  lastEvent: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Id of the newest event of the account when reading started, 0 if there was none; absent if the token may not read events",
    ),
  zones: z
    .array(z.string())
    .optional()
    .describe(
      "The only zones that were read, whether they existed or not: absolute names in lower case; absent if all were",
    ),
  domains: z.array(domain.extend({ records: z.array(snapshotRecord) })),
  freed: z
    .array(
      z.object({
        address: z.string().describe("IPv4 or IPv6 address"),
        node: z.string().describe("Label of the last node that had it"),
        until: z.iso.date().optional().describe("Day on which that node lost it; absent if unknown"),
        transferred: z
          .literal(true)
          .optional()
          .describe("Whether that node kept it, and was transferred to another account on that day"),
      }),
    )
    .optional()
    .describe(
      "The addresses that a node had in the last 90 days and none has now; absent if they could not be read. Older versions wrote only those of the records.",
    ),
  nodes: z
    .array(snapshotNode)
    .optional()
    .describe("The nodes that the token may see, with their addresses; absent unless zone files refer to nodes"),
});

export type ApiSnapshot = z.output<typeof apiSnapshotSchema>;

const zonesAtOnce = 4;

/** The parts of a snapshot besides its domains. */
export type SnapshotHead = Omit<ApiSnapshot, "format" | "domains" | "freed" | "nodes">;

export interface SnapshotOptions extends LiveOptions {
  /** An earlier snapshot. Domains that it contains are not read again, unless they are among the changed zones. */
  readonly earlier?: { readonly snapshot: ApiSnapshot; readonly changed: ReadonlySet<NameKey> } | undefined;
  /** Whether to add the nodes of the account; they are omitted if the token may not list them. */
  readonly withNodes?: boolean;
}

/** A snapshot, and facts about its reading. */
export interface TakenSnapshot {
  readonly snapshot: ApiSnapshot;
  /** The other domains of the account, if the snapshot is limited to some zones. */
  readonly others: readonly OtherDomain[];
  /** The number of domains whose records were read. */
  readonly read: number;
}

export interface OtherDomain {
  readonly name: NameKey;
  /** When it was created, in the service's format, if the service says so. */
  readonly created?: string | undefined;
}

/** Reads the domains of the account, or those of `head.zones`, with their records; with the known fields only. */
export async function snapshotAccount(
  client: PlanningClient,
  head: SnapshotHead,
  { signal, onRead, earlier, withNodes = false }: SnapshotOptions = {},
): Promise<TakenSnapshot> {
  const options = signal ? { signal } : {};
  onRead?.(0, 0);
  const names = head.zones && new Set<string>(head.zones);
  const listed = (await all(client.listDomains, {}, options)).map((domain) => ({
    domain,
    name: nameKey(zoneName(domain)),
  }));
  const isWanted = ({ name }: { readonly name: NameKey }) => names?.has(name) ?? true;
  // Of another setting, its records lack or have more than those that are read.
  const alike = earlier?.snapshot.target.records === head.target.records ? earlier : undefined;
  const known = new Map(
    alike?.snapshot.domains
      .filter((domain) => !alike.changed.has(nameKey(zoneName(domain))))
      .map((domain) => [`${domain.id} ${domain.domain}`, domain.records]),
  );
  const wanted = listed.filter(isWanted).map(({ domain }) => ({
    domain,
    records: known.get(`${domain.id} ${domain.domain}`),
  }));
  const toRead = wanted.filter(({ records }) => records === undefined).length;
  let done = 0;
  const domains = await pMap(
    wanted,
    async ({ domain, records }) => {
      if (records) return { ...domain, records };
      const read = await all(client.listRecords, { domainId: domain.id }, options);
      onRead?.(++done, toRead);
      return { ...domain, records: read };
    },
    { concurrency: zonesAtOnce },
  );
  const others = listed.filter((one) => !isWanted(one));
  const nodes = withNodes ? await listVisibleNodes(client, options) : undefined;
  return {
    snapshot: { format: apiSnapshotFormat, ...head, domains, ...(nodes && { nodes }) },
    others: others.map(({ name, domain: { created } }) => ({ name, created })),
    read: toRead,
  };
}

/** The nodes with their addresses; undefined if the token may not list them. */
async function listVisibleNodes(client: PlanningClient, options: LiveOptions): Promise<ApiSnapshot["nodes"]> {
  try {
    return (await all(client.listNodes, {}, options)).map(({ id, label, ipv4, ipv6 }) => ({ id, label, ipv4, ipv6 }));
  } catch (error) {
    if (isRefusedToList(error)) return undefined;
    throw error;
  }
}

/** The addresses among `candidates` that the snapshot knows as freed. */
export async function findFreedInSnapshot({ freed }: ApiSnapshot, candidates: Candidates): Promise<FreedAddresses> {
  const isWanted = (address: string) => candidates === "all" || candidates.has(address);
  if (freed) {
    const wanted = freed.filter(({ address }) => isWanted(address));
    return {
      freed: wanted.map(({ address, node, until, transferred }) => ({
        address,
        node,
        ...(until !== undefined && { until }),
        ...(transferred && { isTransferred: true }),
      })),
    };
  }
  if (candidates !== "all" && ![...candidates].some(isOfNodes)) return { freed: [] };
  return {
    freed: [],
    unknown: "the snapshot does not have them. Its token could not read events and nodes, or it is old",
  };
}

/** Freed addresses in the form of a snapshot. */
export function freedToSave({ freed }: FreedAddresses): ApiSnapshot["freed"] {
  return freed.map(({ isTransferred, ...one }) => ({ ...one, ...(isTransferred && { transferred: true }) }));
}

/** The list of the nodes in a snapshot, in one page. */
export function listNodesOf({ nodes }: ApiSnapshot): PlanningClient["listNodes"] {
  const listNodes = async () => {
    if (nodes) return { data: nodes, page: 1, pages: 1, results: nodes.length };
    const fix =
      "Take a snapshot with a token that has the scope nodes:read_only, in a project whose zone files refer to nodes. Or plan against the service.";
    throw problemError("node-access", "the snapshot contains no nodes", { fix });
  };
  return listNodes as unknown as PlanningClient["listNodes"];
}
