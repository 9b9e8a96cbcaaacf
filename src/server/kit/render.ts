import { defaultTimes } from "../../contract/ttl.ts";
import { asName, type Name, relativeTo } from "../../dns/name.ts";
import { emailToName } from "../../dns/types/soa.ts";
import { rdataText } from "../../dns/zone.ts";
import { fromApi } from "../../targets/api/mapping.ts";
import { nextTurn, Pace } from "../store/event-loop.ts";
import type { DomainRow, RecordRow } from "../store/tables.ts";

/**
 * The lines of a zone for a given serial (service: Zone file): a comment with the domain and its id, `$TTL`, SOA, the service's NS set, and
 * one line for each record in the order given. `nameservers` are absolute without a final dot, the primary first. The
 * SOA's minimum, for how long a missing name is remembered (RFC 2308 §4), is the zone's TTL. A large zone is rendered in
 * steps, between which the event loop turns.
 */
export async function renderZone(
  domain: DomainRow,
  records: AsyncIterable<readonly RecordRow[]>,
  nameservers: readonly string[],
): Promise<(serial: number) => string[]> {
  const origin = asName(`${domain.domain}.`);
  const time = (field: keyof typeof defaultTimes) => domain[field] || defaultTimes[field];
  const times = [time("refresh_sec"), time("retry_sec"), time("expire_sec"), time("ttl_sec")].join(" ");
  const lines: string[] = [];
  const pace = new Pace();
  for await (const some of records) {
    for (const record of some) {
      lines.push(recordLine(record, origin));
      if (pace.isSpent(cost.record + record.target.length * cost.character)) await nextTurn();
    }
  }
  return (serial) => [
    `; ${domain.domain} [${domain.id}]`,
    `$TTL ${time("ttl_sec")}`,
    `@  IN  SOA  ${nameservers[0]}. ${emailToName(domain.soa_email)} ${serial} ${times}`,
    ...nameservers.map((name) => `@ NS ${name}.`),
    ...lines,
  ];
}

/** Cost of reading a record and writing its line, and of a character of its target, in nanoseconds. */
const cost = { record: 10_000, character: 150 };

function recordLine(row: RecordRow, origin: Name): string {
  const record = fromApi(row, origin);
  const owner = relativeTo(record.owner, origin);
  return [owner, record.ttl, record.type, rdataText(record)].filter((part) => part !== undefined).join(" ");
}
