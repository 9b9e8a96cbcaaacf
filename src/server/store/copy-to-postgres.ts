import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type ProblemError, problemError } from "../../diagnostics/problem.ts";
import type { Store } from "./store.ts";
import { type Database, tables } from "./tables.ts";

/** Values are integers, texts or null. */
type Row = Readonly<Record<string, unknown>>;

/** The number of rows of a table, and the sum of the digests of its rows: in any order the same. */
interface Contents {
  readonly rows: number;
  readonly sum: bigint;
}

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
}

/**
 * Copies all rows of a SQLite store into an empty PostgreSQL store, in one transaction of each, and compares what both
 * have then. Ids continue where those of the source would.
 * @throws {ProblemError} `copy-filled`, `copy-differs`; then the target is as it was
 */
export async function copyToPostgres(from: Store, to: Store): Promise<CopiedTable[]> {
  return await from.read((source) =>
    to.writeAlone(async (target) => {
      await requireEmpty(target, to.place);
      const names = Object.keys(tables);
      // Rows that triggers make are among those that are copied.
      await switchTriggers(target, names, "disable");
      const copied: CopiedTable[] = [];
      for (const name of names) copied.push(await copyTable(source, target, name));
      await switchTriggers(target, names, "enable");
      await continueIds(source, target);
      return copied;
    }),
  );
}

async function requireEmpty(target: Database, place: string): Promise<void> {
  for (const name of Object.keys(tables)) {
    const found = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target);
    if (found.rows.length === 0) continue;
    throw problemError("copy-filled", `the database ${place} is not empty, so nothing was copied`, {
      detail: `Its table "${name}" has rows.`,
      fix: "Name a new database. A server that has started on it has already made an account in it.",
    });
  }
}

async function switchTriggers(target: Database, names: readonly string[], how: "disable" | "enable"): Promise<void> {
  for (const name of names) await sql`alter table ${sql.table(name)} ${sql.raw(how)} trigger user`.execute(target);
}

async function copyTable(source: Database, target: Database, name: string): Promise<CopiedTable> {
  const { columns } = tables[name as keyof typeof tables];
  const kept = Object.keys(columns);
  const read = new Digester(kept);
  for await (const rows of readSqlite(source, name, kept)) {
    read.add(rows);
    await insert(target, name, kept, rows).catch((error) => {
      throw refusalOf(error, name) ?? error;
    });
  }
  const stored = new Digester(kept);
  for await (const rows of readPostgres(target, name, kept)) stored.add(rows);
  const [one, other] = [read.contents, stored.contents];
  if (one.rows === other.rows && one.sum === other.sum) return { name, rows: one.rows };
  throw problemError("copy-differs", `the copy of the table "${name}" differs, so nothing was copied`, {
    detail: `It has ${one.rows} rows in SQLite and ${other.rows} in PostgreSQL.`,
    fix: "Report it: this is an error of zonewright, or one of the databases is damaged.",
  });
}

/** PostgreSQL, Appendix A, class 22: a value that it cannot store, such as a text with a NUL. */
function refusalOf(error: unknown, name: string): ProblemError | undefined {
  if (!(error instanceof Error && "code" in error && String(error.code).startsWith("22"))) return undefined;
  return problemError("copy-differs", `PostgreSQL refuses a row of the table "${name}", so nothing was copied`, {
    detail: `It says: ${error.message}.`,
    fix: "Correct the row through the API or the console, and copy again.",
  });
}

class Digester {
  readonly #columns: readonly string[];
  #contents: Contents = { rows: 0, sum: 0n };

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  get contents(): Contents {
    return this.#contents;
  }

  add(rows: readonly Row[]): void {
    let { sum } = this.#contents;
    for (const row of rows) {
      const text = JSON.stringify(this.#columns.map((column) => row[column]));
      sum += BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
    }
    this.#contents = { rows: this.#contents.rows + rows.length, sum };
  }
}

/** The size of a part in octets, so that parts of large rows, such as files, have few. */
const part = 2 ** 21;
const mostRows = 1000;

/** Reads a table in parts, whose rows are in the order of their making. */
async function* readSqlite(source: Database, name: string, columns: readonly string[]): AsyncGenerator<Row[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  for (let [after, limit] = [-1, 10]; ; ) {
    const { rows } = await sql<Row & { row_number: number }>`
      select rowid as row_number, ${list} from ${sql.table(name)} where rowid > ${after} order by rowid limit ${limit}
    `.execute(source);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.row_number;
    limit = nextLimit(rows);
  }
}

function nextLimit(rows: readonly Row[]): number {
  const octets = JSON.stringify(rows).length / rows.length;
  return Math.max(1, Math.min(mostRows, Math.floor(part / octets)));
}

async function* readPostgres(target: Database, name: string, columns: readonly string[]): AsyncGenerator<Row[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`declare copied no scroll cursor for select ${list} from ${sql.table(name)}`.execute(target);
  for (let limit = 10; ; ) {
    const { rows } = await sql<Row>`fetch ${sql.lit(limit)} from copied`.execute(target);
    if (rows.length === 0) break;
    yield rows;
    limit = nextLimit(rows);
  }
  await sql`close copied`.execute(target);
}

async function insert(target: Database, name: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(name)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)}::json)
  `.execute(target);
}

/** Ids are never used again, also those of deleted rows, which SQLite remembers. */
async function continueIds(source: Database, target: Database): Promise<void> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(source);
  for (const { name, seq } of rows)
    if (name in tables)
      await sql`alter table ${sql.table(name)} alter column id restart with ${sql.lit(seq + 1)}`.execute(target);
}
