import type { CallOptions, Client } from "../../client/client.ts";
import { ClientError } from "../../client/client-error.ts";
import { isAborted } from "../../client/transport-error.ts";
import { largestPage } from "../../contract/bounds.ts";
import type { ApiEvent } from "../../contract/resources/event.ts";
import { asId, type Id } from "../../dns/desired-live.ts";
import { Fault } from "../../dns/fault.ts";
import { type Name, type NameKey, nameKey, readExactName } from "../../dns/name.ts";
import { toOctets } from "../../dns/text.ts";
import type { ZoneEvent } from "../../dns/zone-event.ts";
import type { EventLog, EventStart, ZoneHead } from "../target.ts";
import { apiId } from "./mapping.ts";

/** The maximum number of pages to read: 10,000 events. */
const mostPages = 20;

/**
 * Reads the events of domains after an event, or from a time on. The list starts with the newest event, so a new event
 * moves others to a later page: they may be read twice, but are never missed.
 */
export async function readEvents(
  client: Pick<Client, "listEvents">,
  start: EventStart,
  options: CallOptions = {},
): Promise<EventLog> {
  const after = "after" in start ? apiId(start.after) : 0;
  const filter = {
    ...("after" in start ? { id: { "+gt": after } } : { created: { "+gte": start.from } }),
    "entity.type": "domain",
  };
  const found = new Map<number, ZoneEvent>();
  for (let page = 1, pages = 1; page <= pages && page <= mostPages; page++) {
    const reply = await client.listEvents({ query: { page, page_size: largestPage }, filter }, options);
    pages = reply.pages;
    for (const event of reply.data) {
      const read = zoneEvent(event);
      if (read && event.id > after) found.set(event.id, read);
    }
    if (page === mostPages && page < pages) return { events: sortEvents(found), isWhole: false };
  }
  return { events: sortEvents(found), isWhole: true };
}

/** See `PlanningReads.findUnactivated`. A zone whose events are not all known counts as changed. */
export async function findUnactivated(
  client: Pick<Client, "listEvents" | "getProfile">,
  zones: readonly Pick<ZoneHead, "id">[],
  options: CallOptions = {},
): Promise<ReadonlySet<Id>> {
  try {
    const { username } = await client.getProfile({}, options);
    const [created, changed] = await Promise.all(
      ["dns_zone_create", "dns_zone_update"].map(async (action) => {
        const events = new Map<Id, ApiEvent>();
        for (let page = 1, pages = 1; page <= pages; page++) {
          if (page > mostPages) return undefined;
          const query = { page, page_size: largestPage };
          const reply = await client.listEvents({ query, filter: { action } }, options);
          pages = reply.pages;
          for (const event of reply.data)
            if (event.entity?.type === "domain" && event.entity.id !== undefined)
              events.set(asId(event.entity.id), event);
        }
        return events;
      }),
    );
    if (!created || !changed) return new Set();
    const isOpen = (id: Id) => created.get(id)?.username === username && !changed.has(id);
    return new Set(zones.flatMap(({ id }) => (isOpen(id) ? [id] : [])));
  } catch (error) {
    if (!(error instanceof ClientError) || isAborted(error)) throw error;
    return new Set();
  }
}

function sortEvents(events: ReadonlyMap<number, ZoneEvent>): ZoneEvent[] {
  return [...events.values()].sort((a, b) => apiId(a.id) - apiId(b.id));
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
 * `A www.example.com`, or `A new.example.com, was A old.example.com` (service: Events of the DNS part). Text of other
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
