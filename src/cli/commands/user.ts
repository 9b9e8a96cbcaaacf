import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError, usageError } from "../../diagnostics/problem.ts";
import {
  addUser,
  grantable,
  isName,
  listAllUsers,
  requireStrong,
  requireUser,
  setAccess,
  setGrant,
  setPassword,
} from "../../server/areas/account/users-operator.ts";
import { isEmailAddress } from "../../server/areas/domains/domain-rules.ts";
import type { Permissions } from "../../server/store/tables.ts";
import { type CommandGroup, choice, defineCommand, flag, text } from "../command.ts";
import { dataFlagOf, dataFlags, withKnownStore, withNewStore } from "../database.ts";
import { exitCode } from "../exit-code.ts";
import { printTable } from "../print-table.ts";
import type { Terminal } from "../terminal.ts";
import { userKeyGroup } from "./user-key.ts";

const permissionWords = ["read_only", "read_write"] as const;

const add = defineCommand({
  example: `  zonewright server user add ci --account admin --restricted
  zonewright server token create --user ci
`,
  arguments: { "<name>": "user" },
  flags: {
    ...dataFlags,
    account: text("<name>", "account of the user's domains (default: one with the user's name)"),
    restricted: flag("allow only what grants permit"),
    addDomains: flag("allow a restricted user to create domains"),
    addNodes: flag("allow a restricted user to create nodes"),
    accountAccess: choice("<permissions>", permissionWords, "access of a restricted user to the account's own data"),
    email: text("<address>", "e-mail address, shown in the profile"),
  },
  async run(terminal, { name: username }, options) {
    const { account, restricted = false, accountAccess, email = "" } = options;
    const { addDomains = false, addNodes = false } = options;
    for (const name of [username, account ?? username]) {
      if (name === "." || name === "..")
        throw usageError("a name must not be . or .., which cannot be written in a URL.");
      if (!isName(name))
        throw usageError(`a name must consist of 1 to 64 letters, digits and . @ _ -, not "${escapeControl(name)}".`);
    }
    if (addDomains && !restricted)
      throw usageError("--add-domains requires --restricted: unrestricted users may create domains anyway.");
    if (addNodes && !restricted)
      throw usageError("--add-nodes requires --restricted: unrestricted users may create nodes anyway.");
    if (accountAccess !== undefined && !restricted)
      throw usageError("--account-access requires --restricted: unrestricted users have all access anyway.");
    if (email !== "" && (!isEmailAddress(email) || email.length > 128))
      throw usageError(`--email must be an address, such as ci@example.com, not "${escapeControl(email)}".`);
    const user = { username, account, email, restricted, addDomains, addNodes, accountAccess };
    const { isNewAccount } = await withNewStore(terminal, options, (store, clock) =>
      addUser(store, { ...user, now: clock() }),
    );
    const where = `in ${isNewAccount ? "the new account" : "account"} "${escapeControl(account ?? username)}"`;
    terminal.log(`user "${escapeControl(username)}" created ${where}\n`);
    const data = dataFlagOf(options);
    const token = `\`zonewright server token create --user ${username}${data}\``;
    const grant = `\`zonewright server user grant ${username} <label> <permissions>${data}\` for each object that it may use, then `;
    terminal.log(`next: ${restricted ? grant : ""}${token}\n`);
    return exitCode.done;
  },
});

const list = defineCommand({
  example: "  zonewright server user list\n",
  flags: dataFlags,
  async run(terminal, _, options) {
    const users = await withKnownStore(terminal, options, listAllUsers);
    const rows = users.map(({ username, account, restricted, addDomains, addNodes, accountAccess, grants }) => {
      const access = [
        ...(restricted ? [] : ["everything"]),
        ...(addDomains ? ["add_domains"] : []),
        ...(addNodes ? ["add_nodes"] : []),
        ...(accountAccess ? [`account ${accountAccess}`] : []),
        ...grants.map(
          ({ type, label, permissions }) => `${type === "domain" ? "" : `${type} `}${label} ${permissions}`,
        ),
      ];
      return [username, account, access.join(", ") || "nothing"];
    });
    printTable(terminal, [["user", "account", "access"], ...rows], "no users");
    return exitCode.done;
  },
});

const grant = defineCommand({
  example: `  zonewright server user grant ci example.com read_write
  zonewright server user grant ci web-1 read_only --on node
`,
  arguments: {
    "<name>": "user",
    "<label>": "domain, or the label or id of another object",
    "<permissions>": "read_only, read_write or none",
  },
  flags: { ...dataFlags, on: choice("<type>", grantable, "type of the object that the grant is on", "domain") },
  async run(terminal, { name, label, permissions }, options) {
    const wanted = readPermissions("a grant", permissions);
    await withKnownStore(terminal, options, (store, clock) =>
      setGrant(store, name, label, wanted, clock(), options.on),
    );
    const what = `${options.on === "domain" ? "" : `${options.on} `}${escapeControl(label)}`;
    terminal.log(`user "${escapeControl(name)}" has ${wanted ? `${wanted} on` : "no access to"} ${what}\n`);
    return exitCode.done;
  },
});

const access = defineCommand({
  example: "  zonewright server user access ci read_only --add-domains\n",
  notes: `The account's own data are its contact, billing data, credit card and OAuth
clients.
`,
  arguments: { "<name>": "user", "[permissions]": "to the account's own data: read_only, read_write or none" },
  flags: {
    ...dataFlags,
    addDomains: flag("allow the user to create domains"),
    noAddDomains: flag("do not allow the user to create domains"),
    addNodes: flag("allow the user to create nodes"),
    noAddNodes: flag("do not allow the user to create nodes"),
  },
  async run(terminal, { name, permissions }, options) {
    const addDomains = chosen("domains", options.addDomains, options.noAddDomains);
    const addNodes = chosen("nodes", options.addNodes, options.noAddNodes);
    if (permissions === undefined && addDomains === undefined && addNodes === undefined)
      throw usageError("name the permissions, or use --add-domains, --add-nodes, --no-add-domains or --no-add-nodes.");
    const wanted = permissions === undefined ? undefined : readPermissions("the access", permissions);
    const change = { accountAccess: permissions === undefined ? undefined : (wanted ?? null), addDomains, addNodes };
    await withKnownStore(terminal, options, (store, clock) => setAccess(store, name, change, clock()));
    const may = (what: string, isAllowed: boolean | undefined) =>
      isAllowed === undefined ? [] : [`may ${isAllowed ? "" : "not "}create ${what}`];
    const changed = [
      ...(permissions === undefined ? [] : [`has ${wanted ? `${wanted} on` : "no access to"} the account`]),
      ...may("domains", addDomains),
      ...may("nodes", addNodes),
    ];
    terminal.log(`user "${escapeControl(name)}" ${changed.join(" and ")}\n`);
    return exitCode.done;
  },
});

/** The value of a pair of flags that exclude each other; undefined without them. @throws {ProblemError} `usage` */
function chosen(what: string, isAllowed = false, isForbidden = false): boolean | undefined {
  if (isAllowed && isForbidden) throw usageError(`--add-${what} and --no-add-${what} exclude each other.`);
  return isAllowed || isForbidden ? isAllowed : undefined;
}

/** Undefined for `none`. */
function readPermissions(what: string, word: string): Permissions | undefined {
  if (word === "none") return undefined;
  const permissions = permissionWords.find((one) => one === word);
  if (permissions !== undefined) return permissions;
  throw usageError(`${what} must be read_only, read_write or none, not "${escapeControl(word)}".`);
}

const password = defineCommand({
  example: "  zonewright server user password admin\n",
  notes: `The password is read from the terminal, where it is not shown, or from standard
input without one. It must have 12 characters or more, not counting the user
name, and 5 different ones.
`,
  arguments: { "<name>": "user" },
  flags: dataFlags,
  interruption: "the password is unchanged",
  async run(terminal, { name }, options) {
    await withKnownStore(terminal, options, async (store, clock) => {
      await store.read((db) => requireUser(db, name));
      await setPassword(store, name, await readPassword(terminal, name), clock());
    });
    terminal.log(`password of user "${escapeControl(name)}" set; earlier sign-ins ended\n`);
    return exitCode.done;
  },
});

/**
 * Asks twice on a terminal, because nothing is shown there; for a weak password once.
 * @throws {ProblemError} `password-entry`, `password-weak`
 */
async function readPassword({ ask, readInput }: Terminal, name: string): Promise<string> {
  if (ask === undefined) return (await readInput()).split(/\r?\n/, 1)[0] ?? "";
  const first = await ask(`New password of user "${escapeControl(name)}": `, "secret");
  if (!first) throw problemError("password-entry", "no password was entered");
  requireStrong(first, name);
  if ((await ask("Repeat the password: ", "secret")) === first) return first;
  const fix = "The password is unchanged. Run the command again.";
  throw problemError("password-entry", "the two entries of the password differ", { fix });
}

export const userCommand: CommandGroup = {
  commands: {
    add: ["create a user", add],
    list: ["list users and their grants", list],
    key: ["add, list and remove the public SSH keys of users", userKeyGroup],
    password: ["set the password with which a user signs in", password],
    grant: ["set what a restricted user may do with a domain, node, volume or firewall", grant],
    access: ["set what a restricted user may do with the account, and whether it may create domains", access],
  },
};
