import type { ApiEvent } from "../../contract/resources/event.ts";
import { parseTimestamp } from "../kit/timestamp.ts";
import type { EventRow } from "../store/tables.ts";
import { moves, movingRate } from "./events.ts";

type Progress = Pick<ApiEvent, "status" | "percent_complete" | "duration" | "time_remaining" | "rate">;

/** Progress of a job in whole seconds: it is scheduled in its first one, and finished or failed once it is settled. */
export function progressOf(
  { action, status, starts, ends }: Pick<EventRow, "action" | "status" | "starts" | "ends">,
  now: Date,
): Progress {
  const still = { time_remaining: null, rate: null };
  if (starts === null || ends === null) return { ...still, status, percent_complete: null, duration: null };
  const [start, end] = [parseTimestamp(starts).getTime(), parseTimestamp(ends).getTime()];
  if (status !== "started")
    return { ...still, status, percent_complete: 100, duration: Math.round((end - start) / 1000) };
  const elapsed = Math.max(0, now.getTime() - start);
  if (elapsed < 1000) return { ...still, status: "scheduled", percent_complete: 0, duration: null };
  const percent = end > start ? Math.min(99, Math.floor((100 * elapsed) / (end - start))) : 99;
  const moving = moves.includes(action) && {
    time_remaining: hours(Math.max(0, Math.ceil((end - now.getTime()) / 1000))),
    rate: movingRate,
  };
  return { ...still, status, percent_complete: percent, duration: Math.floor(elapsed / 1000), ...moving };
}

/** Seconds as `H:MM:SS`. */
function hours(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${Math.floor(seconds / 3600)}:${minutes}:${rest}`;
}
