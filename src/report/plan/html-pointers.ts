import { html } from "hono/html";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { targets } from "../../dns/zone/zone.ts";
import { addToList } from "../../group-by.ts";
import { type Plan, subject } from "../../planner/changes/change.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import type { Html } from "../format/html-page.ts";
import { notShown, tableHtml } from "../format/html-parts.ts";
import type { LineKind } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { signs } from "./html-changes.ts";
import { type DrawnPointer, pointerPicture } from "./pointer-picture.ts";

/** The most rows of the table, and arrows of the picture. */
const mostRows = 500;
const mostArrows = 40;

/** The records that point to a name that the plan changes, as a graph and as a table. Undefined if there are none. */
export function pointersHtml(report: PlanReport): Html | undefined {
  const changes = changesByName(report.plan);
  const pointers = pointersOf(report, changes);
  if (pointers.length === 0) return undefined;
  const drawn = pointers.slice(0, mostArrows);
  const rows = pointers.slice(0, mostRows).map(({ from, type, to }) => {
    const texts = changes.get(nameKey(to));
    const what = texts === undefined ? "leads to a changed name" : [...texts].join(", ");
    return html`<tr><th scope="row" class="mono"><bdi>${nameText(from)}</bdi></th><td class="mono" data-label="type">${type}</td><td class="mono wide" data-label="points to"><bdi>${nameText(to)}</bdi></td><td class="wide" data-label="changes there">${what}</td></tr>
`;
  });
  return html`<p>Lookups of these names reach a name that changes. Changed names have a thick border.</p>
${pointerPicture(drawn, (name) => changes.has(name))}
${notShown(pointers.length - drawn.length, "record", "not in the picture")}
${tableHtml({
  caption: "Records that point to a changed name, also through aliases",
  className: "cards",
  columns: [{ title: "name" }, { title: "type" }, { title: "points to" }, { title: "changes there" }],
  rows,
})}${notShown(pointers.length - rows.length, "record", "not listed")}`;
}

/** The changes of each name: `~ change A`. */
function changesByName({ zones, deletions }: Plan): Map<NameKey, Set<string>> {
  const changes = new Map<NameKey, Set<string>>();
  const add = (owner: Name, kind: LineKind, type: string) => {
    const key = nameKey(owner);
    const texts = changes.get(key) ?? new Set();
    changes.set(key, texts.add(`${signs[kind]} ${kind} ${type}`));
  };
  for (const { steps } of zones)
    for (const { kind, writes } of steps)
      for (const write of writes) {
        const { owner, type } = subject(write);
        add(owner, kind === "write" ? kinds[write.kind] : "swap", type);
      }
  for (const { records } of deletions) for (const { owner, type } of records) add(owner, "delete", type);
  return changes;
}

const kinds = { create: "create", update: "change", delete: "delete" } as const;

/** The records that point to changed names after the plan, then the aliases that lead to those records. */
function pointersOf({ plan, desired }: PlanReport, changes: ReadonlyMap<NameKey, unknown>): DrawnPointer[] {
  const byTarget = new Map<NameKey, DrawnPointer[]>();
  const owners = new Set<NameKey>();
  for (const { records } of desired ?? plan.zones.map(({ zone }) => zone))
    for (const record of records) {
      owners.add(nameKey(record.owner));
      for (const target of targets(record)) {
        const pointer = { from: record.owner, type: record.type, to: target };
        addToList(byTarget, nameKey(target), pointer);
      }
    }
  const found = new Set([...changes.keys()].flatMap((name) => byTarget.get(name) ?? []));
  // A set that grows is iterated to its new end.
  for (const { from, type } of found)
    if (type === "CNAME") for (const pointer of byTarget.get(nameKey(from)) ?? []) found.add(pointer);
  return [...found];
}
