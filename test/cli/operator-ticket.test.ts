import { lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { start } from "../server/start.ts";
import { Desk, lines } from "./run.ts";

let desk: Desk;
let store: Store;
let api: Awaited<ReturnType<typeof start>>;
/** The user `shop`, whose account has the same name. */
let as: string;

beforeEach(async () => {
  desk = new Desk();
  store = await openStore(join(desk.folder, ".zonewright/data/zonewright.db"));
  onTestFinished(() => store.close());
  api = await start({ store });
  as = await api.mint({ username: "shop" });
});

const open = (summary: string, description = "No answer since noon.", fields: object = {}) =>
  api.call("POST", "/support/tickets", { summary, description, ...fields }, { as });
const attach = (name: string, text = "text") => {
  const form = new FormData();
  form.set("file", new File([text], name));
  return api.call("POST", "/support/tickets/1/attachments", form, { as });
};
const operate = (command: string) => desk.run(`server operator ticket ${command}`);
const ticket = async (id = 1) => (await api.call("GET", `/support/tickets/${id}`, undefined, { as })).body;
const done = (talk: string) => ({ code: 0, out: "", talk });
const failed = (code: number, talk: string) => ({ code, out: "", talk });
const usage = (text: string) => failed(64, `error: ${text}\n`);

test.each([
  ["ticket list", "no tickets that are not closed; --all also lists closed ones\n"],
  ["ticket list --all", "no tickets\n"],
  ["notice list", "no notices\n"],
  ["client list", "no OAuth clients\n"],
])("says that operator %s has nothing to list", async (command, talk) => {
  expect(await desk.run(`server operator ${command}`)).toEqual(done(talk));
});

test("lists the tickets of all accounts, the closed ones on request", async () => {
  await open("Lookups fail");
  await open("Typo");
  await api.call("POST", "/support/tickets", { summary: "Invoice", description: "x" });
  await api.call("POST", "/support/tickets/2/close", undefined, { as });
  const listed = (...rows: string[]) => ({ code: 0, out: rows.map((row) => `${row}\n`).join(""), talk: "" });
  expect(await operate("list")).toEqual(
    listed(
      "id  account  status  updated              by     summary",
      "3   admin    new     2026-03-04T12:00:00  admin  Invoice",
      "1   shop     new     2026-03-04T12:00:00  shop   Lookups fail",
    ),
  );
  expect(await operate("list --all --account shop")).toEqual(
    listed(
      "id  account  status  updated              by    summary",
      "1   shop     new     2026-03-04T12:00:00  shop  Lookups fail",
      "2   shop     closed  2026-03-04T12:00:00  shop  Typo",
    ),
  );
});

test("on a terminal, long values are shortened until lines fit its width", async () => {
  const comments = `We moved.${" ".repeat(900)}Thank you.`;
  await api.call("POST", "/account/cancel", { comments }, { as });
  const account = "shop     shop     2026-03-04T12:00:00  2026-03-04T12:00:00";
  expect((await desk.run("server operator account list")).out).toContain(`${account}  ${comments}\n`);
  desk.width = 80;
  expect((await desk.run("server operator account list")).out).toBe(lines`
    account  company  created              closed               comments
    admin    admin    2026-03-04T12:00:00  -                    -
    shop     shop     2026-03-04T12:00:00  2026-03-04T12:00:00  We moved. …919… you.
  `);
});

test("a first reply opens a ticket, a close ends it, and the user sees both", async () => {
  await open("Lookups fail");
  expect(await operate("reply 1 --text Looking.")).toEqual(done("reply to ticket 1 added\n"));
  expect(await ticket()).toMatchObject({ status: "open", closable: true, updated_by: "operator", closed: null });
  expect((await api.call("GET", "/support/tickets/1/replies", undefined, { as })).body.data).toEqual([
    {
      id: 1,
      created: "2026-03-04T12:00:00",
      created_by: "operator",
      description: "Looking.",
      from_operator: true,
      gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
    },
  ]);
  expect(await operate("close 1")).toEqual(done("ticket 1 closed\n"));
  expect(await ticket()).toMatchObject({ status: "closed", closable: false, closed: "2026-03-04T12:00:00" });
  const closed = failed(
    3,
    lines`
      error[ticket-closed] ticket 1 is already closed
        To write to the account again, open another ticket: ${"`"}zonewright server operator ticket open shop <summary> --text <text>${"`"}.
    `,
  );
  expect([await operate("reply 1 --text More."), await operate("close 1")]).toEqual([closed, closed]);
  const { data } = (await api.call("GET", "/account/events", undefined, { as })).body;
  const entity = { label: "Lookups fail", id: 1, type: "ticket", url: "/v4/support/tickets/1" };
  expect(data.map(({ action, username, entity }: Record<string, unknown>) => ({ action, username, entity }))).toEqual([
    { action: "ticket_update", username: "", entity },
    { action: "ticket_update", username: "", entity },
    { action: "ticket_create", username: "shop", entity },
  ]);
});

test("the text of a reply is an option, a file or the standard input", async () => {
  await open("Lookups fail");
  desk.write("reply.txt", "From a file.\nTwo lines.\n");
  desk.input = "From a pipe.\n";
  for (const source of ["--text Short.", "--file reply.txt", "--file -"])
    expect(await operate(`reply 1 ${source}`)).toEqual(done("reply to ticket 1 added\n"));
  const { data } = (await api.call("GET", "/support/tickets/1/replies", undefined, { as })).body;
  expect(data.map(({ description }: { description: string }) => description)).toEqual([
    "Short.",
    "From a file.\nTwo lines.",
    "From a pipe.",
  ]);
});

test("the length of a text is counted in characters, as the API counts it", async () => {
  expect(await operate(`open shop ${"😀".repeat(64)} --text x`)).toEqual(done('ticket 1 opened for account "shop"\n'));
  expect(await operate(`open shop ${"😀".repeat(65)} --text x`)).toEqual(
    usage("the summary must have 1 to 64 characters."),
  );
  expect((await ticket()).summary).toBe("😀".repeat(64));
});

test("a summary without a visible character is refused", async () => {
  expect(await desk.run(["server", "operator", "ticket", "open", "shop", " \u200b", "--text", "x"])).toEqual(
    usage("the summary must contain a visible character."),
  );
});

test("a ticket that the operator opens is open, and not for users to close", async () => {
  await api.call("POST", "/domains", { domain: "Example.com", type: "slave", master_ips: ["192.0.2.1"] }, { as });
  desk.input = "The host moves tonight.\n";
  expect(await operate("open shop Move --domain example.COM --file -")).toEqual(
    done('ticket 1 opened for account "shop"\n'),
  );
  expect(await ticket()).toEqual({
    id: 1,
    attachments: [],
    closed: null,
    closable: false,
    description: "The host moves tonight.",
    entity: { label: "Example.com", id: 1, type: "domain", url: "/v4/domains/1" },
    gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
    opened: "2026-03-04T12:00:00",
    opened_by: "operator",
    status: "open",
    summary: "Move",
    updated: "2026-03-04T12:00:00",
    updated_by: null,
  });
  expect((await api.call("POST", "/support/tickets/1/close", undefined, { as })).body).toEqual({
    errors: [{ reason: "This ticket cannot be closed" }],
  });
  expect((await operate("show 1")).out).toBe(lines`
    ticket 1: Move
    account  shop
    status   open
    about    domain Example.com
    opened   2026-03-04T12:00:00 by the operator

    2026-03-04T12:00:00 the operator:
      The host moves tonight.
  `);
});

describe("a ticket that the operator opens is about", () => {
  const empty = { region: "us-east", type: "g6-nanode-1" };
  const node = { label: "web-1", id: 1, type: "node", url: "/v4/node/instances/1" };
  const volume = { label: "data", id: 1, type: "volume", url: "/v4/volumes/1" };
  test.each<[string, string, object]>([
    ["a node by its label", "--node WEB-1", node],
    ["a node by its id", "--node 1", node],
    ["a volume by its label", "--volume data", volume],
    ["a volume by its id", "--volume 1", volume],
  ])("%s", async (_, option, entity) => {
    await api.call("POST", "/node/instances", { ...empty, label: "web-1" }, { as });
    await api.call("POST", "/volumes", { label: "data", region: "us-east" }, { as });
    expect(await operate(`open shop Move --text Soon. ${option}`)).toEqual(
      done('ticket 1 opened for account "shop"\n'),
    );
    expect((await ticket()).entity).toEqual(entity);
  });

  test("nothing of another account", async () => {
    await api.call("POST", "/node/instances", { ...empty, label: "web-1" });
    await api.call("POST", "/volumes", { label: "data", region: "us-east" });
    for (const option of ["--node web-1", "--node 1", "--volume data", "--volume 1"])
      expect([option, (await operate(`open shop Move --text Soon. ${option}`)).code]).toEqual([option, 3]);
    expect((await operate("list --all")).talk).toBe("no tickets\n");
  });
});

test("shows the region of a VLAN that a ticket is about", async () => {
  await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" }, { as });
  const config = { label: "boot", devices: {}, interfaces: [{ purpose: "vlan", label: "backend" }] };
  await api.call("POST", "/node/instances/1/configs", config, { as });
  await open("Packets lost", "Since noon.", { vlan: "backend", region: "us-east" });
  expect((await operate("show 1")).out).toBe(lines`
    ticket 1: Packets lost
    account  shop
    status   new
    about    vlan backend in us-east
    opened   2026-03-04T12:00:00 by shop

    2026-03-04T12:00:00 shop:
      Since noon.
  `);
});

test("shows a whole ticket, without characters that control the terminal", async () => {
  await open("Lookups \u001b[2Jfail", "No answer.\r\n::error::really\u202e\n\n  indented", {});
  await attach("notes.txt", "four");
  await api.call("POST", "/support/tickets/1/replies", { description: "Still\u0007 none." }, { as });
  await operate("reply 1 --text Looking.");
  await operate("close 1");
  expect(await operate("show 1")).toEqual({
    code: 0,
    out: lines`
      ticket 1: Lookups \x1b[2Jfail
      account  shop
      status   closed
      about    -
      opened   2026-03-04T12:00:00 by shop
      closed   2026-03-04T12:00:00 by operator
      file     notes.txt, 4 octets, 2026-03-04T12:00:00

      2026-03-04T12:00:00 shop:
        No answer.
        \x3a:error::really\u202e

          indented

      2026-03-04T12:00:00 shop:
        Still\x07 none.

      2026-03-04T12:00:00 the operator:
        Looking.
    `,
    talk: "",
  });
});

test("breaks lines at the width of the terminal, so that no text looks like a reply", async () => {
  const gap = "\u00a0"; // no-break space
  const forged = `2026-03-04T12:00:00${gap}the${gap}operator:`;
  await open(
    `Lookups fail ${"x".repeat(40)}`,
    `${"x".repeat(48)}${forged}\nNo answer ${"w ".repeat(12)}::error::of it`,
  );
  await operate("reply 1 --text Looking.");
  desk.width = 40;
  expect((await operate("show 1")).out).toBe(lines`
    ticket 1: Lookups fail
              xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
              xxxxxxxxxx
    account  shop
    status   open
    about    -
    opened   2026-03-04T12:00:00 by shop

    2026-03-04T12:00:00 shop:
      xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      xxxxxxxxxx2026-03-04T12:00:00${gap}the${gap}oper
      ator:
      No answer w w w w w w w w w w w w
      \x3a:error::of it

    2026-03-04T12:00:00 the operator:
      Looking.
  `);
});

describe("files", () => {
  test("are saved in a new folder that only the operator can read", async () => {
    await open("Lookups fail");
    await attach("notes.txt", "first");
    await attach("notes.txt", "second");
    expect(await operate("files 1")).toEqual({
      code: 0,
      out: "ticket-1/notes.txt, 5 octets\nticket-1/notes (2).txt, 6 octets\n",
      talk: "",
    });
    expect([desk.read("ticket-1/notes.txt"), desk.read("ticket-1/notes (2).txt")]).toEqual(["first", "second"]);
    expect(statSync(join(desk.folder, "ticket-1")).mode & 0o777).toBe(0o700);
  });

  test("of a ticket without any", async () => {
    await open("Lookups fail");
    expect(await operate("files 1")).toEqual(done("ticket 1 has no files\n"));
    expect(lstatSync(join(desk.folder, "ticket-1"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each<[string, string, () => void, string]>([
    [
      "an existing file",
      "files 1 --out out",
      () => desk.write("out/b.txt", "mine"),
      "error[file-exists] out/b.txt already exists\n  Name another folder with --out.\n",
    ],
    [
      "a link to a missing file",
      "files 1 --out out",
      () => {
        mkdirSync(join(desk.folder, "out"));
        symlinkSync(join(desk.folder, "elsewhere"), join(desk.folder, "out/b.txt"));
      },
      "error[file-exists] out/b.txt already exists\n  Name another folder with --out.\n",
    ],
    [
      "a link to another folder",
      "files 1 --out out",
      () => {
        mkdirSync(join(desk.folder, "elsewhere"));
        symlinkSync(join(desk.folder, "elsewhere"), join(desk.folder, "out"));
      },
      "error[ticket-file] out is a symbolic link\n  Name another folder with --out.\n",
    ],
    [
      "a file in the place of the folder",
      "files 1 --out out/sub",
      () => desk.write("out", "mine"),
      "error[file-write] out/sub cannot be created: a file is in the place of a folder\n  Name a folder that this user may write with --out.\n",
    ],
  ])("are not saved over %s", async (_, command, prepare, talk) => {
    await open("Lookups fail");
    await attach("a.txt");
    await attach("b.txt");
    prepare();
    const own = () => Object.entries(desk.files()).filter(([file]) => !file.startsWith(".zonewright/"));
    const before = own();
    expect(await operate(command)).toEqual({ code: expect.toBeOneOf([1, 3]), out: "", talk });
    expect(own()).toEqual(before);
  });

  test.each(["../b.txt", "/tmp/b.txt", "a\\b.txt", "..", ".", "", "b.exe", "\u001bb.txt"])(
    "with the stored name %j are not saved",
    async (name) => {
      await open("Lookups fail");
      await attach("a.txt");
      await attach("b.txt");
      await store.write((db) => db.updateTable("files").set({ name }).where("name", "=", "b.txt").execute());
      const shown = name.replace("\u001b", "\\x1b");
      expect(await operate("files 1 --out out")).toEqual(
        failed(3, `error[ticket-file] "${shown}" is not the name of a file\n`),
      );
      expect(lstatSync(join(desk.folder, "out"), { throwIfNoEntry: false })).toBeUndefined();
    },
  );
});

test("the advice after a refusal can be followed", async () => {
  await operate("open shop Move --text Soon.");
  await operate("close 1");
  const { talk } = await operate("reply 1 --text More.");
  const advised = /`zonewright (.+)`/.exec(talk)?.[1] ?? "";
  expect(await desk.run(advised.replace("<summary>", "Again").replace("<text>", "More."))).toEqual(
    done('ticket 2 opened for account "shop"\n'),
  );
  expect((await operate("open shop Move --text x --domain example.com")).talk).toContain("Leave out --domain,");
  expect((await operate("open shop Move --text x")).code).toBe(0);
});

describe("refuses", () => {
  const either = "give the text with either --text or --file; --file - reads standard input.";
  const unknown = failed(
    3,
    lines`
      error[ticket-unknown] ticket 2 does not exist
        Run ${"`"}zonewright server operator ticket list --all${"`"} to list the tickets.
    `,
  );
  test.each<[string, object]>([
    ["show 2", unknown],
    ["reply 2 --text x", unknown],
    ["close 2", unknown],
    ["files 2", unknown],
    ["show one", usage("name the ticket by its id, a number; `zonewright server operator ticket list` shows it.")],
    ["reply 1", usage(either)],
    ["reply 1 --text x --file y", usage(either)],
    [
      "reply 1 --file missing.txt",
      failed(3, "error[file-read] missing.txt cannot be read: it does not exist\n  Check the path.\n"),
    ],
    [
      "reply 1 --file .zonewright",
      failed(
        3,
        "error[file-read] .zonewright cannot be read: it is a folder\n  Name a regular file, or put one in its place.\n",
      ),
    ],
    ["reply 1 --file latin1.txt", failed(3, "error[file-read] latin1.txt is not UTF-8\n  Save the file as UTF-8.\n")],
    ["reply 1 --file -", usage("the text must have 1 to 65535 characters.")],
    [`reply 1 --text ${"x".repeat(65536)}`, usage("the text must have 1 to 65535 characters.")],
    ["reply 1 --text a\ud800b", usage("the text contains a character that cannot be stored.")],
    ["reply 1 --text a\0b", usage("the text contains a character that cannot be stored.")],
    [`open shop Move --text ${"x".repeat(65001)}`, usage("the text must have 1 to 65000 characters.")],
    [`open shop ${"x".repeat(65)} --text x`, usage("the summary must have 1 to 64 characters.")],
    [
      "open nobody Move --text x",
      failed(
        3,
        lines`
          error[account-unknown] the account "nobody" does not exist
            Run ${"`"}zonewright server operator account list${"`"} to list the accounts.
        `,
      ),
    ],
    [
      "open shop Move --text x --domain example.com",
      failed(
        3,
        lines`
          error[ticket-domain] the account "shop" has no domain "example.com"
            Leave out --domain, or name a domain of this account.
        `,
      ),
    ],
    [
      "open shop Move --text x --node web-1",
      failed(
        3,
        lines`
          error[ticket-node] the account "shop" has no node "web-1"
            Run ${"`"}zonewright server operator node list${"`"} to list the nodes.
        `,
      ),
    ],
    [
      "open shop Move --text x --volume 7",
      failed(
        3,
        lines`
          error[ticket-volume] the account "shop" has no volume "7"
            Leave out --volume, or name a volume of this account by its label or id.
        `,
      ),
    ],
    [
      "open shop Move --text x --node web-1 --volume data",
      usage("a ticket is about one object: give only one of --domain, --node and --volume."),
    ],
  ])("%s", async (command, expected) => {
    writeFileSync(join(desk.folder, "latin1.txt"), Buffer.from("Gr\xfc\xdfe", "latin1"));
    await open("Lookups fail");
    const before = await ticket();
    expect(await operate(command)).toEqual(expected);
    expect(await ticket()).toEqual(before);
  });
});
