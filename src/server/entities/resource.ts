import type { FilterQuery } from "../../contract/filter.ts";
import type { Page } from "../../contract/page.ts";
import type { EventAction } from "../../contract/resources/event.ts";
import { notFound } from "../kit/api-error.ts";
import { envelope } from "../kit/envelope.ts";
import type { Rows, Slice } from "../store/page.ts";
import type { Database, Permissions } from "../store/tables.ts";
import type { Context } from "./context.ts";
import { addEvent, type EventDetails } from "./events.ts";

/** The place of a request: its transaction, its context, and the row that owns what it asks for. */
export interface ResourceContext<Parent> {
  readonly db: Database;
  readonly context: Context;
  readonly parent: Parent;
}

/**
 * Finds the row that a path names and that belongs to the caller; in a write it is locked until the end.
 * @throws {ApiError} 404 for an unknown id or one of another account, 403 for a grant that is less than `needed`.
 */
export type Find<Path, Row> = (db: Database, path: Path, context: Context, needed: Permissions) => Promise<Row>;

/**
 * A kind of resource as data: who owns its rows, where they are stored, how replies and events show them. `rows` omits
 * the functions that no endpoint of the resource needs, and a resource without events has no `details`.
 */
interface Description<ParentPath, Path, Parent, Row, Columns, Reply> {
  readonly parent: Find<ParentPath, Parent>;
  /** The name of the row that `parent` locks in a write, if many writes may wait for it at once. */
  readonly locks?: (path: ParentPath, context: Context) => string;
  readonly rows: {
    list(scope: ResourceContext<Parent>, wanted: Slice): Promise<Rows<Row>>;
    /** The row that the path names below its parent. It may throw an {ApiError} 403 for one without a grant. */
    find?(scope: ResourceContext<Parent>, path: Path, needed: Permissions): Promise<Row | undefined>;
    insert?(db: Database, columns: Columns): Promise<Row>;
    update?(db: Database, id: number, changes: Partial<Columns>): Promise<Row>;
    remove?(db: Database, id: number): Promise<void>;
  };
  readonly replies: (rows: readonly Row[], scope: ResourceContext<Parent>) => Promise<Reply[]> | Reply[];
  /** Entity and message of a row's events, if it has any; `before` is the row as it was before an update. */
  readonly details?: (row: Row, parent: Parent, before?: Row) => EventDetails;
}

/** How a row is created: each step may refuse the request with an {ApiError}. */
interface Creation<Parent, Row, Columns, Body> {
  readonly columns: (body: Body, scope: ResourceContext<Parent>) => Promise<Columns> | Columns;
  /** Stores what belongs to the row beside its columns. */
  readonly complete?: (row: Row, body: Body, scope: ResourceContext<Parent>) => Promise<void>;
  readonly event?: EventAction;
}

/** How a row is changed by a partial update. */
interface Change<Parent, Row, Columns, Body> {
  readonly changes: (
    body: Body,
    row: Row,
    scope: ResourceContext<Parent>,
  ) => Promise<Partial<Columns>> | Partial<Columns>;
  readonly complete?: (row: Row, body: Body, scope: ResourceContext<Parent>) => Promise<void>;
  readonly event?: EventAction | ((row: Row, before: Row) => EventAction);
}

interface Removal<Parent, Row> {
  /** Deletes what belongs to the row, or refuses the request. */
  readonly prepare?: (row: Row, scope: ResourceContext<Parent>) => Promise<void>;
  readonly event?: EventAction;
}

interface PageRequest {
  readonly query: { readonly page: number; readonly page_size: number };
  readonly filter: FilterQuery;
}

/**
 * Makes the handlers of a resource. `find` makes it the parent of others. A write finds and locks the parent, checks,
 * writes and notes the event in one transaction.
 */
export function resource<ParentPath, Path extends ParentPath, Parent, Row extends { id: number }, Columns, Reply>(
  description: Description<ParentPath, Path, Parent, Row, Columns, Reply>,
) {
  const { parent: findParent, locks, rows, replies, details } = description;

  const write = <T>(path: ParentPath, context: Context, work: (db: Database) => Promise<T>): Promise<T> =>
    context.store.write(work, locks && { locks: locks(path, context) });

  const enter = async (
    db: Database,
    path: ParentPath,
    context: Context,
    needed: Permissions,
  ): Promise<ResourceContext<Parent>> => ({
    db,
    context,
    parent: await findParent(db, path, context, needed),
  });

  const findIn = async (scope: ResourceContext<Parent>, path: Path, needed: Permissions): Promise<Row> => {
    const row = await requireMethod(rows.find)(scope, path, needed);
    if (row === undefined) throw notFound();
    return row;
  };

  const reply = async (row: Row, scope: ResourceContext<Parent>): Promise<Reply> => {
    const [shown] = await replies([row], scope);
    if (shown === undefined) throw new Error("a row without a reply");
    return shown;
  };

  const note = async (action: EventAction | undefined, row: Row, scope: ResourceContext<Parent>, before?: Row) => {
    if (action === undefined) return;
    await addEvent(scope.db, scope.context, action, requireMethod(details)(row, scope.parent, before));
  };

  const find: Find<Path, Row> = async (db, path, context, needed) =>
    findIn(await enter(db, path, context, needed), path, needed);

  return {
    find,

    list: (input: ParentPath & PageRequest, context: Context): Promise<Page<Reply>> =>
      context.store.read(async (db) => {
        const scope = await enter(db, input, context, "read_only");
        const { filter, query } = input;
        const found = await rows.list(scope, { filter, ...query });
        return envelope(await replies(found.rows, scope), found.results, query);
      }),

    get: (path: Path, context: Context): Promise<Reply> =>
      context.store.read(async (db) => {
        const scope = await enter(db, path, context, "read_only");
        return reply(await findIn(scope, path, "read_only"), scope);
      }),

    create: <Body>({ columns, complete, event }: Creation<Parent, Row, Columns, Body>) => {
      const insert = requireMethod(rows.insert);
      return (input: ParentPath & { body: Body }, context: Context): Promise<Reply> =>
        write(input, context, async (db) => {
          const scope = await enter(db, input, context, "read_write");
          const row = await insert(db, await columns(input.body, scope));
          await note(event, row, scope);
          await complete?.(row, input.body, scope);
          return reply(row, scope);
        });
    },

    update: <Body>({ changes, complete, event }: Change<Parent, Row, Columns, Body>) => {
      const update = requireMethod(rows.update);
      return (input: Path & { body: Body }, context: Context): Promise<Reply> =>
        write(input, context, async (db) => {
          const scope = await enter(db, input, context, "read_write");
          const before = await findIn(scope, input, "read_write");
          const row = await update(db, before.id, await changes(input.body, before, scope));
          await note(typeof event === "function" ? event(row, before) : event, row, scope, before);
          await complete?.(row, input.body, scope);
          return reply(row, scope);
        });
    },

    remove: ({ prepare, event }: Removal<Parent, Row>) => {
      const remove = requireMethod(rows.remove);
      return (path: Path, context: Context): Promise<Record<never, never>> =>
        write(path, context, async (db) => {
          const scope = await enter(db, path, context, "read_write");
          const row = await findIn(scope, path, "read_write");
          await prepare?.(row, scope);
          await remove(db, row.id);
          await note(event, row, scope);
          return {};
        });
    },
  };
}

function requireMethod<T>(method: T | undefined): T {
  if (method === undefined) throw new Error("the rows of this resource lack a method that its endpoints need");
  return method;
}
