import pMap from "p-map";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { askedAtOnce, type SilentServer } from "../name-servers/entering.ts";
import type { FirstPass } from "../plan/approved-plans.ts";
import type { RunContext } from "../project/run-context.ts";
import type { TargetPart } from "../zones/divide-names.ts";
import type { ApplyReport } from "./apply.ts";

/** A name server that a target waits for, because its zones are to name it. */
export interface AwaitedServer {
  readonly server: Name;
  readonly target: string;
}

/** One of the two passes, for an apply on a target by its name. */
export interface Pass {
  /** The first pass on the target, if this is the second one. */
  readonly firstOf: (target: string) => FirstPass | undefined;
  /** Takes the report. */
  readonly onApplied: (target: string, report: ApplyReport) => void;
}

interface Options {
  /** The longest time to wait for name servers of other targets, in milliseconds. */
  readonly timeoutMs: number;
  /** Called before the first wait, with its longest time in milliseconds. */
  readonly onWait: (ms: number, servers: readonly AwaitedServer[]) => void;
}

/** The result of an apply on one target, as far as it matters to the second pass. */
interface AppliedTarget {
  readonly silent: readonly SilentServer[];
  readonly pass: FirstPass;
}

/**
 * Applies on targets, then once more on those whose zones wait for name servers of another target, which have the zones
 * by then. `apply` is called with the targets of a pass; the results of both passes are returned.
 */
export async function applyInTwoPasses<Result>(
  context: Pick<RunContext, "now" | "sleep" | "signal">,
  parts: readonly TargetPart[],
  apply: (parts: readonly TargetPart[], pass: Pass) => Promise<Result>,
  options: Options,
): Promise<{ readonly first: Result; readonly second: Result | undefined }> {
  const applied = new Map<string, AppliedTarget>();
  const first = await apply(parts, {
    firstOf: () => undefined,
    onApplied: (target, report) => {
      applied.set(target, { silent: report.plan.silent ?? [], pass: passOf(report) });
    },
  });
  const again = await partsToRepeat(context, parts, applied, options);
  if (again.length === 0) return { first, second: undefined };
  const pass = { firstOf: (target: string) => applied.get(target)?.pass, onApplied: () => {} };
  return { first, second: await apply(again, pass) };
}

function passOf(report: ApplyReport): FirstPass {
  const created = report.plan.plan.zones.filter(({ domainId }) => domainId === undefined);
  return {
    run: report.state === "run" ? report.run.id : undefined,
    created: new Set(report.state === "run" ? created.map(({ zone }) => nameKey(zone.name)) : []),
  };
}

/** Waits for name servers until the time is over; not at all if nothing was written, since they were asked before. */
async function partsToRepeat(
  { now, sleep, signal }: Pick<RunContext, "now" | "sleep" | "signal">,
  parts: readonly TargetPart[],
  applied: ReadonlyMap<string, AppliedTarget>,
  { timeoutMs, onWait }: Options,
): Promise<readonly TargetPart[]> {
  const until = now().getTime() + timeoutMs;
  const answering = new Set<SilentServer>();
  const isRun = [...applied.values()].some(({ pass }) => pass.run !== undefined);
  let left = [...(isRun ? applied : [])].flatMap(([target, { silent }]) => silent.map((one) => ({ target, one })));
  for (let isFirst = true; left.length > 0 && !signal.aborted; isFirst = false) {
    const reasons = await pMap(left, ({ one }) => one.ask(), { concurrency: askedAtOnce });
    for (const [index, { one }] of left.entries()) if (reasons[index] === undefined) answering.add(one);
    left = left.filter(({ one }) => !answering.has(one));
    const rest = until - now().getTime();
    if (left.length === 0 || rest <= 0) break;
    if (isFirst)
      onWait(
        rest,
        left.map(({ target, one: { server } }) => ({ target, server })),
      );
    await sleep(Math.min(pauseMs, rest), signal);
  }
  return parts.filter(({ view }) => applied.get(view.view?.name ?? "")?.silent.some((one) => answering.has(one)));
}

const pauseMs = 1_000;
