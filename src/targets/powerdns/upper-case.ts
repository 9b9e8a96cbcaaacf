import { asName, type NameKey, nameKey } from "../../dns/name/name.ts";
import { groupBy } from "../../group-by.ts";
import type { Rrset, ZoneReply } from "./replies.ts";

/** A zone without the records that lookups do not find, and the RRsets that these belong to. */
export interface FoundSets {
  readonly reply: ZoneReply;
  readonly unfound: readonly Rrset[];
}

/**
 * Separates records that another program stored under a name with upper-case letters. PowerDNS looks names up in lower
 * case: where the database distinguishes case, such as SQLite or PostgreSQL, lookups and changes do not find these
 * records, which the API lists all the same, in one RRset with others of the name. One request for each such name.
 */
export async function separateUnfound(
  reply: ZoneReply,
  isWanted: (name: NameKey) => boolean,
  readName: (name: NameKey) => Promise<readonly Rrset[]>,
): Promise<FoundSets> {
  const isAsked = ({ name }: Rrset) => name !== name.toLowerCase() && isWanted(keyOf(name));
  const asked = groupBy(reply.rrsets.filter(isAsked), ({ name }) => keyOf(name));
  if (asked.size === 0) return { reply, unfound: [] };
  const lists = await Promise.all([...asked.keys()].map(readName));
  const served = new Set(
    lists.flat().flatMap((set) => set.records.map(({ content }) => `${keyOf(set.name)} ${set.type} ${content}`)),
  );
  const unfound: Rrset[] = [];
  const rrsets = reply.rrsets.flatMap((set): Rrset[] => {
    if (!isAsked(set)) return [set];
    // The replies do not have the disabled records.
    const isFound = ({ content, disabled }: Rrset["records"][number]) =>
      disabled || served.has(`${keyOf(set.name)} ${set.type} ${content}`);
    const records = set.records.filter(isFound);
    if (records.length < set.records.length) unfound.push(set);
    return records.length > 0 ? [{ ...set, records }] : [];
  });
  return { reply: { ...reply, rrsets }, unfound };
}

function keyOf(name: string): NameKey {
  return nameKey(asName(name));
}
