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

/** Called often and synchronously: it must not throw or block. */
export type OnProgress = (event: ProgressEvent) => void;

/** Returns a function that reports the progress of one task. */
export function reportTask(
  onProgress: OnProgress | undefined,
  task: string,
  unit: string,
): (done: number, total: number) => void {
  return (done, total) => onProgress?.({ task, unit, done, total });
}

/** Returns a function that reports the progress of reading live zones. */
export function reportLive(onProgress: OnProgress | undefined): (done: number, total: number) => void {
  return reportTask(onProgress, "reading live zones", "zone");
}
