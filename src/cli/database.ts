import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Advice, type AdvisedStep, type Fix } from "../diagnostics/advice.ts";
import { advisedCommands } from "../diagnostics/advised.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { ProblemError, problemError, usageError } from "../diagnostics/problem.ts";
import { shellWord } from "../diagnostics/shell-word.ts";
import { makeFolder, mayExist } from "../file-system.ts";
import { keyProblem, parseSecretKey, readSecretKeyFile } from "../server/areas/managed/secret-key.ts";
import { Secrets } from "../server/kit/secrets.ts";
import { isStoreFailure, isUrl, openStore, type Store } from "../server/store/store.ts";

import { text } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** The default folder of the database. */
export const defaultData = ".zonewright/data";

/** The owner of a server's first token, created with it. */
export const firstUser = "admin";

export const dataFlags = {
  data: text("<folder>", `folder of the database (default: "${defaultData}", or the database of DATABASE_URL)`),
};

export interface DatabaseOptions {
  /** The folder of the database file. */
  readonly data?: string;
  readonly ephemeral?: boolean;
}

/** The place of the server's database: memory, the folder of `--data`, `DATABASE_URL`, or the default folder. */
export function databasePlace({ cwd, env }: Terminal, { data, ephemeral }: DatabaseOptions): string {
  if (ephemeral && data !== undefined) throw usageError("--ephemeral keeps the database in memory: leave out --data.");
  if (ephemeral) return ":memory:";
  const url = data === undefined ? env.DATABASE_URL?.trim() : undefined;
  if (!url) return join(resolve(cwd, data ?? defaultData), "zonewright.db");
  if (isUrl(url)) return url;
  throw usageError("DATABASE_URL must be a PostgreSQL URL, such as postgres://user:password@host:port/database.");
}

/** The environment variable with the key that signs forms. */
export const secretKeyVariable = "ZONEWRIGHT_SECRET_KEY";

/**
 * The reader of the server's key, which is called at first need: from the environment, else from `secret.key` beside
 * the database file; undefined for a database in memory, whose server makes one.
 * @throws {ProblemError} `secret-key` for an invalid one in the environment
 */
export function secretKeyReader(terminal: Terminal, options: DatabaseOptions): (() => Uint8Array) | undefined {
  const own = terminal.env[secretKeyVariable]?.trim();
  if (own) {
    const key = parseSecretKey(own, secretKeyVariable);
    return () => key;
  }
  const place = databasePlace(terminal, options);
  if (place === ":memory:") return undefined;
  if (!isUrl(place)) return () => readSecretKeyFile(join(dirname(place), "secret.key"));
  return () => {
    throw keyProblem(
      `this server has no key to sign forms and encrypt secrets with: ${secretKeyVariable} is not set`,
      "Set it to the same 64 hexadecimal digits on all servers of the database; `openssl rand -hex 32` prints new ones.",
    );
  };
}

/**
 * The secrets of the server's database, for commands that read them.
 * @throws {ProblemError} `secret-key`
 */
export function readSecrets(terminal: Terminal, options: DatabaseOptions): Secrets {
  const readKey = secretKeyReader(terminal, options);
  if (readKey === undefined) throw new Error("a database in memory has no key");
  return new Secrets(readKey);
}

/** Work on a database, with the clock that all its servers share. */
type StoreWork<T> = (store: Store, clock: () => Date) => Promise<T>;

/** Runs the work on the server's database, which another process may be serving at the same time. */
export async function withStore<T>(terminal: Terminal, options: DatabaseOptions, work: StoreWork<T>): Promise<T> {
  const place = databasePlace(terminal, options);
  if (!isUrl(place) && place !== ":memory:") keepOutOfGit(terminal, dirname(place), options);
  const store = await openStore(place);
  try {
    return await work(store, store.now ?? terminal.now);
  } catch (caught) {
    const error = isStoreFailure(caught) ? store.explain(caught) : caught;
    throw error instanceof ProblemError ? withDataFlag(error, options) : error;
  } finally {
    await store.close();
  }
}

/** The option that leads other commands to the same database. */
export function dataFlagOf({ data }: DatabaseOptions): string {
  return data === undefined ? "" : ` --data ${shellWord(escapeControl(data))}`;
}

/** A command on the database with the option that leads it to the same one. */
function onDatabase(part: Fix | AdvisedStep, { data = "" }: DatabaseOptions): Fix | AdvisedStep {
  if (typeof part === "string" || part instanceof Advice || !("run" in part)) return part;
  const options: readonly string[] = advisedCommands[part.run].options;
  return options.includes("data")
    ? ({ ...part, with: { ...part.with, data: escapeControl(data) } } as AdvisedStep)
    : part;
}

/** Leads the commands on the database that the fixes of an error advise to the same one. */
function withDataFlag(error: ProblemError, options: DatabaseOptions): ProblemError {
  if (options.data === undefined) return error;
  const problems = error.problems.map((one) => {
    if (!(one.fix instanceof Advice)) return one;
    const parts = one.fix.parts.map((part) => onDatabase(part, options));
    return { ...one, fix: new Advice(parts) };
  });
  return new ProblemError(problems, { cause: error });
}

/**
 * Keeps data and hashed tokens out of git: the folder `.zonewright`, and a new data folder, ignore all their files. An
 * existing folder is left to the user.
 */
function keepOutOfGit({ cwd }: Terminal, folder: string, { data }: DatabaseOptions): void {
  if (data !== undefined && existsSync(folder)) return;
  const ignoring = data === undefined ? dirname(join(cwd, defaultData)) : folder;
  try {
    makeFolder(ignoring, 0o700);
    writeFileSync(join(ignoring, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch {
    // It exists, or the folder is not writable: then opening the database reports why.
  }
}

/** Like `withStore`, but says so if it creates the database, because a running server may have another one. */
export async function withNewStore<T>(terminal: Terminal, options: DatabaseOptions, work: StoreWork<T>): Promise<T> {
  const isNew = !hasDatabase(databasePlace(terminal, options));
  return withStore(terminal, options, (store, clock) => {
    if (isNew)
      terminal.log(
        `new database created in ${escapeControl(folderOf(options))}; to use that of a running server, name its folder with --data\n`,
      );
    return work(store, clock);
  });
}

/**
 * Like `withStore`, but requires an existing database, so that a mistyped folder does not create one.
 * @throws {ProblemError} `store-missing`
 */
export async function withKnownStore<T>(terminal: Terminal, options: DatabaseOptions, work: StoreWork<T>): Promise<T> {
  requireDatabase(databasePlace(terminal, options), options);
  return withStore(terminal, options, work);
}

/** @throws {ProblemError} `store-missing` */
export function requireDatabase(place: string, options: DatabaseOptions): void {
  if (hasDatabase(place)) return;
  const fix =
    "Run the command in the folder where `zonewright serve` was started, or name its data folder with --data.";
  throw problemError("store-missing", `no database found in ${escapeControl(folderOf(options))}`, { fix });
}

function hasDatabase(place: string): boolean {
  return isUrl(place) || mayExist(place);
}

/** The folder of the database file, as the user named it. */
function folderOf({ data }: DatabaseOptions): string {
  return data ?? defaultData;
}
