import { yieldToEventLoop } from "../../store/event-loop.ts";
import type { Database, ZoneKind } from "../../store/tables.ts";

/**
 * Characters of a zone in one row, except for a longer line: drivers read and write a value in one piece, and that of
 * SQLite blocks the event loop meanwhile.
 */
const longestPart = 2 ** 18;

/** Parts that are read or deleted in one step. */
const partsAtOnce = 2;

/** Joins lines to texts of at most `longestPart` characters, or of one longer line. */
function* joinLines(lines: readonly string[]): Generator<string> {
  for (let from = 0, to = 0; from < lines.length; from = to) {
    let length = lines[to++]?.length ?? 0;
    while (to < lines.length && length + 1 + (lines[to]?.length ?? 0) <= longestPart)
      length += 1 + (lines[to++]?.length ?? 0);
    yield lines.slice(from, to).join("\n");
  }
}

/** The lines of the domain's zone, none if it has none. The event loop turns between the parts. */
export async function readZoneLines(db: Database, domain_id: number, kind: ZoneKind): Promise<string[]> {
  const lines: string[] = [];
  for (let from = 0; ; from += partsAtOnce) {
    const parts = await partsFrom(db, { domain_id, kind, from }).select("lines").execute();
    for (const part of parts) for (const line of part.lines.split("\n")) lines.push(line);
    if (parts.length < partsAtOnce) return lines;
    await yieldToEventLoop();
  }
}

/** Replaces the lines of the domain's zone. Unchanged parts are not written. */
export async function writeZoneLines(
  db: Database,
  domain_id: number,
  kind: ZoneKind,
  lines: readonly string[],
): Promise<void> {
  let part = 0;
  for (const text of joinLines(lines)) {
    if (part > 0) await yieldToEventLoop();
    await db
      .insertInto("zone_lines")
      .values({ domain_id, kind, part: part++, lines: text })
      .onConflict((conflict) =>
        conflict
          .columns(["domain_id", "kind", "part"])
          .doUpdateSet(({ ref }) => ({ lines: ref("excluded.lines") }))
          .where(({ eb, ref }) => eb("zone_lines.lines", "<>", ref("excluded.lines"))),
      )
      .execute();
  }
  await removeFrom(db, { domain_id, kind, from: part });
}

export function removeZoneLines(db: Database, domain_id: number, kind: ZoneKind): Promise<void> {
  return removeFrom(db, { domain_id, kind, from: 0 });
}

interface PartRange {
  readonly domain_id: number;
  readonly kind: ZoneKind;
  readonly from: number;
}

async function removeFrom(db: Database, range: PartRange): Promise<void> {
  for (;;) {
    const parts = await partsFrom(db, range).select("part").execute();
    const numbers = parts.map(({ part }) => part);
    if (numbers.length === 0) return;
    await db
      .deleteFrom("zone_lines")
      .where("domain_id", "=", range.domain_id)
      .where("kind", "=", range.kind)
      .where("part", "in", numbers)
      .execute();
    if (numbers.length < partsAtOnce) return;
    await yieldToEventLoop();
  }
}

/** The next parts from this one on. */
function partsFrom(db: Database, { domain_id, kind, from }: PartRange) {
  return db
    .selectFrom("zone_lines")
    .where("domain_id", "=", domain_id)
    .where("kind", "=", kind)
    .where("part", ">=", from)
    .orderBy("part")
    .limit(partsAtOnce);
}
