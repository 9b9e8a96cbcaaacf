import { parseScopes, scopes, scopeWords } from "../../contract/scopes.ts";
import { spell } from "../../contract/words.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { type ProblemError, problemError, usageError } from "../../diagnostics/problem.ts";
import { createToken, listAllTokens, revokeTokenById } from "../../server/areas/account/tokens-operator.ts";
import { requireUser } from "../../server/areas/account/users-operator.ts";
import { type CommandGroup, defineCommand, text } from "../command.ts";
import { dataFlagOf, dataFlags, firstUser, withKnownStore, withNewStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import { readId } from "../read-id.ts";
import { readMoment } from "../read-moment.ts";

/** `zonewright server token create`: prints only the token on standard output; it is shown only once. */
const create = defineCommand({
  example: "  zonewright server token create --scopes domains:read_only --label backup\n",
  flags: {
    ...dataFlags,
    user: text("<name>", "owner", firstUser),
    scopes: text("<words>", "scopes, separated by commas or spaces, such as domains:read_write,events:read_only", "*"),
    expires: text("<moment>", "expiry in UTC, 2030-01-31 or 2030-01-31T12:00:00 (default: never)"),
    label: text("<text>", "label for the list"),
  },
  async run(terminal, _, options) {
    const { user, label = "" } = options;
    const wanted = { username: user, scopes: readScopes(options.scopes), label };
    const expires =
      options.expires === undefined ? undefined : readMoment("--expires", options.expires, terminal.now());
    const token = await withNewStore(terminal, options, async (store, clock) => {
      if (user !== firstUser) await store.read((db) => requireUser(db, user));
      return createToken(store, { ...wanted, now: clock(), ...(expires && { expires }) });
    });
    terminal.log(`token for user "${escapeControl(user)}" created; it is shown only once:\n`);
    terminal.print(`${token}\n`);
    return exitCode.done;
  },
});

const list = defineCommand({
  example: "  zonewright server token list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const tokens = await withKnownStore(terminal, options, listAllTokens);
    const rows = tokens.map(({ id, username, scopes, label, created, expires, client }) => [
      String(id),
      username,
      scopes,
      label,
      created,
      expires ?? "",
      client ?? "",
    ]);
    printTable(terminal, [["id", "user", "scopes", "label", "created", "expires", "client"], ...rows], "no tokens");
    return exitCode.done;
  },
});

/** `zonewright server token revoke`: later requests with the token are refused, and those of its application. */
const revoke = defineCommand({
  example: "  zonewright server token revoke 3\n",
  arguments: { "<id>": "id in the list" },
  flags: dataFlags,
  async run(terminal, { id }, options) {
    const listCommand = `server token list${dataFlagOf(options)}`;
    const number = readId("token", id, listCommand);
    const revoked = await withKnownStore(terminal, options, (store, clock) => revokeTokenById(store, number, clock()));
    if (revoked === undefined)
      throw problemError("token-unknown", `token ${number} does not exist`, {
        fix: `Run \`zonewright ${listCommand}\` to list the tokens.`,
      });
    const { client } = revoked;
    terminal.log(
      `token ${number} revoked${client === null ? "" : `, with the access of "${escapeControl(client)}"`}\n`,
    );
    return exitCode.done;
  },
});

export const tokenCommand: CommandGroup = {
  commands: {
    create: ["create a token; it is shown only once", create],
    list: ["list tokens (never their values)", list],
    revoke: ["revoke a token", revoke],
  },
};

function readScopes(text: string): string {
  const wanted = parseScopes(spell("scopes", text, "documented"));
  const unknown = wanted.find((word) => !scopeWords.includes(word));
  if (unknown !== undefined) throw unknownScope(unknown);
  if (wanted.length === 0) throw usageError("a token needs at least one scope, such as domains:read_only.");
  return wanted.join(" ");
}

function unknownScope(word: string): ProblemError {
  // A word for several scopes may be more than was meant.
  const near = nearest(word, scopes);
  const hint = near === undefined ? `Scopes: ${scopes.join(", ")}.` : `Did you mean "${near}"?`;
  return usageError(`unknown scope "${escapeControl(word)}". ${hint}`);
}
