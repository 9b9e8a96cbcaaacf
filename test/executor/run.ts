import { relativeTo } from "../../src/dns/name/name.ts";
import type { DesiredZone } from "../../src/dns/zone/desired-live.ts";
import { executePlan } from "../../src/executor/apply.ts";
import type { ApplyEvent } from "../../src/executor/journal/event.ts";
import { type Plan, subject } from "../../src/planner/changes/change.ts";
import { readLive } from "../../src/targets/read-live.ts";
import { plan } from "../planner/plan-now.ts";
import { stepsText } from "../planner/steps-text.ts";
import { desiredOf } from "../planner/world.ts";
import type { FakeApi } from "./fake-api.ts";

/** Plans the zones of these texts against the account as it is. All its disabled zones count as left by a run. */
export async function planned(api: FakeApi, zones: Readonly<Record<string, string | DesiredZone>>): Promise<Plan> {
  const desired = Object.entries(zones).map(([name, zone]) =>
    typeof zone === "string" ? desiredOf(zone, `${name}.`) : zone,
  );
  const names = new Set(desired.map(({ name }) => name));
  const live = await readLive(api.target.read, (name) => names.has(name));
  api.log.length = 0;
  return plan(desired, live.zones, { unactivated: new Set(live.zones.keys()) });
}

/** Applies a plan, one step after the other, and gives each event as a line. `onEvent` is called as they come. */
export async function applied(
  api: FakeApi,
  plan: Plan,
  signal?: AbortSignal,
  onEvent: (line: string) => void = () => {},
): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of executePlan(plan, api.target, { signal, clock: api.clock, atOnce: 1 })) {
    lines.push(eventLine(event));
    onEvent(eventLine(event));
  }
  return lines;
}

/** Events of zones that ran side by side, zone after zone. */
export function byZone(events: readonly string[]): string[] {
  const zones = [...new Set(events.map((line) => line.split(" ")[0]))].sort();
  return zones.flatMap((zone) => events.filter((line) => line.startsWith(`${zone} `)));
}

export function eventLine(event: ApplyEvent): string {
  const zone = event.zone.slice(0, -1);
  switch (event.kind) {
    case "zone-begun":
      return `${zone} begun, ${event.writes} writes`;
    case "zone-created":
      return `${zone} created as ${event.domainId}`;
    case "zone-deleted":
      return `${zone} deleted, it was ${event.domainId}`;
    case "record-written":
    case "record-undone": {
      const { change } = event;
      const { owner, type } = change.kind === "delete" ? change.before : change.after;
      const done = event.kind === "record-written" ? "written" : "undone";
      return `${zone} ${done}: ${change.kind} ${relativeTo(owner, event.zone)} ${type}`;
    }
    case "duplicate-removed":
      return `${zone} removed duplicate ${event.record.id} of ${event.kept}`;
    case "settings-written":
      return `${zone} written: ${event.names.join(", ")}`;
    case "ambiguous":
    case "resolved": {
      const what = event.change
        ? `${event.change.kind} ${relativeTo(subject(event.change).owner, event.zone)}`
        : "zone";
      const known = event.kind === "resolved" ? (event.isDone ? " done" : " not done") : "";
      return `${zone} ${event.kind}: ${what}${known}`;
    }
    case "zone-done":
      return event.left ? `${zone} done, left: ${stepsText(event.left)}` : `${zone} done`;
    case "zone-warned":
      return `${zone} warned: ${event.problem.summary}`;
    case "zone-failed":
      return `${zone} failed at ${event.written} of ${event.writes}: ${(event.error as Error).message}`;
    case "zone-stopped":
      return `${zone} stopped at ${event.written} of ${event.writes}`;
  }
}
