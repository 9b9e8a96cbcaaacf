import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import type { ChargeRow, Database } from "../../store/tables.ts";
import { monthOf, quotaIn, readTraffic, sampleTime, type TimeSpan } from "./traffic.ts";

const hour = 60 * 60 * 1000;

/** The use of a charge in a part of a month. */
export interface Use {
  readonly charge: ChargeRow;
  readonly from: string;
  readonly to: string;
}

/** The use until this moment that no invoice has, month by month; none if the clock was turned back behind it. */
export function usesUntil(charge: ChargeRow, moments: { readonly until: string }): Use[] {
  const end = charge.closed !== null && charge.closed < moments.until ? charge.closed : moments.until;
  const uses: Use[] = [];
  for (let from = charge.invoiced ?? charge.opened; ; ) {
    // The hour in which something is opened has begun, even if it is closed at once.
    if (from > end || (from === end && charge.invoiced !== null)) return uses;
    const turn = timestamp(new Date(monthOf(parseTimestamp(from)).until));
    const to = turn < end ? turn : end;
    uses.push({ charge, from, to });
    if (to === end) return uses;
    from = to;
  }
}

/** Hours begun in a use. */
export function hoursOf({ from, to }: Use): number {
  return Math.max(1, Math.ceil((parseTimestamp(to).getTime() - parseTimestamp(from).getTime()) / hour));
}

/** GB that a use adds to the pool of its month. */
export function poolOf({ charge, from, to }: Use): number {
  const span = { from: parseTimestamp(from).getTime(), until: parseTimestamp(to).getTime() };
  return quotaIn(span, charge.transfer, monthOf(parseTimestamp(from)));
}

/** Octets that a node sent while it was used. */
export async function readOutboundOctets(db: Database, { charge, from, to }: Use): Promise<number> {
  if (charge.kind !== "node") return 0;
  if (charge.traffic !== null) {
    const traffic: Readonly<Record<string, number>> = JSON.parse(charge.traffic);
    return traffic[monthKey(from)] ?? 0;
  }
  return (await readTraffic(db, charge.entity_id, samplesOf(from, to))).bytes_out;
}

/** Octets that a node sent until this moment, by the month, of those that are not invoiced. */
export async function readTrafficByMonth(
  db: Database,
  charge: ChargeRow,
  until: string,
): Promise<Record<string, number>> {
  const octets: Record<string, number> = {};
  for (const { from, to } of usesUntil(charge, { until }))
    octets[monthKey(from)] = (await readTraffic(db, charge.entity_id, samplesOf(from, to))).bytes_out;
  return octets;
}

/** A sample counts where its last moment is, so that each counts once if a charge follows another. */
function samplesOf(from: string, to: string): TimeSpan {
  const beginning = (text: string) => Math.floor(parseTimestamp(text).getTime() / sampleTime) * sampleTime;
  return { from: beginning(from), until: beginning(to) };
}

function monthKey(text: string): string {
  return text.slice(0, "YYYY-MM".length);
}
