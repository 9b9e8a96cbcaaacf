import { plan as planGradually } from "../../src/planner/plan.ts";
import { finish } from "../../src/planner/work.ts";

/** Plans without a pause. */
export function plan(...zones: Parameters<typeof planGradually>) {
  return finish(planGradually(...zones));
}
