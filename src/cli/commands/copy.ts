import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { shellWord } from "../../diagnostics/shell-word.ts";
import { copyToPostgres } from "../../server/store/copy-to-postgres.ts";
import { isStoreFailure, isUrl, openStore } from "../../server/store/store.ts";
import { defineCommand, text } from "../command.ts";
import { databasePlace, defaultData, secretKeyVariable, withKnownStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import type { Terminal } from "../terminal.ts";

/** `zonewright server copy`: from a SQLite database to an empty PostgreSQL database. */
export const copyCommand = defineCommand({
  example: "  zonewright server copy --to postgres://zonewright@localhost/zones\n",
  flags: {
    data: text("<folder>", "folder of the SQLite database to copy", defaultData),
    to: text("<url>", "PostgreSQL database to copy into (default: DATABASE_URL; the process list shows this option)"),
  },
  async run(terminal, _, { data, to }) {
    const url = readTarget(terminal, to);
    const [copied, place] = await withKnownStore(terminal, { data }, async (source) => {
      const target = await openStore(url);
      try {
        return [await copyToPostgres(source, target), target.place] as const;
      } catch (error) {
        // The source is only read.
        throw isStoreFailure(error) && error.access === "write" ? target.explain(error) : error;
      } finally {
        await target.close();
      }
    });
    const filled = copied.filter(({ rows }) => rows > 0);
    printTable(terminal, [["table", "rows"], ...filled.map(({ name, rows }) => [name, `${rows}`])], "no rows");
    const key = join(dirname(databasePlace(terminal, { data })), "secret.key");
    terminal.log(`copied to ${escapeControl(place)}; the rows of all ${copied.length} tables are the same there\n`);
    if (existsSync(key))
      terminal.log(`next: set ${secretKeyVariable} for its servers; it is in ${shellWord(escapeControl(key))}\n`);
    return exitCode.done;
  },
});

function readTarget({ env }: Terminal, to: string | undefined): string {
  const url = to ?? env.DATABASE_URL?.trim();
  if (url && isUrl(url)) return url;
  const place = to === undefined ? "DATABASE_URL" : "--to";
  throw usageError(`${place} must be a PostgreSQL URL, such as postgres://user:password@host:port/database.`);
}
