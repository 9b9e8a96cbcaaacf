import { type problem, problemError } from "../../../diagnostics/problem.ts";
import { findEntityByLabel, hasEntity } from "../../entities/grants-rows.ts";
import type { Database, GrantedType } from "../../store/tables.ts";

/**
 * The id of the entity of an account that a label or an id names; undefined if there is none.
 * @throws {ProblemError} with this id if several have the label
 */
export async function findEntity(
  db: Database,
  account_id: number,
  { type, name }: { readonly type: GrantedType; readonly name: string },
  problemId: Parameters<typeof problem>[0],
): Promise<number | undefined> {
  const [labelled, ...others] = await findEntityByLabel(db, account_id, type, name);
  if (others.length > 0) {
    const fix = `Name one by its id: ${[labelled, ...others].join(", ")}.`;
    throw problemError(problemId, `several ${type}s are called "${name}"`, { fix });
  }
  if (labelled !== undefined) return labelled;
  const id = parseEntityId(name);
  if (id === undefined || !(await hasEntity(db, account_id, { entity_type: type, entity_id: id }))) return undefined;
  return id;
}

/** The id that a word of the operator may be. */
export function parseEntityId(name: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(name) ? Number(name) : undefined;
}
