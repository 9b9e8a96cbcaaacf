import type { Entity, EventAction } from "../../contract/resources/event.ts";
import { addEvent } from "../kit/events.ts";
import { operatorId, operatorName } from "../store/operator.ts";
import type { Database } from "../store/tables.ts";

/** Writes an event of an account that the operator caused (decisions/account#events). */
export function note(db: Database, accountId: number, action: EventAction, entity: Entity, now: Date): Promise<number> {
  return addEvent(db, { caller: { userId: operatorId, accountId, username: operatorName }, now }, action, { entity });
}
