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

// @ts-expect-error only lists filter
void client.getDomain({ domainId: 1, filter: {} });
