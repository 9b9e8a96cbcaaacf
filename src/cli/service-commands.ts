import type { Command } from "commander";
import type { Context } from "./context.ts";
import { usualData } from "./data-folder.ts";
import type { ExitCode } from "./exit-code.ts";

/** What stands at the head of the help of each. */
const examples = {
  token: `Example:
  zonewright token create --scopes domains:read_only --label backup
  zonewright token list
`,
  user: `Example:
  zonewright user add ci --account admin --restricted
  zonewright user grant ci example.com read_write
  zonewright token create --user ci
`,
};

/** The commands that work on the server's own database, beside a running server or without one. */
export function addServiceCommands(program: Command, context: Context, done: (code: ExitCode) => void): void {
  const data = (command: Command) =>
    command.option("--data <folder>", `folder of the database, unless DATABASE_URL is set (default: "${usualData}")`);

  data(program.command("backup"))
    .description("save the server's SQLite database as one file, also while it serves")
    .argument("<file>", "backup file; its folder must exist")
    .option("--force", "replace the file if it exists")
    .action(async (file, options) => done(await (await import("./commands/backup.ts")).backup(context, file, options)));

  const token = program.command("token").description("manage the server's tokens");
  token.addHelpText("before", examples.token);
  data(token.command("create"))
    .description("create a token; it is shown once")
    .option("--user <name>", "owner", "admin")
    .option("--scopes <words>", "scopes, for example domains:read_only", "*")
    .option("--expires <moment>", "expiry in UTC, 2030-01-31 or 2030-01-31T12:00:00 (default: never)")
    .option("--label <text>", "label for the list")
    .action(async (options) => done(await (await import("./commands/token.ts")).createTokenCommand(context, options)));
  data(token.command("list"))
    .description("list tokens (never their values)")
    .action(async (options) => done(await (await import("./commands/token.ts")).listTokensCommand(context, options)));
  data(token.command("revoke"))
    .description("revoke a token")
    .argument("<id>", "id in the list")
    .action(async (id, options) =>
      done(await (await import("./commands/token.ts")).revokeTokenCommand(context, id, options)),
    );

  const user = program.command("user").description("manage the server's users and their grants");
  user.addHelpText("before", examples.user);
  data(user.command("add"))
    .description("create a user")
    .argument("<name>")
    .option("--account <name>", "account of the user's domains (default: one with the user's name)")
    .option("--restricted", "may do only what grants allow")
    .option("--add-domains", "lets a restricted user create domains")
    .action(async (name, options) =>
      done(await (await import("./commands/user.ts")).addUserCommand(context, name, options)),
    );
  data(user.command("list"))
    .description("list users and their grants")
    .action(async (options) => done(await (await import("./commands/user.ts")).listUsersCommand(context, options)));
  data(user.command("grant"))
    .description("set what a restricted user may do with a domain")
    .argument("<name>")
    .argument("<domain>")
    .argument("<permissions>", "read_only, read_write or none")
    .action(async (name, domain, permissions, options) =>
      done(await (await import("./commands/user.ts")).grantCommand(context, name, domain, permissions, options)),
    );
}
