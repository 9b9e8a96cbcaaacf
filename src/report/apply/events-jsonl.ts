import type { Problem } from "../../diagnostics/problem.ts";
import { type Name, relativeTo } from "../../dns/name/name.ts";
import { rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { messageText } from "../../executor/journal/apply-problems.ts";
import type { ApplyEvent } from "../../executor/journal/event.ts";
import type { RecordChange } from "../../planner/changes/change.ts";

/**
 * An event as a line of JSON, for programs. Fields, besides `event` and `zone` (without the final dot):
 *
 * | event | fields |
 * |---|---|
 * | zone-begun | `writes` |
 * | zone-created, zone-deleted | `domain_id` |
 * | record-written, record-undone | `change` create, update or delete; `name` relative to the zone, `@` for the zone itself; `type`; `before`, `after`: `ttl_sec`, absent for the zone's default, and `value` as in a BIND zone file |
 * | duplicate-removed | `name`, `type`, `value` as in `after`, `record_id` of the record that the run created and deleted again, `kept_id` of the equal record that is kept |
 * | settings-written | `settings`, their names |
 * | ambiguous | `error`; `change`, `name`, `type` of a record |
 * | resolved | `done`; `change`, `name`, `type` of a record |
 * | zone-done | `left`, the number of writes that are missing when the zone is read back |
 * | zone-failed | `written`, `writes`, `error` |
 * | zone-warned | `id`, `warning`: what failed after the writes, which took effect |
 * | zone-stopped | `written`, `writes` |
 * | note | no `zone`, but `id` and `note`: a note about the service |
 *
 * Later versions may add fields and events, but do not remove these.
 */
export function eventJson(event: ApplyEvent): string {
  return `${JSON.stringify({ event: event.kind, zone: event.zone.slice(0, -1), ...fieldsOf(event) })}\n`;
}

/** A note about the service as a line of JSON. */
export function noteJson({ id, summary }: Problem): string {
  return `${JSON.stringify({ event: "note", id, note: summary })}\n`;
}

function fieldsOf(event: ApplyEvent): object {
  switch (event.kind) {
    case "zone-begun":
      return { writes: event.writes };
    case "zone-created":
    case "zone-deleted":
      return { domain_id: event.domainId };
    case "record-written":
    case "record-undone":
      return { ...subjectOf(event.change, event.zone), ...valuesOf(event.change) };
    case "duplicate-removed": {
      const { id, owner, type } = event.record;
      const names = { name: relativeTo(owner, event.zone), type };
      return { ...names, value: recordFields(event.record), record_id: id, kept_id: event.kept };
    }
    case "settings-written":
      return { settings: event.names };
    case "ambiguous":
      return { ...subjectOf(event.change, event.zone), error: messageText(event.error) };
    case "resolved":
      return { ...subjectOf(event.change, event.zone), done: event.isDone };
    case "zone-warned":
      return { id: event.problem.id, warning: event.problem.summary };
    case "zone-done":
      return { left: event.left ? event.left.settings.length + event.left.steps.length : 0 };
    case "zone-failed":
      return { written: event.written, writes: event.writes, error: messageText(event.error) };
    case "zone-stopped":
      return { written: event.written, writes: event.writes };
  }
}

function subjectOf(change: RecordChange | undefined, zone: Name): object {
  if (!change) return {};
  const record = change.kind === "delete" ? change.before : change.after;
  return { change: change.kind, name: relativeTo(record.owner, zone), type: record.type };
}

function valuesOf(change: RecordChange): object {
  return {
    ...(change.kind !== "create" && { before: recordFields(change.before) }),
    ...(change.kind !== "delete" && { after: recordFields(change.after) }),
  };
}

function recordFields(record: ZoneRecord): object {
  return { ...(record.ttl !== undefined && { ttl_sec: record.ttl }), value: rdataText(record) };
}
