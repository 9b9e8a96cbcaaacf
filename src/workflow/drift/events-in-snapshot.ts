import { type Problem, problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { LiveRecord, LiveZone } from "../../dns/zone/desired-live.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import type { ZoneEvent } from "../../dns/zone/zone-event.ts";
import { eventText } from "./event-log.ts";

type Zones = ReadonlyMap<NameKey, LiveZone>;

/** The most events that a note names. */
const mostNamed = 3;

/**
 * A note on changes that someone made while the snapshot was saved. The snapshot contains them, so they are no drift,
 * although their events are newer than the one that it names.
 */
export function noteEventsInSnapshot(events: readonly ZoneEvent[], before: Zones, now: Zones): Problem[] {
  const inSnapshot = events.filter((event) => isInSnapshot(event, before, now));
  if (inSnapshot.length === 0) return [];
  const earlier = inSnapshot.length - mostNamed;
  const more = earlier > 0 ? `${earlier} earlier, then ` : "";
  const texts = inSnapshot.slice(-mostNamed).map(eventText).join(", ");
  const summary = `the snapshot was saved while someone changed records, or before the event log was complete: ${more}${texts}`;
  const fix = "The snapshot contains these changes, so they count as applied. Save it again while no one writes.";
  return [problem("drift-snapshot", summary, { fix })];
}

/** Whether a record is still as an event left it, and was so in the snapshot. */
function isInSnapshot({ zone, action, created, records: [name] }: ZoneEvent, before: Zones, now: Zones): boolean {
  if (!name || (action !== "dns_record_create" && action !== "dns_record_update")) return false;
  const recordsIn = (zones: Zones) =>
    (zones.get(zone)?.records ?? []).filter(({ owner, type }) => type === name.type && nameKey(owner) === name.owner);
  const [[then, ...othersThen], [present, ...others]] = [recordsIn(before), recordsIn(now)];
  if (!then || !present || othersThen.length > 0 || others.length > 0) return false;
  return then.updated === created && contentOf(then) === contentOf(present);
}

function contentOf({ id, type, ttl, data, updated }: LiveRecord): string {
  return `${id} ${ttl} ${updated} ${rdataText({ type, data })}`;
}
