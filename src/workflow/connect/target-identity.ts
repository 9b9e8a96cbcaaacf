import type { PlanFile } from "../../planner/plan-file/plan-schema.ts";
import type { ReadingConnection } from "./connection.ts";

/** The target: its name in the config, the API, and the account, which is null if the token may not read it. */
export async function identifyTarget(
  { target: { read }, api, name }: ReadingConnection,
  signal: AbortSignal,
): Promise<PlanFile["target"]> {
  return { ...(name !== undefined && { name }), api, account: await read.readAccount({ signal }) };
}
