import { count, durationInWords } from "../../diagnostics/quantities.ts";
import type { ProgressEvent } from "../../workflow/project/progress.ts";
import { columns, shorten } from "../text/columns.ts";
import { palette, type Style } from "../text/palette.ts";

const widestBar = 24;
const leastBar = 8;

/** The progress of a task at one moment. */
export interface TimedProgress {
  readonly event: ProgressEvent;
  /** The duration of the task so far. */
  readonly seconds: number;
  /** The time since something happened. */
  readonly idleSeconds: number;
}

/**
 * Progress as one line that a terminal updates in place: task, bar, counts, rate and remaining time, as many of them as
 * fit into less than `width` columns.
 */
export function progressBar(progress: TimedProgress, { width, style }: { width: number; style: Style }): string {
  const { event } = progress;
  const { dot, ellipsis } = palette(style);
  const most = width - 1;
  const [counts = "", ...more] = partsOf(progress);
  for (let shown = more.length; shown >= 0; shown--) {
    const text = [counts, ...more.slice(0, shown)].join(` ${dot} `);
    const room = most - columns(`${event.task}  ${text}`) - 2;
    if (room >= leastBar) return `${event.task}  ${barOf(event, Math.min(room, widestBar), style)}  ${text}`;
  }
  const [text] = [`${event.task}  ${counts}`, counts].filter((text) => columns(text) <= most);
  return text ?? shorten(`${event.done}/${event.total}`, { width: most, ellipsis });
}

/** Progress as a line of a log. */
export function progressLog(progress: TimedProgress): string {
  return `${progress.event.task}: ${partsOf(progress).join(", ")}`;
}

/** A wait that a service asks for. */
export function waitText(why: string | undefined, seconds: number): string {
  return `${why}; trying again in ${seconds} s`;
}

/** The line about a service that has not replied for some time. */
export function silenceText(origin: string, seconds: number): string {
  return `waiting for ${origin}: no reply for ${durationInWords(seconds)}`;
}

/** After this time without progress, in seconds, the rate and the remaining time would mislead. */
const longestIdle = 5;

/** Counts, remaining time, rate and details: the less important come last. */
function partsOf({ event, seconds, idleSeconds }: TimedProgress): string[] {
  const { done, total, unit, details = [] } = event;
  const counts = total === 0 ? [] : [`${done} of ${count(total, unit)}`];
  if (idleSeconds >= longestIdle || total === 0)
    return [...counts, `waiting for ${durationInWords(Math.floor(idleSeconds))}`, ...details];
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 ? Math.ceil((total - done) / rate) : undefined;
  return [
    ...counts,
    ...(left === undefined || left === 0 ? [] : [`${approximateDuration(left)} left`]),
    ...(done === 0 ? [] : [rateText(rate)]),
    ...details,
  ];
}

/** Rounded to minutes from two minutes on, because seconds would be a guess. */
function approximateDuration(seconds: number): string {
  return durationInWords(seconds < 120 ? seconds : Math.ceil(seconds / 60) * 60);
}

function rateText(rate: number): string {
  return rate >= 1 ? `${Math.round(rate)} per second` : `${Math.round(rate * 60)} per minute`;
}

function barOf({ done, total }: ProgressEvent, width: number, { unicode }: Style): string {
  const full = total === 0 ? 0 : Math.min(width, Math.floor((done / total) * width));
  const [on, off] = unicode ? ["█", "░"] : ["#", "-"];
  return on.repeat(full) + off.repeat(width - full);
}
