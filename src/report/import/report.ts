import { escapeControl } from "../../diagnostics/escape.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { withoutDot } from "../../dns/name/name.ts";
import type { Capabilities } from "../../targets/target.ts";
import { type LedgerClass, type LedgerEntry, ledgerClasses } from "../../workflow/import/ledger.ts";
import type { ImportResult } from "../../workflow/import/zones.ts";
import { jsonLine } from "../format/json-text.ts";
import { codeSpan, prose, tableRow } from "../format/markdown.ts";
import { palette, type Style } from "../text/palette.ts";
import { briefText } from "../text/problem-text.ts";

/** The number of zones by result, and of records by class. */
export interface ImportCounts {
  readonly zones: Readonly<Record<ImportResult["state"], number>>;
  readonly records: Readonly<Record<LedgerClass, number>>;
}

/** A report that is printed while zones are imported: only one of them is in memory. */
export interface ImportReport {
  readonly begin: string;
  zone(imported: ImportResult, isFirst: boolean): string;
  end(counts: ImportCounts): string;
}

export const noImports: ImportCounts = {
  zones: { written: 0, same: 0, kept: 0, earlier: 0, failed: 0 },
  records: { exact: 0, normalised: 0, "left-to-the-service": 0, unsupported: 0, lost: 0 },
};

export function countImport({ zones, records }: ImportCounts, imported: ImportResult): ImportCounts {
  const counts = { ...records };
  if (imported.state !== "failed") for (const entry of imported.ledger.entries) counts[entry.class]++;
  return { zones: { ...zones, [imported.state]: zones[imported.state] + 1 }, records: counts };
}

const words = { written: "wrote", same: "unchanged", kept: "kept", earlier: "wrote before" } as const;

/**
 * A line for each zone with its file and the counts of its ledger; below it, the records that the service will answer
 * in another form, or not at all. Those with the same reason are one line. The reasons of failures are errors, which
 * the command prints itself. `isQuiet` leaves out the zones with nothing below their line.
 */
interface TextOptions {
  readonly isQuiet?: boolean | undefined;
  /** Whose the NS records at the apex are. */
  readonly apex?: Capabilities["apex"] | undefined;
}

export function importText(style: Style, { isQuiet = false, apex = "service" }: TextOptions = {}): ImportReport {
  const { red, yellow } = palette(style);
  const failed = red("failed");
  /** The number of zones that failed for each reason. */
  const failures = new Map<string, number>();
  let unlisted = 0;
  const paint = {
    unsupported: yellow,
    lost: red,
    normalised: escapeControl,
    "left-to-the-service": escapeControl,
    exact: escapeControl,
  };
  return {
    begin: "",
    zone(imported) {
      if (imported.state === "failed") {
        const reasons = imported.problems.map((one) => summaryText(one, "cli")).join("\n");
        const already = failures.get(reasons) ?? 0;
        failures.set(reasons, already + 1);
        if (already < mostAlike) return `${failed} ${escapeControl(describeImport(imported))}\n`;
        unlisted++;
        return "";
      }
      const { entries } = imported.ledger;
      const { state, file, zonemd, confirmedBy } = imported;
      const parts = [
        classesText(countImport(noImports, imported).records),
        ...(zonemd ? ["ZONEMD verified"] : []),
        ...(confirmedBy === undefined ? [] : [`confirmed by ${confirmedBy}`]),
      ];
      const head = `${words[state]} ${escapeControl(file)}: ${escapeControl(parts.join(", "))}\n`;
      const lines = groupEntries(entries).map(({ entry, count: many }) => {
        const rule = entry.rule === undefined ? "" : ` [${entry.rule}]`;
        const what = `${groupText(entry, many)}: ${entry.reason ?? ""}`;
        return `  ${paint[entry.class](entry.class.padEnd(11))} ${escapeControl(what)}${rule}\n`;
      });
      return isQuiet && lines.length === 0 && state !== "kept" ? "" : head + lines.join("");
    },
    end: (counts) =>
      `${unlisted > 0 ? `${failed} ${unlisted} more\n` : ""}\n${zonesText(counts)}\n${classesText(counts.records)}\n${meaningsText(counts.records, apex)}`,
  };
}

/** The most failed zones that are listed for one reason, such as a server that is down. Further ones are counted. */
export const mostAlike = 10;

/** A line for each reason with more failures than those that are listed. */
export function moreFailures(failures: ReadonlyMap<string, number>, failed: string): string {
  const more = [...failures].filter(([, many]) => many > mostAlike);
  return more.map(([reason, many]) => `${failed} ${many - mostAlike} more: ${reason}\n`).join("");
}

/** Every record of every zone, as JSON. */
export const importJson: ImportReport = {
  begin: '{\n"zones": [',
  zone(imported, isFirst) {
    const { name, ...rest } = imported;
    const text = jsonLine({ ...(name !== undefined && { zone: describeImport(imported) }), ...rest });
    return `${isFirst ? "" : ","}\n${text}`;
  },
  end: (counts) => `\n],\n"counts": ${JSON.stringify(counts)}\n}\n`,
};

/** A table for reviews: the zones, and the records that the service will answer in another form, or not at all. */
export const importMarkdown: ImportReport = {
  begin: "| zone | result | record | class | reason |\n|---|---|---|---|---|\n",
  zone(imported) {
    const zone = describeImport(imported);
    const shown = codeSpan(zone);
    if (imported.state === "failed")
      return tableRow([
        shown,
        "failed",
        "",
        "",
        imported.problems.map((one) => prose(summaryText(one, "cli"))).join("; "),
      ]);
    const counts = classesText(countImport(noImports, imported).records);
    const rows = groupEntries(imported.ledger.entries).map(({ entry, count: many }) => {
      const record = many === 1 ? codeSpan(recordText(entry)) : groupText(entry, many);
      return tableRow(["", "", record, entry.class, `${prose(entry.reason ?? "")}${ruleText(entry.rule)}`]);
    });
    const notes = imported.problems.map((found) =>
      tableRow(["", "", "", found.severity, `${prose(briefText(found, "cli"))}${ruleText(found.id)}`]),
    );
    return tableRow([shown, words[imported.state], counts, "", ""]) + rows.join("") + notes.join("");
  },
  end: (counts) => `\n${zonesText(counts)}\n\n${classesText(counts.records)}\n`,
};

function ruleText(rule: string | undefined): string {
  return rule === undefined ? "" : ` (${codeSpan(rule)})`;
}

/** The zone, or the source that failed. */
export function describeImport(imported: ImportResult): string {
  return imported.name === undefined ? (imported.from ?? "") : withoutDot(imported.name);
}

function zonesText({ zones: { written, same, kept, earlier, failed } }: ImportCounts): string {
  const all = written + same + kept + earlier + failed;
  return `${count(all, "zone")}: ${written + earlier} written, ${same} unchanged, ${kept} kept, ${failed} failed`;
}

/**
 * `12 records (10 exact, 2 left to the service)`. The latter are the SOA and the NS records of the zone itself, which
 * are not in the file, so that `validate` counts fewer.
 */
function classesText(counts: ImportCounts["records"]): string {
  const all = ledgerClasses.reduce((sum, name) => sum + counts[name], 0);
  const parts = ledgerClasses
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name.replaceAll("-", " ")}`);
  return `${count(all, "record")}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`;
}

/** The results of records besides `exact`, in the order of the ledger. */
const ofClasses: Readonly<Record<LedgerClass, string>> = {
  exact: "",
  normalised: "stored in another form, such as with a rounded TTL",
  "left-to-the-service": "the service makes its own SOA record, and NS records at the apex",
  unsupported: "kept in the zone file, and not sent",
  lost: "not in the zone file, or not answered by the service",
};

const ofOpenApi = "the service makes its own SOA record";
const ofServer = "the server keeps its own SOA record, and makes DNSSEC records itself";

/** A line for each class that has records, with its meaning. */
function meaningsText(counts: ImportCounts["records"], apex: Capabilities["apex"]): string {
  const left = { service: ofClasses["left-to-the-service"], servers: ofOpenApi, ours: ofServer }[apex];
  const meanings = { ...ofClasses, "left-to-the-service": left };
  const shown = ledgerClasses.filter((name) => counts[name] > 0 && meanings[name] !== "");
  return shown.map((name) => `${name.replaceAll("-", " ")}: ${meanings[name]}\n`).join("");
}

export function isDnssec({ rule }: LedgerEntry): boolean {
  return rule === "dnssec-unsigned";
}

function recordText({ owner, type, rdata }: LedgerEntry): string {
  return `${owner} ${type} ${rdata}`.trimEnd();
}

/** The record of a group, or the number of its records. */
export function groupText(entry: LedgerEntry, many: number): string {
  return many === 1 ? recordText(entry) : count(many, isDnssec(entry) ? "DNSSEC record" : "record");
}

/** Entries that are worth a line. Normalised ones with the same reason, and the signatures of DNSSEC, are one. */
function groupEntries(entries: readonly LedgerEntry[]): { entry: LedgerEntry; count: number }[] {
  const groups = new Map<string, { entry: LedgerEntry; count: number }>();
  for (const entry of entries) {
    if (entry.class === "exact" || entry.class === "left-to-the-service") continue;
    const isOneLine = entry.class === "normalised" || isDnssec(entry);
    const key = `${entry.class} ${entry.reason} ${isOneLine ? "" : recordText(entry)}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { entry, count: 1 });
  }
  return [...groups.values()];
}
