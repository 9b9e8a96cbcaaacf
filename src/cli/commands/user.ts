import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { addUser, listUsers, setGrant } from "../../server/operator/users.ts";
import { columns } from "../columns.ts";
import type { Context } from "../context.ts";
import { type DatabaseOptions, withKnownStore, withStore } from "../database.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";

export interface NewUserOptions extends DatabaseOptions {
  readonly account?: string;
  readonly restricted?: boolean;
  readonly addDomains?: boolean;
}

/** `zonewright user add <name>`. @throws {ProblemError} `user-exists` */
export async function addUserCommand(context: Context, username: string, options: NewUserOptions): Promise<ExitCode> {
  const { account, restricted = false, addDomains = false } = options;
  for (const name of [username, account ?? username]) {
    if (!/^[\w.@-]{1,64}$/.test(name))
      throw new ProblemError(problem("usage", `A name has 1-64 letters, digits, dots, @ and -, not ${plain(name)}.`));
  }
  if (addDomains && !restricted)
    throw new ProblemError(problem("usage", "--add-domains goes with --restricted: others may anyway."));
  const user = { username, account, restricted, addDomains, now: context.now() };
  await withStore(context, options, (store) => addUser(store, user));
  return exitCode.done;
}

/** `zonewright user list`: who may do what. */
export async function listUsersCommand(context: Context, options: DatabaseOptions): Promise<ExitCode> {
  const users = await withKnownStore(context, options, listUsers);
  const rows = users.map(({ username, account, restricted, addDomains, grants }) => {
    const may = [
      ...(restricted ? [] : ["everything"]),
      ...(addDomains ? ["add_domains"] : []),
      ...grants.map(({ domain, permissions }) => `${domain} ${permissions}`),
    ];
    return [username, account, may.join(", ") || "nothing"];
  });
  context.out(columns(["user", "account", "may"], rows));
  return exitCode.done;
}

/** `zonewright user grant <name> <domain> <permissions>`. @throws {ProblemError} `user-unknown`, `user-unrestricted`, `grant-domain` */
export async function grantCommand(
  context: Context,
  username: string,
  domain: string,
  permissions: string,
  options: DatabaseOptions,
): Promise<ExitCode> {
  if (permissions !== "read_only" && permissions !== "read_write" && permissions !== "none")
    throw new ProblemError(problem("usage", `A grant is read_only, read_write or none, not ${plain(permissions)}.`));
  const wanted = permissions === "none" ? undefined : permissions;
  await withKnownStore(context, options, (store) => setGrant(store, username, domain, wanted));
  return exitCode.done;
}
