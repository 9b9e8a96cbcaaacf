import type { Ack } from "../../config/acks.ts";
import { type Advice, advise } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { asName, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Finding } from "../risk/guard.ts";
import type { GuardBlock } from "./find-blocks.ts";
import { findGuard, isBlockOf } from "./guards.ts";

/** Changes that a guard blocks, and their approval: on the command line, or in git with a reason. */
export interface JudgedBlock extends GuardBlock {
  readonly state: "blocked" | "allowed" | "acknowledged";
  readonly reason?: string;
  /** The target of the plan; absent in a project with at most one. */
  readonly target?: string;
}

/** Approvals on the command line and in git, for the plan of some zones. */
interface Approvals {
  /** The target of the plan; absent in a project with at most one. */
  readonly target?: string | undefined;
  readonly isAllowed: (block: GuardBlock) => boolean;
  readonly acks: readonly Ack[];
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly isPlanned: (zone: NameKey | "*") => boolean;
  /** Whether the project or the account has the zone, as far as the plan tells. */
  readonly isKnown: (zone: NameKey | "*") => boolean;
}

/** The blocks with their approvals, and a problem for each acknowledgement that has expired or approves nothing. */
export function judgeBlocks(
  blocks: readonly GuardBlock[],
  { target, isAllowed, acks, today, isPlanned, isKnown }: Approvals,
): { guards: JudgedBlock[]; problems: Problem[] } {
  const used = new Set<Ack>();
  const guards = blocks.map((block): JudgedBlock => {
    const fitting = acks.filter((ack) => fits(ack, block));
    for (const ack of fitting) used.add(ack);
    const ack = fitting.find(({ until }) => until >= today);
    const of = target === undefined ? {} : { target };
    if (ack) return { ...block, ...of, state: "acknowledged", reason: ack.reason };
    return { ...block, ...of, state: isAllowed(block) ? "allowed" : "blocked" };
  });
  const problems = acks.flatMap((ack): Problem[] => {
    const { guard, zone, at, until } = ack;
    if (until < today) return [expiredProblem(ack)];
    if (!isKnown(nameOf(zone))) {
      const summary = `the acknowledgement of ${guard} is for ${zone}, which is neither in the project nor in the account`;
      return [problem("ack-unused", summary, { fix: "Correct the name of the zone, or remove the entry.", place: at })];
    }
    if (used.has(ack) || !isPlanned(nameOf(zone))) return [];
    const summary = `the acknowledgement of ${guard} in ${zone} matches no blocked change of this plan`;
    const fix = "Remove it once the change is applied. If the effects have changed, acknowledge them again.";
    return [problem("ack-unused", summary, { fix, place: at })];
  });
  return { guards, problems };
}

/** The problem of an acknowledgement that has expired. */
export function expiredProblem({ guard, zone, until, at }: Ack): Problem {
  const summary = `the acknowledgement of ${guard} in ${zone} ended on ${until}`;
  return problem("ack-expired", summary, { fix: "Remove it.", place: at });
}

function fits({ guard, zone, effects }: Ack, block: GuardBlock): boolean {
  return isBlockOf(guard, block) && nameOf(zone) === block.zone && block.effectDigest.startsWith(effects);
}

function nameOf(zone: string): NameKey | "*" {
  return zone === "*" ? zone : nameKey(asName(zone.replace(/\.?$/, ".")));
}

/** One line for a blocked change: `blocked by G05 (mail): example.com MX: deletes the last MX`. */
export function blockedText(block: GuardBlock): string {
  const texts = findingTexts(block);
  const more = texts.length > 3 ? `; and ${texts.length - 3} more` : "";
  return `blocked by ${guardText(block)}: ${texts.slice(0, 3).join("; ")}${more}`;
}

/** `G05 (mail)` */
export function guardText({ guard }: Pick<GuardBlock, "guard">): string {
  return `${guard} (${findGuard(guard)?.title})`;
}

/** The findings of a block, each once and with what it is about. */
export function findingTexts({ zone, findings }: Pick<GuardBlock, "zone" | "findings">): string[] {
  return [...new Set(findings.map((finding) => escapeControl(`${topicOf(finding, zone)}: ${finding.text}`)))];
}

/** The owner name and the types of one RRset or more at a name; otherwise the zone. */
function topicOf({ effects, isWide }: Finding, zone: NameKey | "*"): string {
  const names = new Set(effects.map(({ name }) => name));
  const [name] = names;
  const isOfZone = effects.some(({ kind }) => kind === "domain" || kind === "setting");
  if (name === undefined || names.size > 1 || isWide || isOfZone) return zone === "*" ? "this run" : zone.slice(0, -1);
  return `${name.slice(0, -1)} ${[...new Set(effects.map(({ type }) => type))].join(", ")}`;
}

/** The instructions to approve it. */
export function remedy(block: ApprovableBlock, until: string): Advice {
  return advise`${{ set: "allow", to: block.guard }}, or in acks.yaml: - { ${ackFields(block, until).join(", ")} }`;
}

type ApprovableBlock = Pick<JudgedBlock, "guard" | "zone" | "effectDigest" | "target">;

/** The fields of the entry in `acks.yaml` that approves it. */
export function ackFields({ guard, zone, effectDigest, target }: ApprovableBlock, until: string): string[] {
  const name = zone === "*" ? '"*"' : escapeControl(zone.slice(0, -1));
  const digest = effectDigest.slice(0, 16);
  const of = target === undefined ? [] : [`target: ${target}`];
  return [`guard: ${guard}`, `zone: ${name}`, ...of, `effects: "${digest}"`, "reason: …", `until: ${until}`];
}
