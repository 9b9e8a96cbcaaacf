import { finish } from "../../src/planner/order/work.ts";
import { planZoneWrites as planGradually } from "../../src/planner/plan.ts";

/** Plans without a pause. */
export function plan(...zones: Parameters<typeof planGradually>) {
  return finish(planGradually(...zones));
}
