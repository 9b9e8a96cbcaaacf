import type { CallOptions, Client } from "../../client/client.ts";
import { ClientError } from "../../client/client-error.ts";
import { isAborted } from "../../client/transport-error.ts";
import { largestPage } from "../../contract/bounds.ts";
import type { ApiEvent } from "../../contract/resources/event.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, type NameKey, nameKey, readExactName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { asId, type Id } from "../../dns/zone/desired-live.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import type { EventLog, EventStart, ZoneHead } from "../target.ts";
import { apiId } from "./mapping.ts";

/** The maximum number of pages to read: 10,000 events. */
const mostPages = 20;

/** Reads the events of domains after an event, or from a time on. */
export async function readEvents(
  client: Pick<Client, "listEvents">,
  start: EventStart,
  options: CallOptions = {},
): Promise<EventLog> {
  const after = "after" in start ? apiId(start.after) : 0;
  const filter = "after" in start ? { id: { "+gt": after } } : { created: { "+gte": start.from } };
  const { events, isWhole } = await readPages(client, { ...filter, "entity.type": "domain" }, options);
  return { events: events.filter(({ id }) => id > after).flatMap((event) => zoneEvent(event) ?? []), isWhole };
}

/** See `PlanningReads.findUnactivated`. No zone, if the token may not read the events, or if there are too many. */
export async function findUnactivatedByEvents(
  client: Pick<Client, "listEvents" | "getProfile">,
  zones: readonly Pick<ZoneHead, "id">[],
  options: CallOptions = {},
): Promise<ReadonlySet<Id>> {
  try {
    const { username } = await client.getProfile({}, options);
    const [created, changed] = await Promise.all([
      readPages(client, { action: "dns_zone_create" }, options),
      readPages(client, { action: "dns_zone_update" }, options),
    ]);
    if (!created.isWhole || !changed.isWhole) return new Set();
    const open = new Set(created.events.filter((event) => event.username === username).map(({ entity }) => entity?.id));
    for (const { entity } of changed.events) open.delete(entity?.id);
    return new Set(zones.flatMap(({ id }) => (open.has(apiId(id)) ? [id] : [])));
  } catch (error) {
    if (!(error instanceof ClientError) || isAborted(error)) throw error;
    return new Set();
  }
}

/**
 * Reads events, oldest first. The list starts with the newest, so a new event moves others to a later page: they may be
 * read twice, but are never missed.
 */
async function readPages(
  client: Pick<Client, "listEvents">,
  filter: NonNullable<NonNullable<Parameters<Client["listEvents"]>[0]>["filter"]>,
  options: CallOptions,
): Promise<{ readonly events: readonly ApiEvent[]; readonly isWhole: boolean }> {
  const found = new Map<number, ApiEvent>();
  let pages = 1;
  for (let page = 1; page <= Math.min(pages, mostPages); page++) {
    const reply = await client.listEvents({ query: { page, page_size: largestPage }, filter }, options);
    pages = reply.pages;
    for (const event of reply.data) found.set(event.id, event);
  }
  return { events: [...found.values()].sort((a, b) => a.id - b.id), isWhole: pages <= mostPages };
}

function zoneEvent({ id, action, entity, username, created, message }: ApiEvent): ZoneEvent | undefined {
  const zone = entity?.type === "domain" ? nameOf(entity.label) : undefined;
  if (zone === undefined) return undefined;
  const isRecord = action.startsWith("dns_record_");
  return {
    id: asId(id),
    zone,
    action,
    username: username ?? "",
    created,
    records: isRecord ? recordsOf(message ?? "", zone) : [],
  };
}

/**
 * `A www.example.com`, or `A new.example.com, was A old.example.com` (decisions/service#events). Text of other
 * services that does not name a record of the zone is ignored.
 */
function recordsOf(message: string, zone: Name): ZoneEvent["records"] {
  return message.split(/, was (?=[A-Z0-9]+ )/).flatMap((part) => {
    const [, type = "", name = ""] = /^([A-Z0-9]+) (\S.*)$/s.exec(part) ?? [];
    const owner = nameOf(name);
    return owner === zone || owner?.endsWith(`.${zone}`) ? [{ owner, type }] : [];
  });
}

function nameOf(text: string): NameKey | undefined {
  if (text === "") return undefined;
  try {
    return nameKey(readExactName(toOctets(text.endsWith(".") ? text : `${text}.`)));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
