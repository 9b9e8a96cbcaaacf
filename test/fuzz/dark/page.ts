import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { asName } from "../../../src/dns/name/name.ts";
import { pageText } from "../../planner/page.ts";
import { changeLine } from "../../planner/steps-text.ts";
import type { Write } from "./order.ts";
import type { DarkMoment, Outcome } from "./trial.ts";
import type { DarkWorld, DarkZone, ZoneSide } from "./world.ts";

/**
 * A world as a page: zones by name as zone files write them, before and after. A zone that is not desired is deleted.
 * Those in `secondary` have the records of a primary elsewhere, and keep them.
 */
interface Page {
  readonly title: string;
  readonly current?: Readonly<Record<string, string>>;
  readonly desired?: Readonly<Record<string, string>>;
  readonly secondary?: Readonly<Record<string, string>>;
}

const disabled = ";@ status: disabled";
export const pagesFolder = join(import.meta.dirname, "../../cases/dark");

export function readPages(): { readonly file: string; readonly world: DarkWorld }[] {
  const files = readdirSync(pagesFolder).filter((file) => file.endsWith(".yaml"));
  return files.map((file) => ({ file, world: readPage(readFileSync(join(pagesFolder, file), "utf8")) }));
}

export function readPage(text: string): DarkWorld {
  const { title, current = {}, desired = {}, secondary = {} } = parse(text) as Page;
  const names = [...new Set([...Object.keys(current), ...Object.keys(desired)])];
  const zones = names.map((name): DarkZone => {
    const [before, after] = [current[name], desired[name]];
    return {
      name: `${name}.`,
      ...(before !== undefined && { before: sideOf(before) }),
      ...(after !== undefined && { after: sideOf(after) }),
    };
  });
  const others = Object.entries(secondary).map(([name, text]): DarkZone => {
    return { name: `${name}.`, isSecondary: true, before: sideOf(text), after: { lines: [] } };
  });
  return { title, zones: [...zones, ...others] };
}

function sideOf(text: string): ZoneSide {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isDisabled = lines.includes(disabled);
  return { lines: lines.filter((line) => line !== disabled), ...(isDisabled && { isDisabled }) };
}

/** The world as a page, with what was planned and what was seen. */
export function printPage(
  world: DarkWorld,
  { plan, writes, moments, undeclared, unseen }: Outcome,
  more: object = {},
): string {
  const zones = world.zones.filter(({ isSecondary }) => !isSecondary);
  const secondary = world.zones.filter(({ isSecondary }) => isSecondary);
  return stringify(
    {
      title: world.title,
      ...more,
      current: sides(zones, "before"),
      desired: sides(zones, "after"),
      ...(secondary.length > 0 && { secondary: sides(secondary, "before") }),
      changes: pageText(plan, true),
      ...(plan.unproved.length > 0 && { unproved: plan.unproved }),
      ...(undeclared.length > 0 && { undeclared: undeclared.map(momentText) }),
      ...(unseen.length > 0 && { declaredButNeverDark: unseen }),
      dark: moments.filter((moment) => !undeclared.includes(moment)).map(momentText),
      order: writes.map(writeText),
    },
    { lineWidth: 0 },
  );
}

function sides(zones: readonly DarkZone[], side: "before" | "after"): Record<string, string> {
  return Object.fromEntries(
    zones.flatMap(({ name, [side]: one }) =>
      one
        ? [
            [
              name.slice(0, -1),
              [...one.lines, ...(one.isDisabled ? [disabled] : [])].map((line) => `${line}\n`).join(""),
            ],
          ]
        : [],
    ),
  );
}

function momentText({ owner, type, at, before, now, after }: DarkMoment): string {
  return `after write ${at}: ${owner} ${type} | before: ${before} | now: ${now} | at the end: ${after}`;
}

function writeText(write: Write, index: number): string {
  const number = `${index + 1}`;
  if (write.kind === "record")
    return `${number} [step ${write.step.id}] ${changeLine(write.change, asName(write.zone))}`;
  if (write.kind === "delete") return `${number} delete the zone ${write.zone}`;
  return `${number} ${write.zone} ${write.settings.map(({ name, before, after }) => `${name} ${before} -> ${after}`).join(", ")}`;
}
