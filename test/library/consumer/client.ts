import { type ApiRecord, all, createClient, type Domain, type NewRecord } from "zonewright/client";

const client = createClient({ baseUrl: "http://127.0.0.1:4119", token: "t" });

/** Words that the service may add are accepted where it answers, and known words are still compared. */
export async function addressesOf(domainId: number): Promise<string[]> {
  const records = await all(client.listRecords, { domainId });
  return records.filter(({ type }) => type === "A" || type === "SOMETHING-NEW").map(({ target }) => target);
}

export const isKnown = ({ type }: ApiRecord): boolean => ["A", "AAAA"].includes(type);

export function label({ type, status }: Domain): string {
  const known: "master" | "slave" | (string & {}) = type;
  // @ts-expect-error a service may add types, so this is not one of two
  const closed: "master" | "slave" = type;
  return `${known} ${closed} ${status.toUpperCase()}`;
}

// @ts-expect-error what is sent is one of the types that the API knows
export const unknown: NewRecord = { type: "SOMETHING-NEW" };

// @ts-expect-error a body is missing
void client.createDomain({});

void client.listRecords({ domainId: 1, filter: { "+or": [{ type: "A" }, { name: { "+contains": "w" } }] } });
void client.listEvents({ filter: { "entity.type": "domain", "+order_by": "entity.label", "+order": "desc" } });

// @ts-expect-error records have no such attribute to filter by
void client.listRecords({ domainId: 1, filter: { ttl: 300 } });
// @ts-expect-error nor within another filter
void all(client.listRecords, { domainId: 1, filter: { "+and": [{ ttl: 300 }] } });
// @ts-expect-error domains have no such attribute to order by
void client.listDomains({ filter: { "+order_by": "target" } });

// @ts-expect-error only lists filter
void client.getDomain({ domainId: 1, filter: {} });
