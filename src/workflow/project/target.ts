/** The target of projects; another folder of `targets` is chosen here, in `target-kind.ts` and `snapshot-target.ts`. */
export { type ApiReadingTarget, type ApiTarget, apiReadingTarget, apiTarget } from "../../targets/api/target.ts";
