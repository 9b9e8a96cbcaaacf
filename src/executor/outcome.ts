import { ApiError } from "../client/api-error.ts";
import type { Clock } from "../client/rate.ts";
import { TransportError } from "../client/transport-error.ts";
import { type Diagnostic, Refusal } from "../diagnostics/diagnostic.ts";
import { plain } from "../diagnostics/plain.ts";
import type { ZoneRecord } from "../dns/zone.ts";
import { rdataText } from "../dns/zone.ts";

/** How long a write whose reply is lost may take to show, in milliseconds (plan-apply: Ambiguous outcomes). */
export const patienceMs = 60_000;

/** The waits between two looks, in milliseconds; together they last as long as the patience. */
export const waits: readonly number[] = [250, 750, 2_000, 5_000, 12_000, 20_000, 20_000];

/** What the run does with an error of a write. */
export function isAmbiguous(error: unknown): boolean {
  return (error instanceof ApiError || error instanceof TransportError) && error.outcome === "ambiguous";
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Refused as it stands, so nothing was stored; not for want of a token or of time. */
export function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "invalid";
}

/** No zone can go on: the service is under maintenance, or the journal cannot be written. */
export function isForAll(error: unknown): boolean {
  return hasRule(error, "api/maintenance") || hasRule(error, "journal-write");
}

export function hasRule(error: unknown, wanted: string): boolean {
  return error instanceof Refusal && error.diagnostics.some(({ rule }) => rule === wanted);
}

/**
 * Looks until `look` gives something but undefined, with the waits between. A look that fails is no answer; when the last
 * one does, nobody knows, and its error is thrown.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  clock: Clock,
  pauses: readonly number[] = waits,
): Promise<T | undefined> {
  for (let turn = 0; ; turn++) {
    const pause = pauses[turn];
    try {
      const found = await look();
      if (found !== undefined || pause === undefined) return found;
    } catch (error) {
      if (pause === undefined || isForAll(error) || hasRule(error, "live-changed")) throw error;
    }
    await clock.sleep(pause ?? 0);
  }
}

/** What is said when a record, or a zone, is no longer what the plan was made from. */
export function changedMeanwhile(what: readonly string[]): Refusal {
  return new Refusal(
    what.map((text) => ({
      severity: "error",
      rule: "live-changed",
      summary: `somebody else has changed or deleted ${text} since the plan was made`,
      fix: "It was left as it is. Run plan again and look at what it says now.",
    })),
  );
}

/** The refusal of a zone that the plan creates and that is there by now. */
export function createdMeanwhile(domain: string, id: number): Refusal {
  return new Refusal([
    {
      severity: "error",
      rule: "live-changed",
      summary: `${plain(domain)} was created by somebody else since the plan was made: it is domain ${id} now`,
      fix: "Nothing was written to it. If another apply is running, wait until it is done; then run plan again.",
    },
  ]);
}

export function waitsInVain(summary: string): Refusal {
  const fix = "Cure what stopped it, then run apply again.";
  return new Refusal([{ severity: "error", rule: "waits-in-vain", summary, fix }]);
}

export function shown(record: ZoneRecord): string {
  return plain(`${record.owner} ${record.type} ${rdataText(record)}`);
}

/** An error as what there is to say of it. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof Refusal) return error.diagnostics;
  return [{ severity: "error", rule: "unexpected", summary: messageOf(error) }];
}

export function messageOf(error: unknown): string {
  return plain(error instanceof Error ? error.message : String(error));
}
