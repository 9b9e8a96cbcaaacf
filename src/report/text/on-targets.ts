import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";

/** The result of a job, and where it applies. */
export interface TargetSection<R> {
  readonly report: R;
  /** Its targets as the end of a heading: ` on public, office`; empty for a project with at most one. */
  readonly on: string;
}

/** The results of a job on several targets. */
export interface OfTargets<R> {
  readonly sections: readonly TargetSection<R>[];
  /** The targets on which it failed. */
  readonly failed: readonly FailedTarget[];
}

export function isOfTargets<T extends OfTargets<object>>(shown: object | T): shown is T {
  return "sections" in shown;
}

export function sectionsOf<R extends object>(shown: R | OfTargets<R>): readonly TargetSection<R>[] {
  return isOfTargets<OfTargets<R>>(shown) ? shown.sections : [{ report: shown, on: "" }];
}

export function failedOf(shown: object): readonly FailedTarget[] {
  return isOfTargets(shown) ? shown.failed : [];
}
