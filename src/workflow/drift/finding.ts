import type { NameKey } from "../../dns/name/name.ts";
import type { Attribution } from "./attribution.ts";
import type { DriftDifference } from "./classes.ts";

/** A difference, and its author outside git; undefined if it was not made there. */
export type DriftFinding = DriftDifference & { readonly by?: Attribution | undefined };

export interface ZoneFinding {
  readonly zone: NameKey;
  readonly finding: DriftFinding;
}

/** Classes of changes outside git that git does not have. */
export function isDrift({ class: found }: Pick<DriftDifference, "class">): boolean {
  return found === "conflict" || found === "drift" || found === "foreign" || found === "differs";
}
