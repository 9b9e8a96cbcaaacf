/** The progress of a job. */
export interface ProgressEvent {
  /** The activity: `reading zone files`. */
  readonly task: string;
  /** The counted noun, in the singular: `file`. */
  readonly unit: string;
  readonly done: number;
  readonly total: number;
  /** Further counts: `1 failed`. */
  readonly details?: readonly string[];
}

/** Is called often, and synchronously: it must not throw, and must return at once. */
export type OnProgress = (event: ProgressEvent) => void;

/** Reports how far one task is. */
export function reportTask(
  onProgress: OnProgress | undefined,
  task: string,
  unit: string,
): (done: number, total: number) => void {
  return (done, total) => onProgress?.({ task, unit, done, total });
}

/** Reports how many live zones are read. */
export function reportLive(onProgress: OnProgress | undefined): (done: number, total: number) => void {
  return reportTask(onProgress, "reading live zones", "zone");
}
