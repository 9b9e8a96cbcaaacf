import { asName, nameKey } from "../../src/dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../src/dns/zone/desired-live.ts";
import { forecast } from "../../src/executor/journal/writes.ts";
import { accept } from "../../src/targets/api/accept.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { plan } from "../planner/plan-now.ts";
import { desiredOf, liveOf, zoneOf } from "../planner/world.ts";

/** The report of what takes the live zones to the desired ones. */
export function reportOf(
  desired: readonly DesiredZone[],
  live: readonly LiveZone[] = [],
  rest: {
    unmanaged?: readonly string[];
    limit?: PlanReport["limit"];
    notes?: PlanReport["notes"];
    guards?: PlanReport["guards"];
  } = {},
): PlanReport {
  const stored = new Map(live.map((zone) => [nameKey(zone.name), zone]));
  const made = plan(desired, stored, { unmanaged: rest.unmanaged?.map(asName) ?? [] });
  const { reads: applyReads, ...sent } = forecast(made, stored, { recordsPerRead: 1000, ids: "stored", lock: "none" });
  const { notes = [], guards = [] } = rest;
  return {
    plan: made,
    notes,
    guards,
    ackUntil: "2027-01-31",
    reads: 2,
    ...sent,
    applyReads,
    limit: rest.limit ?? 2_000,
  };
}

/** Output as a block of a test: without the first line end, and without the indent of the first line. */
export function block([text = ""]: TemplateStringsArray): string {
  const lines = text.replace(/^\n/, "").replace(/ *$/, "").split("\n");
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}

/** The zone of the examples, live. */
export const exampleLive = `$TTL 86400
www 3600 A 203.0.113.9
shop 3600 CNAME shops.example.net.
old-vpn 3600 A 192.0.2.44
app CNAME www
@ TXT "v=spf1 include:_spf.example.net ~all"
same A 192.0.2.1`;
const exampleDesired = `$TTL 86400
@ TXT "v=spf1 include:_spf.example.net -all"
api 300 AAAA 2001:db8:7::10
shop 300 A 198.51.100.20
shop 300 AAAA 2001:db8::20
www 600 A 198.51.100.7
app CNAME www
same A 192.0.2.1`;

/** A plan with a change of each kind, a gap, a note and a zone in sync. */
export function exampleReport(): PlanReport {
  const { desired, problems } = accept(zoneOf(exampleDesired));
  const same = "same.example.";
  return reportOf([desired, desiredOf("", same)], [liveOf(exampleLive), liveOf("", "documented", same)], {
    notes: problems,
  });
}
