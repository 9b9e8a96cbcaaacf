import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { addAuthorizationTokens, insertAuthorizationRow } from "../../src/server/areas/oauth/authorizations-rows.ts";
import { listen } from "../../src/server/http/node.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { Desk, lines, noon } from "./run.ts";

/** Asks the server whose database the desk has. */
async function ask(desk: Desk, token: string, method: string, path: string, body?: object) {
  const store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  const server = createServer({ store, clock: () => noon });
  const reply = await server(
    new Request(`http://api/v4${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  await store.close();
  return reply.status;
}

const domain = { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" };

test("creates, uses, lists and revokes a token", async () => {
  const desk = new Desk();
  const made = await desk.run("server token create");
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(/^[0-9a-f]{64}\n$/),
    talk: lines`
      new database created in .zonewright/data; to use that of a running server, name its folder with --data
      token for user "admin" created; it is shown only once:
    `,
  });
  const token = made.out.trim();
  expect(await ask(desk, token, "POST", "/domains", domain)).toBe(200);
  const reader = (
    await desk.run("server token create --scopes domains:read_only --expires 2026-12-31 --label backup")
  ).out.trim();
  expect(await ask(desk, reader, "GET", "/domains/1")).toBe(200);
  expect(await ask(desk, reader, "DELETE", "/domains/1")).toBe(401);
  desk.secrets.push(token, reader);
  expect(await desk.run("server token list")).toEqual({
    code: 0,
    out: lines`
      id  user   scopes             label   created              expires              client
      1   admin  *                  -       2026-03-04T12:00:00  -                    -
      2   admin  domains:read_only  backup  2026-03-04T12:00:00  2026-12-31T00:00:00  -
    `,
    talk: "",
  });
  desk.width = 80;
  expect((await desk.run("server token list")).out).toBe(lines`
    id  user   scopes             label   created              expires
    1   admin  *                  -       2026-03-04T12:00:00  -
    2   admin  domains:read_only  backup  2026-03-04T12:00:00  2026-12-31T00:00:00
  `);
  expect(await desk.run("server token revoke 1")).toEqual({ code: 0, out: "", talk: "token 1 revoked\n" });
  expect(await ask(desk, token, "GET", "/domains/1")).toBe(401);
  expect(await ask(desk, reader, "GET", "/domains/1")).toBe(200);
  expect(await desk.run("server token revoke 1")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[token-unknown] token 1 does not exist
        Run ${"`"}zonewright server token list${"`"} to list the tokens.
    `,
  });
});

test("revokes a token of an application, with its access", async () => {
  const desk = new Desk();
  const token = (await desk.run("server token create")).out.trim();
  const client = { label: 'da"sh\u001b', redirect_uri: "https://dash.example.com/" };
  expect(await ask(desk, token, "POST", "/account/oauth-clients", client)).toBe(200);
  const store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  await store.write(async (db) => {
    const [now, expires] = ["2026-03-04T12:00:00", "2026-03-04T14:00:00"];
    const consent = { oauth_client_id: 1, user_id: 1, scopes: "*", redirect_uri: client.redirect_uri, challenge: null };
    await insertAuthorizationRow(db, { ...consent, code_hash: "code", code_expires: expires }, now);
    const issued = { access: "access", refresh: "refresh", scopes: "*", now, expires };
    await addAuthorizationTokens(db, { id: 1, user_id: 1 }, issued);
  });
  await store.close();
  expect(await desk.run("server token revoke 2")).toEqual({
    code: 0,
    out: "",
    talk: 'token 2 revoked, with the access of "da"sh\\x1b"\n',
  });
});

test("scopes of the hosted service are stored in the words of the documents", async () => {
  const desk = new Desk();
  await desk.run("server token create --scopes linodes:read_only,nodes:*,domains:read_only");
  expect((await desk.run("server token list")).out).toBe(lines`
    id  user   scopes                                     label  created              expires  client
    1   admin  nodes:read_only nodes:* domains:read_only  -      2026-03-04T12:00:00  -        -
  `);
});

test("an interrupted entry leaves the password unchanged", async () => {
  const desk = new Desk();
  await desk.run("server user add ci");
  expect(await desk.run("server user password ci", { answer: "Ctrl-C" })).toEqual({
    code: 130,
    out: "",
    talk: "interrupted: the password is unchanged\n",
  });
  expect(desk.questions).toEqual(['New password of user "ci": ']);
});

test.each<[what: string, answers: string[], talk: string]>([
  ["no entry", [""], "error[password-entry] no password was entered\n"],
  [
    "a weak password, before it is repeated",
    ["eleven char"],
    "error[password-weak] the password is shorter than 12 characters\n" +
      "  Choose 12 characters or more, not counting the user name, that are hard to guess; several random words are easy to remember.\n",
  ],
  [
    "two entries that differ",
    ["five random words together", "four random words together"],
    "error[password-entry] the two entries of the password differ\n" +
      "  The password is unchanged. Run the command again.\n",
  ],
])("%s at the terminal is invalid input, not a usage error", async (_, answers, talk) => {
  const desk = new Desk();
  await desk.run("server user add ci");
  expect(await desk.run("server user password ci", { answer: answers })).toEqual({ code: 3, out: "", talk });
  expect(desk.questions).toEqual(['New password of user "ci": ', "Repeat the password: "].slice(0, answers.length));
});

test("the password from a pipe is its first line", async () => {
  const desk = new Desk();
  await desk.run("server user add ci");
  desk.input = "short\nfive random words together\n";
  expect(await desk.run("server user password ci")).toMatchObject({
    code: 3,
    talk: expect.stringContaining("12 characters"),
  });
  desk.input = "five random words together\r\nx\n";
  expect(await desk.run("server user password ci")).toMatchObject({ code: 0 });
});

test("a restricted user has the granted access only", async () => {
  const desk = new Desk();
  const admin = (await desk.run("server token create")).out.trim();
  await ask(desk, admin, "POST", "/domains", domain);
  expect(await desk.run("server user add ci --account admin --restricted")).toEqual({
    code: 0,
    out: "",
    talk: lines`
      user "ci" created in account "admin"
      next: ${"`"}zonewright server user grant ci <label> <permissions>${"`"} for each object that it may use, then ${"`"}zonewright server token create --user ci${"`"}
    `,
  });
  expect(await desk.run("server user add maker --account admin --restricted --add-domains")).toMatchObject({ code: 0 });
  const ci = (await desk.run("server token create --user ci")).out.trim();
  expect(await ask(desk, ci, "GET", "/domains/1")).toBe(403);
  expect(await desk.run("server user grant ci example.com read_only")).toEqual({
    code: 0,
    out: "",
    talk: 'user "ci" has read_only on example.com\n',
  });
  expect(await ask(desk, ci, "GET", "/domains/1")).toBe(200);
  expect(await ask(desk, ci, "DELETE", "/domains/1")).toBe(403);
  expect(await desk.run("server user list")).toEqual({
    code: 0,
    out: lines`
      user   account  access
      admin  admin    everything
      ci     admin    example.com read_only
      maker  admin    add_domains
    `,
    talk: "",
  });
  expect((await desk.run("server user grant ci example.com none")).talk).toBe(
    'user "ci" has no access to example.com\n',
  );
  expect(await ask(desk, ci, "GET", "/domains/1")).toBe(403);
});

test("a restricted user asks for access to the account, and has what the operator gives", async () => {
  const desk = new Desk();
  await desk.run("server token create");
  await desk.run("server user add ci --account admin --restricted");
  await desk.run("server user add books --account admin --restricted --account-access read_write");
  const ci = (await desk.run("server token create --user ci")).out.trim();
  const books = (await desk.run("server token create --user books")).out.trim();
  const client = { label: "app", redirect_uri: "https://app.example.com/" };
  const outcomes = async (token: string) => [
    await ask(desk, token, "GET", "/account/oauth-clients"),
    await ask(desk, token, "POST", "/account/oauth-clients", client),
  ];
  expect(await outcomes(books)).toEqual([200, 200]);
  expect(await outcomes(ci)).toEqual([403, 403]);
  expect(await desk.run("server user access ci read_only")).toEqual({
    code: 0,
    out: "",
    talk: 'user "ci" has read_only on the account\n',
  });
  expect(await outcomes(ci)).toEqual([200, 403]);
  expect((await desk.run("server user list")).out).toBe(lines`
    user   account  access
    admin  admin    everything
    books  admin    account read_write
    ci     admin    account read_only
  `);
  await desk.run("server user access ci read_write");
  expect(await outcomes(ci)).toEqual([200, 200]);
  await desk.run("server user access ci none");
  expect(await outcomes(ci)).toEqual([403, 403]);
});

test("a restricted user may create domains while the operator allows it", async () => {
  const desk = new Desk();
  await desk.run("server token create");
  await desk.run("server user add ci --account admin --restricted --account-access read_only");
  const ci = (await desk.run("server token create --user ci")).out.trim();
  const create = (name: string) => ask(desk, ci, "POST", "/domains", { ...domain, domain: name });
  expect(await create("example.com")).toBe(403);
  expect(await desk.run("server user access ci --add-domains")).toEqual({
    code: 0,
    out: "",
    talk: 'user "ci" may create domains\n',
  });
  expect(await create("example.com")).toBe(200);
  expect((await desk.run("server user list")).out).toContain(
    "ci     admin    add_domains, account read_only, example.com read_write\n",
  );
  expect(await desk.run("server user access ci none --no-add-domains")).toEqual({
    code: 0,
    out: "",
    talk: 'user "ci" has no access to the account and may not create domains\n',
  });
  expect(await create("example.net")).toBe(403);
  expect((await desk.run("server user list")).out).toContain("ci     admin    example.com read_write\n");
});

test("the advice after refused grants leads to a grant", async () => {
  const desk = new Desk();
  const token = (await desk.run("server token create")).out.trim();
  const store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  const { url, close } = await listen(createServer({ store, clock: () => noon }), { port: 0 });
  onTestFinished(async () => {
    await close();
    await store.close();
  });
  const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
  const grant = "server user grant ci example.com read_only";
  const follow = async (command: string) => {
    const advised = /`zonewright (.+)`/.exec((await desk.run(command)).talk)?.[1] ?? "";
    const { code } = await desk.run(
      advised.replace("<name>", "reader").replace("<account>", "admin").replace("<address>", "a@example.com"),
      {
        env,
      },
    );
    return [advised, code];
  };
  expect(await follow(grant)).toEqual(["server user add ci --account <account> --restricted", 0]);
  expect(await follow(grant)).toEqual([
    "api create-domain --set domain=example.com --set type=master --set soa_email=<address>",
    0,
  ]);
  expect(await desk.run(grant)).toMatchObject({ code: 0 });
  expect(await follow("server user grant admin example.com read_only")).toEqual([
    "server user add <name> --account <account> --restricted",
    0,
  ]);
});

test("errors with --data advise commands on the same database", async () => {
  const desk = new Desk();
  desk.secrets.push((await desk.run("server token create --data d1")).out.trim());
  const rows: [command: string, advice: string][] = [
    ["server token create --user ci", "server user add ci"],
    ["server token revoke 9", "server token list"],
    ["server token revoke x", "server token list"],
    ["server user password ci", "server user add ci"],
    ["server user grant ci example.com read_only", "server user add ci --account <account> --restricted"],
    ["server operator account reopen ci", "server operator account list"],
    ["server operator account reopen admin", "server operator account list"],
    ["server operator ticket list --account ci", "server operator account list"],
    ["server operator ticket show 9", "server operator ticket list --all"],
    ["server operator ticket show x", "server operator ticket list"],
    ["server operator notice remove 9", "server operator notice list"],
    ["server operator notice remove x", "server operator notice list"],
    ["server operator client suspend x", "server operator client list"],
  ];
  for (const [command, advice] of rows)
    expect((await desk.run(`${command} --data d1`)).talk, command).toContain(`\`zonewright ${advice} --data d1\``);
});

describe("rejects invalid requests", () => {
  test.each<[string, number, string]>([
    [
      "server token create --user nobody",
      3,
      'error[user-unknown] the user "nobody" does not exist\n  Create it: `zonewright server user add nobody`.\n',
    ],
    [
      "server token create --user a/b",
      3,
      'error[user-unknown] the user "a/b" does not exist\n  Run `zonewright server user list` to list the users.\n',
    ],
    [
      "server token create --user Operator",
      3,
      'error[user-unknown] the user "Operator" does not exist\n  Run `zonewright server user list` to list the users.\n',
    ],
    [
      "server token create --scopes domains:rw",
      64,
      'error: unknown scope "domains:rw". Scopes: account:read_only, account:read_write, domains:read_only, domains:read_write, events:read_only, maintenance:read_only, nodes:read_only, nodes:read_write.\n',
    ],
    [
      "server token create --scopes domains:read_only,zones:read_only",
      64,
      'error: unknown scope "zones:read_only". Did you mean "nodes:read_only"?\n',
    ],
    [
      "server token create --scopes root",
      64,
      'error: unknown scope "root". Scopes: account:read_only, account:read_write, domains:read_only, domains:read_write, events:read_only, maintenance:read_only, nodes:read_only, nodes:read_write.\n',
    ],
    ["server token create --scopes ,", 64, "error: a token needs at least one scope, such as domains:read_only.\n"],
    [
      "server token create --expires soon",
      64,
      'error: --expires must be a time in UTC, such as 2030-01-31 or 2030-01-31T12:00:00, not "soon".\n',
    ],
    [
      "server token create --expires 2027-02-30",
      64,
      'error: --expires must be a time in UTC, such as 2030-01-31 or 2030-01-31T12:00:00, not "2027-02-30".\n',
    ],
    [
      "server token create --expires 2026-13-01",
      64,
      'error: --expires must be a time in UTC, such as 2030-01-31 or 2030-01-31T12:00:00, not "2026-13-01".\n',
    ],
    [
      "server token create --expires 2026-03-04T12:00:00",
      64,
      'error: --expires "2026-03-04T12:00:00" is in the past.\n',
    ],
    [
      "server token revoke abc",
      64,
      "error: name the token by its id, a number; `zonewright server token list` shows it.\n",
    ],
    [
      "server token create --user ADMIN",
      3,
      'error[user-unknown] the user "ADMIN" does not exist\n  The user is called "admin".\n',
    ],
    [
      "server user grant ADMIN example.com read_only",
      3,
      'error[user-unknown] the user "ADMIN" does not exist\n  The user is called "admin".\n',
    ],
    [
      "server user add Admin",
      3,
      'error[user-exists] the user "admin" already exists\n  Names must differ by more than letter case.\n',
    ],
    ["server user add admin", 3, 'error[user-exists] the user "admin" already exists\n  Choose another name.\n'],
    [
      "server user add Operator",
      3,
      'error[user-reserved] the name "Operator" belongs to the operator of the server, who answers tickets\n' +
        "  Choose another name.\n",
    ],
    ["server user add .", 64, "error: a name must not be . or .., which cannot be written in a URL.\n"],
    ["server user add ..", 64, "error: a name must not be . or .., which cannot be written in a URL.\n"],
    ["server user add ci --account ..", 64, "error: a name must not be . or .., which cannot be written in a URL.\n"],
    ["server user add a/b", 64, 'error: a name must consist of 1 to 64 letters, digits and . @ _ -, not "a/b".\n'],
    [
      "server user add ci --add-domains",
      64,
      "error: --add-domains requires --restricted: unrestricted users may create domains anyway.\n",
    ],
    [
      "server user add ci --account-access read_only",
      64,
      "error: --account-access requires --restricted: unrestricted users have all access anyway.\n",
    ],
    [
      "server user access admin read_only",
      3,
      'error[user-unrestricted] the user "admin" is not restricted\n  An unrestricted user may do everything in the account. Create a restricted one: `zonewright server user add <name> --account <account> --restricted`.\n',
    ],
    [
      "server user access nobody read_only",
      3,
      'error[user-unknown] the user "nobody" does not exist\n  Create it: `zonewright server user add nobody --account <account> --restricted`.\n',
    ],
    [
      "server user access bob",
      64,
      "error: name the permissions, or use --add-domains, --add-nodes, --no-add-domains or --no-add-nodes.\n",
    ],
    [
      "server user access bob --add-domains --no-add-domains",
      64,
      "error: --add-domains and --no-add-domains exclude each other.\n",
    ],
    ["server user access bob all", 64, 'error: the access must be read_only, read_write or none, not "all".\n'],
    [
      "server user grant admin example.com read_only",
      3,
      'error[user-unrestricted] the user "admin" is not restricted\n  An unrestricted user may do everything in the account. Create a restricted one: `zonewright server user add <name> --account <account> --restricted`.\n',
    ],
    [
      "server user grant nobody example.com read_only",
      3,
      'error[user-unknown] the user "nobody" does not exist\n  Create it: `zonewright server user add nobody --account <account> --restricted`.\n',
    ],
    [
      "server user grant bob example.com read_only",
      3,
      'error[grant-domain] the account of "bob" has no domain "example.com"\n' +
        "  Create it with a token of this account: `zonewright api create-domain --set domain=example.com --set type=master --set soa_email=<address>`.\n",
    ],
    ["server user grant bob example.com all", 64, 'error: a grant must be read_only, read_write or none, not "all".\n'],
  ])("%s", async (command, code, talk) => {
    const desk = new Desk();
    await desk.run("server token create");
    await desk.run("server user add bob --restricted");
    expect(await desk.run(command)).toEqual({ code, out: "", talk });
  });
});

test.each([
  "server token list",
  "server token revoke 1",
  "server user list",
  "server user grant bob example.com read_only",
  "server user access bob none",
])("%s does not create a missing database", async (command) => {
  const desk = new Desk();
  const talk = (folder: string) => lines`
      error[store-missing] no database found in ${folder}
        Run the command in the folder where ${"`"}zonewright serve${"`"} was started, or name its data folder with --data.
    `;
  expect(await desk.run(`${command} --data dta`)).toEqual({ code: 1, out: "", talk: talk("dta") });
  expect(await desk.run(command)).toEqual({ code: 1, out: "", talk: talk(".zonewright/data") });
  expect(desk.files()).toEqual({});
});
