import { resolve } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { loadDriver } from "../../server/store/load-driver.ts";
import { isUrl } from "../../server/store/store.ts";
import { defineCommand, flag } from "../command.ts";
import { databasePlace, dataFlags, defaultData, requireDatabase } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printText } from "../terminal.ts";

/** `zonewright server backup`: a copy of the server's database, also while it serves. */
export const backupCommand = defineCommand({
  example: "  zonewright server backup zonewright-backup.db\n",
  arguments: { "<file>": "backup file; its folder must exist" },
  flags: { ...dataFlags, force: flag("replace the file if it exists") },
  async run(terminal, { file }, options) {
    const { data = defaultData, force = false } = options;
    const from = databasePlace(terminal, options);
    if (isUrl(from)) {
      const fix = 'Use the program of PostgreSQL: pg_dump --format=custom --file=zonewright.dump "$DATABASE_URL"';
      throw problemError(
        "backup-postgres",
        "DATABASE_URL names a PostgreSQL database, and backup copies SQLite files",
        { fix },
      );
    }
    requireDatabase(from, options);
    const { backUp } = await loadDriver(() => import("../../server/store/sqlite/backup.ts"));
    const octets = backUp({ from, to: resolve(terminal.cwd, file), shown: escapeControl(file), isReplacing: force });
    printText(
      terminal,
      `database in ${escapeControl(data)} saved as ${escapeControl(file)}, ${Math.ceil(octets / 1024)} KiB\n`,
    );
    return exitCode.done;
  },
});
