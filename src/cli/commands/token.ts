import { parseScopes, scopes } from "../../contract/scopes.ts";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { createToken, listTokens, revokeToken } from "../../server/operator/tokens.ts";
import { knownUser } from "../../server/operator/users.ts";

import { columns } from "../columns.ts";
import type { Context } from "../context.ts";
import { type DatabaseOptions, withKnownStore, withStore } from "../database.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

export interface NewTokenOptions extends DatabaseOptions {
  readonly user: string;
  readonly scopes: string;
  readonly expires?: string;
  readonly label?: string;
}

/** `zonewright token create`: the token alone on standard output; it is shown this once. @throws {ProblemError} `user-unknown` */
export async function createTokenCommand(context: Context, options: NewTokenOptions): Promise<ExitCode> {
  const { user, label = "" } = options;
  const now = context.now();
  const wanted = { username: user, scopes: readScopes(options.scopes), label, now };
  const expires = options.expires === undefined ? undefined : readMoment(options.expires, now);
  const token = await withStore(context, options, async (store) => {
    if (user !== firstUser) await store.read((db) => knownUser(db, user));
    return createToken(store, { ...wanted, ...(expires && { expires }) });
  });
  context.talk("this token is shown once:\n");
  context.out(`${token}\n`);
  return exitCode.done;
}

/** The user of a server's first token; comes into being with it. */
export const firstUser = "admin";

/** `zonewright token list`: everything about the tokens but themselves, which nobody has any more. */
export async function listTokensCommand(context: Context, options: DatabaseOptions): Promise<ExitCode> {
  const tokens = await withKnownStore(context, options, listTokens);
  const rows = tokens.map(({ id, username, scopes, label, created, expires }) => [
    String(id),
    username,
    scopes,
    label,
    created,
    expires ?? "",
  ]);
  context.out(columns(["id", "user", "scopes", "label", "created", "expires"], rows));
  return exitCode.done;
}

/** `zonewright token revoke <id>`: the next request with it is refused. @throws {ProblemError} `token-unknown` */
export async function revokeTokenCommand(
  context: Context,
  number: string,
  options: DatabaseOptions,
): Promise<ExitCode> {
  if (!/^[1-9]\d{0,9}$/.test(number))
    throw new ProblemError(problem("usage", `A token is revoked by its number, not ${plain(number)}.`));
  if (await withKnownStore(context, options, (store) => revokeToken(store, Number(number)))) return exitCode.done;
  throw new ProblemError(
    problem("token-unknown", `there is no token ${number}`, { fix: "zonewright token list shows those there are." }),
  );
}

const areas = [...new Set(scopes.map((scope) => scope.slice(0, scope.indexOf(":"))))];
const words: readonly string[] = ["*", ...scopes, ...areas.map((area) => `${area}:*`)];

function readScopes(text: string): string {
  const wanted = parseScopes(text);
  const unknown = wanted.find((word) => !words.includes(word));
  if (unknown !== undefined)
    throw new ProblemError(problem("usage", `${plain(unknown)} is no scope. Scopes: ${words.join(", ")}.`));
  if (wanted.length === 0) throw new ProblemError(problem("usage", "A token without a scope opens nothing."));
  return wanted.join(" ");
}

/** A day, or a moment in UTC. */
function readMoment(text: string, now: Date): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const moment = new Date(isDay ? `${text}T00:00:00Z` : `${text.replace(/Z$/, "")}Z`);
  const isWritten = isDay || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/.test(text);
  // Date takes 30 February for 2 March.
  const isKnown = isWritten && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 10));
  if (!isKnown)
    throw new ProblemError(
      problem("usage", `--expires is 2030-01-31 or 2030-01-31T12:00:00 in UTC, not ${plain(text)}.`),
    );
  if (moment <= now) throw new ProblemError(problem("usage", `--expires ${text} is over.`));
  return moment;
}
