import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { ReadingTarget } from "../../targets/target.ts";

/** The API and the account of the token; null if the token may not read its account. */
export async function identifyTarget(
  { read }: ReadingTarget,
  api: string,
  signal: AbortSignal,
): Promise<PlanFile["target"]> {
  return { api, account: await read.readAccount({ signal }) };
}
