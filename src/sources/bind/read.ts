import { Fault } from "../../zone/fault.ts";
import { isInside } from "../../zone/name.ts";
import { soaSettings } from "../../zone/soa-settings.ts";
import { placeOf, type ZoneSettings } from "../../zone/zone.ts";
import { withSetTtls } from "../rrset-ttl.ts";
import { soaDiffers } from "../setting.ts";
import type { ReadResult, ZoneFile } from "../source.ts";
import { readEntry } from "./entry.ts";
import { said } from "./faults.ts";
import { Reading } from "./reading.ts";

/**
 * Reads a master file (RFC 1035 §5, `$TTL` of RFC 2308 §4) as BIND reads it. After a fault it goes on with the next
 * entry, so one run reports them all.
 */
export function readBind(file: ZoneFile): ReadResult {
  const reading = new Reading(file);
  readEntries(reading);
  checkInside(reading);
  checkSoa(reading);
  checkEmpty(reading);
  const zone = {
    name: reading.name,
    settings: allSettings(reading),
    records: withSetTtls(reading.records, reading.ttls.zone, (diagnostic) => reading.say(diagnostic)),
    places: reading.places,
    dotlessTargets: reading.dotless,
    ...reading.scope(),
    file: file.file,
  };
  const excused = reading.excused();
  return { zone: excused.length > 0 ? { ...zone, excused } : zone, diagnostics: reading.faults.all };
}

function readEntries(reading: Reading): void {
  for (;;) {
    try {
      if (reading.open.scanner.next()) {
        reading.isEmpty = false;
        readEntry(reading);
      } else if (!reading.close()) return;
    } catch (error) {
      reading.fault(error);
      if (reading.faults.areTooMany && !reading.close()) return;
    }
  }
}

function checkInside(reading: Reading): void {
  const { origins, hasAbsoluteOwners, records, name } = reading;
  if (origins.every((origin) => isInside(origin, name)) && !hasAbsoluteOwners) return;
  for (const record of records) {
    if (isInside(record.owner, name)) continue;
    const summary = `${record.owner} is not in the zone ${name}`;
    reading.say(said(new Fault("out-of-zone", summary, "Check $ORIGIN and the final dot."), placeOf(record)));
  }
}

/** A file that lost its lines must not pass for a zone without records. */
function checkEmpty(reading: Reading): void {
  if (!reading.isEmpty || reading.faults.all.length > 0) return;
  const fix = "Write its SOA and records, or remove the file.";
  reading.say(said(new Fault("zone-empty", "the file holds no zone", fix), reading.first.source.place(0)));
}

function checkSoa(reading: Reading): void {
  const { soa, implicit, settings } = reading;
  if (!soa || implicit.includes("SOA")) return;
  for (const fault of soaDiffers(soaSettings(soa), settings)) reading.say(said(fault, placeOf(soa)));
}

/** Directives, then what `$TTL` and the SOA say. */
function allSettings({ ttls, soa, implicit, settings }: Reading): ZoneSettings {
  return {
    ...(ttls.zone !== undefined && !implicit.includes("TTL") && { ttl_sec: ttls.zone }),
    ...(soa && !implicit.includes("SOA") && soaSettings(soa)),
    ...settings,
  };
}
