import type { Insertable } from "kysely";
import { yieldToEventLoop } from "../store/event-loop.ts";
import type { Database, Tables } from "../store/tables.ts";

/**
 * Octets of a file in one row, which are a third more in Base64: drivers read and write a value in one piece, and that
 * of SQLite blocks the event loop meanwhile.
 */
const partOctets = 3 * 2 ** 16;

/** The names of the files of each of these entities, the oldest first. */
export async function fileNamesOf(
  db: Database,
  entity_type: string,
  ids: readonly number[],
): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return names;
  const rows = await db
    .selectFrom("files")
    .select(["entity_id", "name"])
    .where("entity_type", "=", entity_type)
    .where("entity_id", "in", ids)
    .orderBy("id")
    .execute();
  for (const { entity_id, name } of rows) names.get(entity_id)?.push(name);
  return names;
}

/** Stores a file; the event loop turns between its parts. */
export async function insertFileRow(
  db: Database,
  row: Omit<Insertable<Tables["files"]>, "octets">,
  content: Uint8Array,
): Promise<void> {
  const { id: file_id } = await db
    .insertInto("files")
    .values({ ...row, octets: content.length })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (let from = 0, part = 0; from < content.length; from += partOctets) {
    if (part > 0) await yieldToEventLoop();
    const octets = Buffer.from(content.buffer, content.byteOffset + from, Math.min(partOctets, content.length - from));
    await db
      .insertInto("file_parts")
      .values({ file_id, part: part++, content: octets.toString("base64") })
      .execute();
  }
}

/** The content of a file; the event loop turns between its parts. */
export async function readFileContent(db: Database, file_id: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const row = await db
      .selectFrom("file_parts")
      .select("content")
      .where("file_id", "=", file_id)
      .where("part", "=", parts.length)
      .executeTakeFirst();
    if (row === undefined) return Buffer.concat(parts);
    parts.push(Buffer.from(row.content, "base64"));
    await yieldToEventLoop();
  }
}
