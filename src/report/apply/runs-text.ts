import { escapeControl } from "../../diagnostics/escape.ts";
import { withoutDot } from "../../dns/name/name.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import type { JournalLine, JournalRecord, Where } from "../../executor/journal/journal-line.ts";
import type { Run } from "../../executor/journal/runs.ts";
import { writesText } from "../../workflow/apply/runs.ts";
import { palette, type Style } from "../text/palette.ts";
import { tableText } from "../text/table-text.ts";

/** The runs of a project as a table, the newest first. */
export function runsText(runs: readonly Run[], style: Style): string {
  if (runs.length === 0) return "no runs yet\n";
  const { dot } = palette(style);
  const isOfTargets = runs.some(({ target }) => target !== undefined);
  const rows = runs.toReversed().map((run) => {
    const zones = run.zones.map((zone) => zone.slice(0, -1));
    const more = zones.length > 3 ? [`${zones.length - 3} more`] : [];
    const undoes = run.undoes === undefined ? "" : ` ${dot} undoes ${run.undoes}`;
    return [
      run.id,
      ...(isOfTargets ? [run.target ?? ""] : []),
      run.state === "partly" && run.written === 0 ? "failed" : run.state,
      writesText(run),
      `${[...zones.slice(0, 3), ...more].join(", ")}${undoes}`,
    ];
  });
  return tableText(rows);
}

/** The runs of a project for programs, the newest first. */
export function runsJson(runs: readonly Run[]): object {
  return { runs: runs.toReversed().map((run) => runJson(run)) };
}

/** A run for programs, with its events in words; values as in a BIND zone file. */
export function runJson(run: Run, entries?: readonly JournalLine[]): object {
  const { id, target, begun, ended, state, zones, undoes, writes, written, open } = run;
  const counts = { writes, written, without_reply: open };
  const events = entries && { events: runEvents(entries) };
  return {
    id,
    ...(target !== undefined && { target }),
    begun,
    ended,
    state,
    zones: zones.map(withoutDot),
    undoes,
    ...counts,
    ...events,
  };
}

/** An event of a run. `event` is a word or two, such as `sent`. */
interface RunEvent {
  readonly at?: string;
  readonly event: string;
  readonly zone?: string;
  readonly zones?: readonly string[];
  /** The write: `create`, `change` or `delete` of a record; or of the zone or its settings. */
  readonly write?: string;
  readonly name?: string;
  readonly type?: string;
  readonly before?: RecordValue;
  readonly after?: RecordValue;
  /** Whether it reverts such a write. */
  readonly reverts?: true;
  readonly why?: string;
  /** At the end: whether all of it is done. */
  readonly state?: string;
}

interface RecordValue {
  /** Absent for the zone's default. */
  readonly ttl_sec?: number;
  readonly value: string;
}

const zoneWrites: Readonly<Record<string | number, string>> = {
  zone: "create the zone",
  "delete-zone": "delete the zone",
};

/** The journal of a run as events, each write with the record that it changes. */
function runEvents(entries: readonly JournalLine[]): RunEvent[] {
  const records = new Map<string, Partial<RunEvent>>();
  return entries.flatMap((entry): RunEvent[] => {
    switch (entry.kind) {
      case "begin":
        return [{ at: entry.at, event: "started", zones: entry.zones.map(({ zone }) => withoutDot(zone)) }];
      case "intent": {
        for (const [index, { before, after }] of entry.records?.entries() ?? []) {
          const { owner, type } = after ?? before ?? {};
          const write = !before ? "create" : after ? "change" : "delete";
          const values = {
            ...(before && { before: recordValue(before) }),
            ...(after && { after: recordValue(after) }),
          };
          records.set(keyOf({ ...entry, write: index }), {
            write,
            ...(owner && { name: owner }),
            ...(type && { type }),
            ...values,
          });
        }
        return [];
      }
      case "sent":
        return [{ at: entry.at, event: "sent", ...writeOf(entry) }];
      case "acked":
        return [{ event: entry.already ? "already in place" : "done", ...writeOf(entry) }];
      case "refused":
        return [{ event: "refused", ...writeOf(entry), why: entry.why }];
      case "ambiguous":
        return [{ at: entry.at, event: "outcome unknown", ...writeOf(entry), why: entry.why }];
      case "resolved":
        return [{ event: entry.done ? "took effect" : "did not take effect", ...writeOf(entry) }];
      case "zone":
        return [
          { event: entry.state, zone: withoutDot(entry.zone), ...(entry.why !== undefined && { why: entry.why }) },
        ];
      case "end":
        return [{ at: entry.at, event: "ended", state: entry.state }];
      default:
        return [];
    }
  });

  /** A write with its record; the deletion of a zone has none, because its records are not written one by one. */
  function writeOf({ back, ...at }: Where): Partial<RunEvent> {
    const record = at.step === "delete-zone" ? undefined : records.get(keyOf(at));
    const what = record ?? { write: zoneWrites[at.step] ?? "settings" };
    return { zone: withoutDot(at.zone), ...what, ...(back && { reverts: back }) };
  }
}

/** The journal of a run as text, one line per event; requests with their values. */
export function journalText(entries: readonly JournalLine[], style: Style): string {
  const { arrow } = palette(style);
  return runEvents(entries)
    .map(({ at, event, zones, why, state, ...write }) => {
      const values =
        event === "sent" ? [write.before, write.after].flatMap((one) => (one ? [valueText(one)] : [])) : [];
      const what = [
        zones?.join(", ") ?? state ?? whatText(write),
        ...(values.length > 0 ? [values.join(` ${arrow} `)] : []),
      ];
      const parts = [event, what.join(" "), why].filter((part) => part !== undefined && part !== "");
      const hasTime = at !== undefined && event !== "outcome unknown";
      return `${escapeControl(`${hasTime ? at : ""}  ${parts.join(": ")}`)}\n`;
    })
    .join("");
}

function whatText({ write, zone = "", name, type, reverts }: Partial<RunEvent>): string {
  if (write === undefined) return zone;
  const object =
    name === undefined ? `${write === "settings" ? "settings of" : write} ${zone}` : `${write} ${name} ${type}`;
  return reverts ? `reverting ${object}` : object;
}

function keyOf({ zone, step, write }: Pick<Where, "zone" | "step" | "write">): string {
  return `${zone} ${step} ${write}`;
}

function recordValue(record: JournalRecord): RecordValue {
  return { ...(record.ttl !== undefined && { ttl_sec: record.ttl }), value: rdataText(record) };
}

function valueText({ ttl_sec: ttl, value }: RecordValue): string {
  return ttl === undefined ? value : `${ttl} ${value}`;
}
