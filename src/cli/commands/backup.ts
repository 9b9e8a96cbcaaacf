import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { backUp } from "../../server/store/backup.ts";
import { isUrl } from "../../server/store/store.ts";

import type { Context } from "../context.ts";
import { usualData } from "../data-folder.ts";
import { type DatabaseOptions, databasePlace } from "../database.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

export interface BackupCommandOptions extends DatabaseOptions {
  readonly force?: boolean;
}

/**
 * `zonewright backup`: a copy of the server's database, also while it serves.
 * @throws {ProblemError} `backup-postgres`, `store-missing`, and those of `backUp`.
 */
export async function backup(context: Context, file: string, options: BackupCommandOptions): Promise<ExitCode> {
  const { data = usualData, force = false } = options;
  const from = databasePlace(context, options);
  if (isUrl(from)) {
    const fix = 'Use the program of PostgreSQL: pg_dump --format=custom --file=zonewright.dump "$DATABASE_URL"';
    throw new ProblemError(
      problem("backup-postgres", "DATABASE_URL names a PostgreSQL database, and backup copies SQLite files", { fix }),
    );
  }
  if (!existsSync(from))
    throw new ProblemError(
      problem("store-missing", `there is no database in ${plain(data)}`, { fix: "Name its folder with --data." }),
    );
  const octets = backUp({ from, to: resolve(context.cwd, file), shown: plain(file), isReplacing: force });
  context.out(`database in ${plain(data)} saved as ${plain(file)}, ${Math.ceil(octets / 1024)} KiB\n`);
  return exitCode.done;
}
