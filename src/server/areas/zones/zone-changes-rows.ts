import { sql } from "kysely";
import { yieldToEventLoop } from "../../store/event-loop.ts";
import { statement } from "../../store/language.ts";
import type { Database, RecordRow, ZoneChangeRow } from "../../store/tables.ts";

/**
 * The journal of a rendered zone. It holds the versions, and between them each record before its changes, so that the
 * records of an earlier version are those of now with the changes since undone. Triggers write it, so that no write of
 * a record is missing, and keep its last 10,000 rows (up to 999 more), with at most 8 MiB of targets.
 */

export interface ZoneVersionMark {
  /** Changes with higher numbers came after it. */
  readonly number: number;
  readonly serial: number;
  /** JSON. */
  readonly settings: string;
}

/** The columns of a record that its zone depends on. */
export type ZoneRecordRow = Pick<
  RecordRow,
  | "id"
  | "type"
  | "name"
  | "name_key"
  | "priority"
  | "weight"
  | "port"
  | "ttl_sec"
  | "tag"
  | "rdata"
  | "alias_id"
  | "target"
>;

export interface StoredRecordChange {
  readonly number: number;
  readonly id: number;
  /** A name that the record had before or has since. */
  readonly name_key: string;
  /** The record before; undefined if it did not exist. */
  readonly before: ZoneRecordRow | undefined;
}

const marks = (db: Database, domain_id: number) =>
  db
    .selectFrom("zone_changes")
    .select(["number", "serial", "settings"])
    .where("domain_id", "=", domain_id)
    .where("serial", "is not", null)
    .limit(1)
    .$narrowType<{ serial: number; settings: string }>();

const byNumber = statement((db, domain_id: number, number: number) =>
  marks(db, domain_id).where("number", "=", number),
);
const bySerial = statement((db, domain_id: number, serial: number) =>
  marks(db, domain_id).where("serial", "=", serial).orderBy("number", "desc"),
);

/** The version of this number; undefined once it has left the journal. */
export function findZoneVersion(db: Database, domain_id: number, number: number): Promise<ZoneVersionMark | undefined> {
  return byNumber.first(db, domain_id, number);
}

/** The last version with this serial. */
export function findChangedSerial(
  db: Database,
  domain_id: number,
  serial: number,
): Promise<ZoneVersionMark | undefined> {
  return bySerial.first(db, domain_id, serial);
}

/** Adds a version after all changes and returns its number. */
export async function addZoneVersion(
  db: Database,
  domain_id: number,
  { serial, settings }: Pick<ZoneVersionMark, "serial" | "settings">,
): Promise<number> {
  const last = await db
    .selectFrom("zone_changes")
    .select(["number", "octets"])
    .where("domain_id", "=", domain_id)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  await db
    .insertInto("zone_changes")
    .values({ domain_id, number, octets: last?.octets ?? 0, serial, settings })
    .execute();
  return number;
}

const changesAtOnce = 1000;

const after = statement((db, domain_id: number, number: number) =>
  db
    .selectFrom("zone_changes")
    .selectAll()
    .where("domain_id", "=", domain_id)
    .where("number", ">", number)
    .orderBy("number")
    .limit(sql.lit(changesAtOnce)),
);

/** The changes after a version that is in the journal, the oldest first. */
export async function listZoneChanges(db: Database, domain_id: number, number: number): Promise<StoredRecordChange[]> {
  const changes: StoredRecordChange[] = [];
  for (let from = number; ; ) {
    const rows = await after.all(db, domain_id, from);
    for (const row of rows) {
      const { number, record_id, name_key } = row;
      if (record_id !== null && name_key !== null)
        changes.push({ number, id: record_id, name_key, before: recordBefore(row, record_id) });
      from = number;
    }
    if (rows.length < changesAtOnce) return changes;
    await yieldToEventLoop();
  }
}

function recordBefore(row: ZoneChangeRow, id: number): ZoneRecordRow | undefined {
  const { type, name, priority, weight, port, ttl_sec, tag, rdata, alias_id, target } = row;
  if (type === null || name === null || target === null) return undefined;
  const numbers = { priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, ttl_sec: ttl_sec ?? 0 };
  return { id, type, name, name_key: name.toLowerCase(), ...numbers, tag, rdata, alias_id, target };
}

/** Records as they were before these changes: `now` are those at names that the changes touch, or all. */
export function undoChanges(now: readonly ZoneRecordRow[], changes: readonly StoredRecordChange[]): ZoneRecordRow[] {
  const before = new Map<number, ZoneRecordRow | undefined>();
  for (const change of changes) if (!before.has(change.id)) before.set(change.id, change.before);
  const kept = now.filter(({ id }) => !before.has(id));
  const restored = [...before.values()].filter((row) => row !== undefined);
  return [...kept, ...restored].sort((a, b) => a.id - b.id);
}

const rowsAtOnce = 2 ** 11;

/** Deletes the changes after a version, which have no effect together. */
export async function removeVersionsAfter(db: Database, domain_id: number, number: number): Promise<void> {
  await db.deleteFrom("zone_changes").where("domain_id", "=", domain_id).where("number", ">", number).execute();
}

/** Deletes the journal. */
export async function removeZoneVersions(db: Database, domain_id: number): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom("zone_changes")
      .select("number")
      .where("domain_id", "=", domain_id)
      .orderBy("number")
      .limit(rowsAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    await db.deleteFrom("zone_changes").where("domain_id", "=", domain_id).where("number", "<=", last.number).execute();
    if (rows.length < rowsAtOnce) return;
    await yieldToEventLoop();
  }
}
