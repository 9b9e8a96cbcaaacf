import type { Clock } from "../../clock.ts";
import type { RecordChange } from "../../planner/changes/change.ts";
import type { WriteFailure } from "../../targets/target.ts";
import { type FailureReader, hasProblem, isForAll, messageText } from "./apply-problems.ts";
import type { Where } from "./journal-line.ts";
import type { WriteLog, WriteResult } from "./zone-log.ts";

/**
 * Time after which a write whose reply was lost must be visible, in milliseconds
 * (decisions/plan-apply#ambiguous-outcomes).
 */
export const visibleAfterMs = 60_000;

/** The waits between checks, in milliseconds; their sum is `visibleAfterMs`. */
const waitsMs: readonly number[] = [250, 750, 2_000, 5_000, 12_000, 20_000, 20_000];

/**
 * The waits before each check of a write whose reply was lost, in milliseconds: one list per attempt. A write that no
 * check finds is sent again, except after the last attempt.
 */
export type CheckSchedule = readonly (readonly number[])[];

const short = [0, ...waitsMs.slice(0, 2)];
const whole = [0, ...waitsMs];

export const checkSchedules = {
  /** Idempotent once a check has shown that the write is still to be done, so sending again does not wait. */
  repeatable: [[0, ...waitsMs.slice(1)], ...waitsMs.slice(1).map((_, index) => waitsMs.slice(index + 1)), []],
  /** A second copy could be stored, so the write is sent once more at most, and only after `visibleAfterMs`. */
  create: [whole, [0]],
  /** The service rejects a second copy, so the write is sent again at once. */
  uniqueCreate: [[0], [0]],
  /** In a swap, which is reverted on failure: that ends the gap sooner. */
  urgentCreate: [[0, ...waitsMs.slice(0, 4)]],
  createZone: [short, short, short],
  deleteZone: [short, whole, whole],
  /** One more check after a refusal. */
  afterRefusal: whole,
} satisfies Record<string, CheckSchedule | readonly number[]>;

/** A write, and how to make sure that it takes effect once. */
export interface Write {
  readonly where: Where;
  /** Absent for zones and settings. */
  readonly change?: RecordChange;
  readonly schedule: CheckSchedule;
  readonly send: () => Promise<WriteResult>;
  /** Reads the outcome back; undefined if the write is not visible. Rejects if someone else changed the data. */
  readonly look: () => Promise<WriteResult | undefined>;
  /** Checks before the first attempt as well. */
  readonly isLookedAtFirst?: boolean;
  /** Sends again after one check that does not find it; otherwise all checks are needed. */
  readonly isRepeatable?: boolean;
  /** The outcome that a refusal implies, like 404 for a DELETE. `isSecond`: an earlier reply to this write was lost. */
  readonly readRefusal?: (failure: WriteFailure, isSecond: boolean) => Promise<WriteResult | undefined>;
}

interface OnceContext {
  readonly target: FailureReader;
  readonly clock: Clock;
  readonly log: WriteLog;
}

/**
 * Makes a write take effect once, even if replies are lost: its effect is checked before it is sent again. `isOurs` is
 * false if someone else has already made the change. Rejects with the errors of the methods of `Write`. If the last
 * reply is lost as well, the journal keeps the write as open, and the next run checks first.
 */
export async function once(context: OnceContext, write: Write): Promise<WriteResult & { readonly isOurs: boolean }> {
  const { target, log } = context;
  const { where, change } = write;
  if (write.isLookedAtFirst) {
    const found = await write.look();
    if (found) {
      log.noteAcked(where, { already: true });
      return { ...found, isOurs: false };
    }
  }
  for (let sent = 1; ; sent++) {
    await log.noteSent(where);
    try {
      const outcome = await write.send();
      log.noteAcked(where, outcome);
      return { ...outcome, isOurs: true };
    } catch (error) {
      const failure = target.writes.failureOf(error);
      if (failure !== "lost") return readRefused(context, write, { failure, error, isSecond: sent > 1 });
      log.noteAmbiguous(where, change, error);
      const outcome = await lookFor(context, write, write.schedule[sent - 1] ?? []);
      const isLast = sent === write.schedule.length;
      if (outcome || !isLast) log.noteResolved(where, change, { done: outcome !== undefined, ...outcome });
      if (outcome) return { ...outcome, isOurs: true };
      if (isLast) throw error;
    }
  }
}

/** The outcome that a refusal implies; otherwise rejects with its error. */
async function readRefused(
  { log }: OnceContext,
  { where, readRefusal }: Write,
  { failure, error, isSecond }: { failure: WriteFailure; error: unknown; isSecond: boolean },
): Promise<WriteResult & { readonly isOurs: boolean }> {
  const outcome = await readRefusal?.(failure, isSecond);
  if (!outcome) {
    log.noteRefused(where, messageText(error));
    throw error;
  }
  log.noteAcked(where, isSecond ? outcome : { already: true });
  return { ...outcome, isOurs: isSecond };
}

/** Checks until one succeeds. If the last check fails, the outcome is unknown and its error is thrown. */
export async function lookFor(
  { target, clock }: Pick<OnceContext, "target" | "clock">,
  { look, isRepeatable = false }: Pick<Write, "look" | "isRepeatable">,
  pauses: readonly number[],
): Promise<WriteResult | undefined> {
  for (const [index, pause] of pauses.entries()) {
    if (pause > 0) await clock.sleep(pause);
    try {
      const outcome = await look();
      if (outcome || isRepeatable) return outcome;
    } catch (error) {
      if (index === pauses.length - 1 || isForAll(target, error) || hasProblem(error, "live-changed")) throw error;
    }
  }
  return undefined;
}
