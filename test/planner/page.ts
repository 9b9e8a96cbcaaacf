import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Name, type NameKey, nameKey, relativeTo } from "../../src/dns/name/name.ts";
import { asId, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { type Gap, isServed, type Plan, type Step, type ZonePlan } from "../../src/planner/changes/change.ts";
import { domainName } from "../names.ts";
import { plan } from "./plan-now.ts";
import { changeLine, settingLine } from "./steps-text.ts";
import { desiredOf, liveOf } from "./world.ts";
import type { World } from "./worlds.ts";

/**
 * A page for DNS administrators: records as master files write them (see `world.ts` for what is around them), of
 * example.com or of several zones by name, as they are stored and as they are desired. `changes` are the steps to
 * there, `back` those back: number, what it does, and after which steps or zones it begins. A zone that one side does
 * not have is new on the way to the other, and left alone on the way back.
 */
export interface Page {
  readonly title: string;
  readonly current: string | Readonly<Record<string, string>>;
  readonly desired: string | Readonly<Record<string, string>>;
  readonly changes: string;
  readonly back: string;
}

export const pagesFolder = join(import.meta.dirname, "../cases/plans");
export const pages = readdirSync(pagesFolder).filter((file) => file.endsWith(".yaml"));

export function readPage(file: string): Page {
  return parse(readFileSync(join(pagesFolder, file), "utf8")) as Page;
}

/** The live and the desired zones. */
export function worldOf(current: Page["current"], desired: Page["current"]): World {
  return {
    desired: zonesOf(desired).map(([name, text]) => desiredOf(text, name)),
    live: new Map<NameKey, LiveZone>(
      zonesOf(current).map(([name, text], index) => [
        nameKey(name),
        { ...liveOf(text, "documented", name), id: asId(index + 1) },
      ]),
    ),
  };
}

export function planned({ desired, live }: World): Plan {
  const wanted = new Set(desired.map(({ name }) => name));
  return plan(desired, new Map([...live].filter(([name]) => wanted.has(name))));
}

function zonesOf(zones: Page["current"]): [Name, string][] {
  if (typeof zones === "string") return [[domainName("example.com."), zones]];
  return Object.entries(zones).map(([name, text]) => [domainName(`${name}.`), text]);
}

/** The steps as pages show them. Several zones have their names above their steps. */
export function pageText({ zones }: Pick<Plan, "zones">, isSeveral: boolean): string {
  return zones
    .flatMap((zone) => [
      ...(isSeveral
        ? [
            `${zone.zone.name.slice(0, -1)}${zone.domainId === undefined ? " (new)" : ""}${zone.activation ? turnText(zone) : ""}`,
          ]
        : []),
      ...zone.steps.flatMap((step) => stepLines(step, zone)),
      ...zone.settings.map((setting) => settingLine(setting)),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

function turnText(zone: ZonePlan): string {
  const { needs = [], needsZones = [], gaps } = zone.activation ?? {};
  const parts = [isServed(zone).after ? "served" : "disabled", afterText({ needs, needsZones })].filter(Boolean);
  return `  ${parts.join(" ")}${gapsText(gaps, zone.zone.name)}`;
}

function afterText({ needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">): string {
  const waits = [...needs, ...needsZones.map((name) => name.slice(0, -1))];
  return waits.length === 0 ? "" : `after ${waits.join(", ")}`;
}

function gapsText(gaps: readonly Gap[] = [], zone: Name): string {
  return gaps
    .map(({ owner, types, seconds }) => `  gap ${types.join(",")} of ${relativeTo(owner, zone)} ${seconds}`)
    .join("");
}

function stepLines({ id, kind, writes, needs, needsZones = [], gaps }: Step, { zone }: ZonePlan): string[] {
  const gap = gapsText(gaps, zone.name);
  const waits = afterText({ needs, needsZones });
  const tail = `${gap}${waits === "" ? "" : `  ${waits}`}`;
  const lines = writes.map((change) => changeLine(change, zone.name));
  if (kind === "write") return [`${id} ${lines.join()}${tail}`];
  return [`${id} swap${tail}`, ...lines.map((line) => `    ${line}`)];
}
