import type { Ack } from "../config/acks.ts";
import { plain } from "../diagnostics/plain.ts";
import { type Problem, problem } from "../diagnostics/problem.ts";
import { asName, type NameKey, nameKey } from "../dns/name.ts";
import { guards as allGuards, type Held } from "./guards.ts";

/** Changes that a guard blocks, and their approval: on the command line, or in git with a reason. */
export interface Weighed extends Held {
  readonly state: "held" | "allowed" | "acknowledged";
  readonly reason?: string;
}

/**
 * What is held, with who let it pass, and what there is to say of acknowledgements that let nothing pass. `today` is
 * YYYY-MM-DD; `isPlanned` says whether the plan is about a zone.
 */
export function weigh(
  held: readonly Held[],
  isAllowed: (held: Held) => boolean,
  acks: readonly Ack[],
  today: string,
  isPlanned: (zone: NameKey | "*") => boolean,
): { guards: Weighed[]; said: Problem[] } {
  const used = new Set<Ack>();
  const guards = held.map((one): Weighed => {
    const fitting = acks.filter((ack) => fits(ack, one));
    for (const ack of fitting) used.add(ack);
    const ack = fitting.find(({ until }) => until >= today);
    if (ack) return { ...one, state: "acknowledged", reason: ack.reason };
    return { ...one, state: isAllowed(one) ? "allowed" : "held" };
  });
  const said = acks.flatMap((ack): Problem[] => {
    const { guard, zone, until, at } = ack;
    if (until < today) {
      const summary = `the acknowledgement of ${guard} in ${zone} ended on ${until}`;
      return [problem("ack-ended", summary, { fix: "Remove it.", place: at })];
    }
    if (used.has(ack) || !isPlanned(nameOf(zone))) return [];
    const summary = `the acknowledgement of ${guard} in ${zone} matches nothing in this plan`;
    const fix = "Remove it once it is applied; if the effects have changed, acknowledge them anew.";
    return [problem("ack-useless", summary, { fix, place: at })];
  });
  return { guards, said };
}

function fits({ guard, zone, effects }: Ack, held: Held): boolean {
  return guard === held.guard && nameOf(zone) === held.zone && held.effectDigest.startsWith(effects);
}

function nameOf(zone: string): NameKey | "*" {
  return zone === "*" ? zone : nameKey(asName(zone.replace(/\.?$/, ".")));
}

/** One line for a blocked change: `blocked by G05 (mail): example.com: deletes the last MX`. */
export function blockedText({ guard, zone, findings }: Held): string {
  const title = allGuards.find((known) => known.guard === guard)?.title;
  return plain(`blocked by ${guard} (${title}): ${findingsText({ zone, findings })}`);
}

/** The zone, and at most three findings of a guard. */
export function findingsText({ zone, findings }: Pick<Held, "zone" | "findings">): string {
  const texts = [...new Set(findings.map(({ text }) => text))];
  const more = texts.length > 3 ? `; and ${texts.length - 3} more` : "";
  return `${zone === "*" ? "this run" : zone.slice(0, -1)}: ${texts.slice(0, 3).join("; ")}${more}`;
}

/** The instructions to approve it. */
export function remedy(
  { guard, zone, effectDigest }: Pick<Weighed, "guard" | "zone" | "effectDigest">,
  until: string,
): string {
  const name = zone === "*" ? '"*"' : plain(zone.slice(0, -1));
  const digest = effectDigest.slice(0, 16);
  return `--allow ${guard}, or in acks.yaml: - { guard: ${guard}, zone: ${name}, effects: "${digest}", reason: …, until: ${until} }`;
}
