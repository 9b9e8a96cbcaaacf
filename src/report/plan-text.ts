import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import {
  type Plan,
  type RecordChange,
  type SettingChange,
  type Step,
  subject,
  type ZonePlan,
} from "../planner/change.ts";
import type { DesiredRecord } from "../zone/desired-live.ts";
import { formatDuration } from "../zone/duration.ts";
import { relativeTo, sortKey } from "../zone/name.ts";
import { placeOf, rdataText } from "../zone/zone.ts";
import { count } from "./findings.ts";
import { type Palette, palette, type Style } from "./palette.ts";

/** A plan, what it does not touch, and what there is to say about it. */
export interface PlanReport {
  readonly plan: Plan;
  readonly notes: readonly Diagnostic[];
  /** How many writes it takes. */
  readonly writes: number;
}

type Kind = "create" | "change" | "swap" | "delete";

interface Line {
  readonly kind: Kind;
  readonly sort: string;
  readonly owner: string;
  readonly type: string;
  readonly ttl: string;
  readonly value: string;
  readonly comment: string;
}

/** A plan as people review it: one line for each effect with symbol, word and consequence; zones in sync are counted. */
export function planText({ plan, notes, writes }: PlanReport, style: Style): string {
  const colors = palette(style);
  const zones = plan.zones.map((zone) => zoneText(zone, colors));
  const said = notes.map(({ severity, summary }) => `${severity}  ${plain(summary)}`);
  const left =
    plan.unmanaged.length > 0
      ? [`${count(plan.unmanaged.length, "zone")} of the account not in git, left alone: ${names(plan)}`]
      : [];
  return `${[...zones, ...said, ...left, total(plan, writes, colors)].join("\n")}\n`;
}

function total(plan: Plan, writes: number, colors: Palette): string {
  const { dot, green } = colors;
  const all = plan.inSync + plan.zones.length;
  if (plan.zones.length === 0) return green(`in sync: ${count(all, "zone")}, nothing to do`);
  const changes = plan.zones.flatMap((zone) => linesOf(zone, colors)).length;
  return `${count(changes, "change")} in ${plan.zones.length} of ${count(all, "zone")} ${dot} ${count(writes, "write")}`;
}

function names({ unmanaged }: Plan): string {
  const shown = unmanaged.slice(0, 3).map((name) => plain(name.slice(0, -1)));
  return shown.length < unmanaged.length
    ? `${shown.join(", ")} and ${unmanaged.length - shown.length} more`
    : shown.join(", ");
}

function zoneText(zone: ZonePlan, colors: Palette): string {
  const lines = linesOf(zone, colors);
  const number = (kind: Kind) => lines.filter((line) => line.kind === kind).length;
  const counts = (["create", "change", "swap", "delete"] as const)
    .filter((kind) => number(kind) > 0)
    .map((kind) => paint(kind, `${symbol(kind, colors)}${number(kind)}`, colors));
  const width = (column: "owner" | "type" | "ttl" | "value", most: number) =>
    Math.min(most, Math.max(...lines.map((line) => line[column].length)));
  const widths = {
    owner: width("owner", 32),
    type: width("type", 8),
    ttl: width("ttl", 14),
    value: width("value", 56),
  };
  const rows = lines.map((line) => {
    const cells = [
      line.owner.padEnd(widths.owner),
      line.type.padEnd(widths.type),
      line.ttl.padEnd(widths.ttl),
      line.value.padEnd(widths.value),
    ];
    const head = paint(line.kind, `${symbol(line.kind, colors)} ${line.kind.padEnd(6)}`, colors);
    return `  ${head}  ${cells.filter((cell) => cell !== "").join("  ")}  ${colors.dim(line.comment)}`.trimEnd();
  });
  return [`${colors.bold(plain(zone.zone.name.slice(0, -1)))}  ${counts.join("  ")}`, ...rows].join("\n");
}

function linesOf(zone: ZonePlan, colors: Palette): Line[] {
  const lines = zone.steps.flatMap((step) => stepLines(step, zone, colors));
  lines.sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0));
  const settings = zone.settings.map((change) => settingLine(change, colors));
  return [...(zone.domainId === undefined ? [createdZone(zone)] : []), ...settings, ...lines];
}

function createdZone({ zone }: ZonePlan): Line {
  const { type, soa_email, master_ips } = zone.settings;
  const value = type === "slave" ? `slave of ${master_ips?.join(", ")}` : `master, ${soa_email}`;
  const comment = zone.settings.status === "disabled" ? "stays disabled" : "disabled until its records are there";
  return { kind: "create", sort: "", owner: "(zone)", type: "", ttl: "", value: plain(value), comment };
}

function settingLine({ name, before, after }: SettingChange, { arrow }: Palette): Line {
  const value = `${shown(before)} ${arrow} ${shown(after)}`;
  return { kind: "change", sort: "", owner: "(zone)", type: name, ttl: "", value, comment: "" };
}

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? "(none)" : plain(text);
}

function stepLines(step: Step, zone: ZonePlan, colors: Palette): Line[] {
  if (step.kind === "write") return step.writes.map((change) => changeLine(change, zone, colors));
  const first = step.writes[0];
  if (!first) return [];
  const before = step.writes.flatMap((change) =>
    change.kind === "create" ? [] : [rdataOf(change.before, zone, true)],
  );
  const after = step.writes.flatMap((change) => (change.kind === "delete" ? [] : [rdataOf(change.after, zone, true)]));
  const added = step.writes.find((change) => change.kind === "create");
  const gap = `gap ${colors.dot} a resolver that asks in between may remember "nothing" up to ${formatDuration(step.gapSeconds ?? 0)}`;
  return [
    {
      ...namesOf(added ?? first, zone),
      kind: "swap",
      type: "",
      ttl: "",
      value: `${before.join(" + ")} ${colors.arrow} ${after.join(" + ")}`,
      comment: [gap, added && sourceOf(added.after)].filter(Boolean).join("  "),
    },
  ];
}

function changeLine(change: RecordChange, zone: ZonePlan, { arrow, dot }: Palette): Line {
  const base = { ...namesOf(change, zone), type: subject(change).type };
  if (change.kind === "create") {
    return {
      ...base,
      kind: "create",
      ttl: ttlOf(change.after, zone),
      value: rdataOf(change.after, zone),
      comment: sourceOf(change.after),
    };
  }
  if (change.kind === "delete") {
    return {
      ...base,
      kind: "delete",
      ttl: ttlOf(change.before, zone),
      value: rdataOf(change.before, zone),
      comment: "",
    };
  }
  const [from, to] = [rdataOf(change.before, zone), rdataOf(change.after, zone)];
  const [fromTtl, toTtl] = [ttlOf(change.before, zone), ttlOf(change.after, zone)];
  const lives = `in place ${dot} old answer lives until +${formatDuration(Number(fromTtl))}`;
  return {
    ...base,
    kind: "change",
    ttl: fromTtl === toTtl ? toTtl : `${fromTtl} ${arrow} ${toTtl}`,
    value: from === to ? to : `${from} ${arrow} ${to}`,
    comment: [lives, sourceOf(change.after)].filter(Boolean).join("  "),
  };
}

function namesOf(change: RecordChange, { zone }: ZonePlan): { owner: string; sort: string } {
  const { owner, type } = subject(change);
  return { owner: plain(relativeTo(owner, zone.name)), sort: `${sortKey(owner)}\u0001${type}` };
}

function rdataOf(record: DesiredRecord, { zone }: ZonePlan, withType = false): string {
  const text = plain(rdataText(record, (name) => relativeTo(name, zone.name)));
  return withType ? `${record.type} ${text}` : text;
}

function ttlOf({ ttl }: DesiredRecord, { zone }: ZonePlan): string {
  return String(ttl ?? (zone.settings.ttl_sec || 86400));
}

function sourceOf(record: DesiredRecord): string {
  const place = placeOf(record);
  return place ? plain(`${place.file}:${place.line}`) : "";
}

function symbol(kind: Kind, { swap }: Palette): string {
  return { create: "+", change: "~", swap, delete: "-" }[kind];
}

function paint(kind: Kind, text: string, { green, yellow, red, cyan }: Palette): string {
  return { create: green, change: yellow, swap: cyan, delete: red }[kind](text);
}
