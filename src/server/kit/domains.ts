import { grant } from "../store/grants.ts";
import type { Database } from "../store/store.ts";
import type { DomainRow } from "../store/tables.ts";
import { setTags, tagsOf } from "../store/tags.ts";
import { unauthorized } from "./api-error.ts";
import type { Context } from "./context.ts";
import { timestamp } from "./timestamp.ts";

/** @throws {ApiError} 403 for a restricted user who may not make domains. */
export function mayAddDomain({ caller }: Context): void {
  if (!caller.addsDomains) throw unauthorized();
}

/** What a new domain has of its request: its account, its moments, and that it waits to be rendered. */
export function beginning({ caller, now }: Context) {
  const moment = timestamp(now);
  return { account_id: caller.accountId, created: moment, updated: moment, changed: moment };
}

/** What comes with every new domain, beside its row. */
export async function begin(db: Database, { id }: DomainRow, tags: readonly string[], context: Context): Promise<void> {
  const { isRestricted, userId } = context.caller;
  if (isRestricted) await grant(db, { user_id: userId, domain_id: id, permissions: "read_write" });
  await changeTags(db, id, tags, context);
}

/** Adding or modifying tags requires an unrestricted user (first document, Tags); sending them back as they are is neither. */
export async function changeTags(
  db: Database,
  id: number,
  wanted: readonly string[],
  { caller }: Context,
): Promise<void> {
  if (!caller.isRestricted) return setTags(db, caller.accountId, id, wanted);
  const lower = (labels: readonly string[] = []) => JSON.stringify(labels.map((label) => label.toLowerCase()));
  if (lower(wanted) !== lower((await tagsOf(db, [id])).get(id))) throw unauthorized();
}
