import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { makeFolder } from "../formats/make-folder.ts";
import { isUrl, openStore, type Store } from "../server/store/store.ts";

import { text } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** The default folder of the database. */
export const usualData = ".zonewright/data";

/** The owner of a server's first token, created with it. */
export const firstUser = "admin";

export const dataFlags = {
  data: text("<folder>", `folder of the database, unless DATABASE_URL is set (default: "${usualData}")`),
};

export interface DatabaseOptions {
  /** The folder of the database file. */
  readonly data?: string;
  readonly ephemeral?: boolean;
}

/**
 * Where the server's database is: in memory, in the folder of `--data`, behind `DATABASE_URL`, else in the usual
 * folder.
 */
export function databasePlace({ cwd, env }: Terminal, { data, ephemeral }: DatabaseOptions): string {
  if (ephemeral && data !== undefined)
    throw new ProblemError(problem("usage", "--ephemeral keeps nothing, so it takes no --data."));
  if (ephemeral) return ":memory:";
  const url = data === undefined ? env.DATABASE_URL?.trim() : undefined;
  if (!url) return join(resolve(cwd, data ?? usualData), "zonewright.db");
  if (isUrl(url)) return url;
  throw new ProblemError(
    problem("usage", "DATABASE_URL is a URL of PostgreSQL, postgres://user:password@host:port/database."),
  );
}

/** Does the work with the server's own database, which another process may be serving at the same time. */
export async function withStore<T>(
  terminal: Terminal,
  options: DatabaseOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const place = databasePlace(terminal, options);
  if (!isUrl(place) && place !== ":memory:") keepOutOfGit(terminal, dirname(place), options);
  const store = await openStore(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Data and hashed tokens do not belong into git: the folder `.zonewright`, and one that is made for the data, ignore
 * all that they hold. A folder that is there already is the user's, and what git sees of it too.
 */
function keepOutOfGit({ cwd }: Terminal, folder: string, { data }: DatabaseOptions): void {
  if (data !== undefined && existsSync(folder)) return;
  const ignoring = data === undefined ? dirname(join(cwd, usualData)) : folder;
  try {
    makeFolder(ignoring, 0o700);
    writeFileSync(join(ignoring, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch {
    // It is there, or the folder cannot be written: then opening the database says why.
  }
}

/**
 * The same with a database that is there: what only looks, or changes what is there, makes none where a folder is
 * mistyped.
 * @throws {ProblemError} `store-missing`
 */
export async function withKnownStore<T>(
  terminal: Terminal,
  options: DatabaseOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const place = databasePlace(terminal, options);
  if (!isUrl(place) && !existsSync(place)) {
    const fix = "Name its folder with --data. serve, token create and user add make one.";
    throw new ProblemError(problem("store-missing", `there is no database in ${options.data ?? usualData}`, { fix }));
  }
  return withStore(terminal, options, work);
}
