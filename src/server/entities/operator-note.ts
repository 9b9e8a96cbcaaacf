import type { Entity, EventAction } from "../../contract/resources/event.ts";
import type { Database } from "../store/tables.ts";
import { addEvent } from "./events.ts";
import { operatorId, operatorName } from "./operator-rows.ts";

/** Writes an event of an account that the operator caused (decisions/account#events). */
export function addOperatorEvent(
  db: Database,
  accountId: number,
  action: EventAction,
  entity: Entity,
  now: Date,
): Promise<number> {
  return addEvent(db, { caller: { userId: operatorId, accountId, username: operatorName }, now }, action, { entity });
}
