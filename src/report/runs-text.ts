import { plain } from "../diagnostics/plain.ts";
import { rdataText } from "../dns/zone.ts";
import type { JournalLine, JournalLineOf, JournalRecord } from "../executor/journal-line.ts";
import type { Run } from "../executor/runs.ts";
import { writesText } from "../workflow/runs.ts";
import { palette, type Style } from "./palette.ts";
import { tableText } from "./table-text.ts";

const stepTexts: Readonly<Record<string | number, string>> = {
  zone: "create the zone",
  "delete-zone": "delete the zone",
};

/** The runs of a project as a table, the newest first. */
export function runsText(runs: readonly Run[], style: Style): string {
  if (runs.length === 0) return "no runs yet\n";
  const { dot } = palette(style);
  const rows = runs.toReversed().map((run) => {
    const zones = run.zones.map((zone) => zone.slice(0, -1));
    const more = zones.length > 3 ? [`${zones.length - 3} more`] : [];
    const undoes = run.undoes === undefined ? "" : ` ${dot} undoes ${run.undoes}`;
    return [
      run.id,
      run.state === "partly" && run.written === 0 ? "failed" : run.state,
      writesText(run),
      `${[...zones.slice(0, 3), ...more].join(", ")}${undoes}`,
    ];
  });
  return tableText(rows);
}

/** The journal of a run as text, one line per event; requests with their values. */
export function runText(entries: readonly JournalLine[], style: Style): string {
  const { arrow } = palette(style);
  const records = new Map<string, { readonly name: string; readonly values: string }>();
  const lines = entries.flatMap((entry): string[] => {
    switch (entry.kind) {
      case "begin":
        return [`${entry.at}  started: ${entry.zones.map(({ zone }) => zone.slice(0, -1)).join(", ")}`];
      case "intent": {
        for (const [index, { before, after }] of entry.records?.entries() ?? []) {
          const record = after ?? before;
          const verb = !before ? "create" : after ? "change" : "delete";
          const name = `${verb} ${record?.owner} ${record?.type}`;
          const values = [before, after].flatMap((side) => (side ? [textOf(side)] : [])).join(` ${arrow} `);
          records.set(keyOf({ ...entry, write: index }), { name, values });
        }
        return [];
      }
      case "sent":
        return [`${entry.at}  sent: ${[what(entry), recordAt(entry)?.values ?? []].flat().join(" ")}`];
      case "acked":
        return [`  ${entry.already ? "already in place" : "done"}: ${what(entry)}`];
      case "refused":
        return [`  refused: ${what(entry)}: ${entry.why}`];
      case "ambiguous":
        return [`  outcome unknown: ${what(entry)}: ${entry.why}`];
      case "resolved":
        return [`  ${entry.done ? "took effect" : "did not take effect"}: ${what(entry)}`];
      case "zone":
        return [`  ${entry.state}: ${entry.zone.slice(0, -1)}${entry.why === undefined ? "" : `: ${entry.why}`}`];
      case "end":
        return [`${entry.at}  ended: ${entry.state}`];
      default:
        return [];
    }
  });
  return lines.map((line) => `${plain(line)}\n`).join("");

  /** The record of a write; none for the deletion of a zone, whose records are not written one by one. */
  function recordAt(at: Sent) {
    return at.step === "delete-zone" ? undefined : records.get(keyOf(at));
  }

  function what({ back, ...at }: Sent): string {
    const text = recordAt(at)?.name ?? `${stepTexts[at.step] ?? "settings of"} ${at.zone.slice(0, -1)}`;
    return back ? `reverting ${text}` : text;
  }
}

type Sent = Pick<JournalLineOf<"sent">, "zone" | "step" | "write" | "back">;

function keyOf({ zone, step, write }: Sent): string {
  return `${zone} ${step} ${write}`;
}

/** The record's explicit TTL, if any, and its RDATA. */
function textOf(record: JournalRecord): string {
  return record.ttl === undefined ? rdataText(record) : `${record.ttl} ${rdataText(record)}`;
}
