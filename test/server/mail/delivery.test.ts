// @suite postgres

import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deliverMail } from "../../../src/server/areas/mail/delivery.ts";
import { type Maildir, openMaildir } from "../../../src/server/areas/mail/maildir.ts";
import { queueMail } from "../../../src/server/areas/mail/outbox.ts";
import { closeAnyTicket } from "../../../src/server/areas/support/handlers/tickets-operator.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { isMissing } from "../../judges.ts";
import { beginMonitor } from "../managed/probes.ts";
import { emptyPlace } from "../stores.ts";
import { judgeMails } from "./judge.ts";

const shop = "https://shop.example.com/";
const sender = "dns@example.com";
const refusal = "it refuses the connection";

/** A server with a monitor, and a folder that its mail is delivered to. */
async function begin(options: Parameters<typeof beginMonitor>[0] = {}) {
  const api = await beginMonitor(options);
  const folder = join(mkdtempSync(join(tmpdir(), "zonewright-")), "mail");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
  const maildir = openMaildir(folder);
  const clock = () => api.clock.now;
  const deliver = (to: Maildir = maildir, store = api.store) => deliverMail({ store, clock, maildir: to, sender });
  const listFiles = (name = "new") => readdirSync(join(folder, name)).sort();
  /** Takes the messages, as a mail server does. */
  const take = (): string[] =>
    listFiles().map((name) => {
      const message = readFileSync(join(folder, "new", name), "latin1");
      rmSync(join(folder, "new", name));
      return message;
    });
  const addContact = (fields: object) =>
    api.call("POST", "/managed/contacts", { name: "Ada", email: "ada@example.com", group: "ops", ...fields });
  const queue = (subject: string, about?: string) =>
    api.store.write((db) => {
      const message = { name: "Ada", email: "ada@example.com", subject, text: "It is down." };
      return queueMail(db, { id: 1 }, { ...message, ...(about && { about }) }, api.clock.now);
    });
  return { ...api, folder, maildir, deliver, listFiles, take, addContact, queue };
}

const subjectOf = (message: string) => /^Subject: (.*)\r$/m.exec(message)?.[1];
const idOf = (message: string) => /^Message-ID: (.*)\r$/m.exec(message)?.[1];

test.skipIf(isMissing("python3"))(
  "the contacts of a service's group are told of its problem and of the end",
  async () => {
    const { add, addContact, call, down, lookAfter, deliver, take } = await begin();
    await addContact({ name: "Ada Lovelace" });
    await addContact({ name: "Ben", email: "ben+ops@example.com" });
    await addContact({ name: "Cid", email: "cid@example.com", group: "dev" });
    await addContact({ name: "Dan", email: "dan@example.com", group: null });
    await add({ address: shop, consultation_group: "ops" });
    await add({ address: `${shop}api`, label: "Shop API", consultation_group: "dev" });
    for (const path of ["", "api"]) down.set(shop + path, refusal);
    await lookAfter(0);
    await deliver();
    expect(take()).toEqual([]);
    await lookAfter(10);
    await deliver();
    const reason = (group: string) =>
      `You receive this message as a contact of the group "${group}". Replies to it are not read.`;
    const web = 'The service "Web shop" (id 1) at https://shop.example.com/ is down.';
    const shopApi = 'The service "Shop API" (id 2) at https://shop.example.com/api is down.';
    const message = (to: [string, string], subject: string, paragraphs: string[], time = "12:00:10") => ({
      to: [to],
      subject: `[ticket 1] ${subject}`,
      date: `2026-03-04T${time}+00:00`,
      text: `${paragraphs.join("\r\n\r\n")}\r\n`,
    });
    const read = () =>
      judgeMails(take())
        .map(({ to, subject, date, text, defects, from }) => {
          expect({ defects, from }).toEqual({ defects: [], from: [["zonewright", sender]] });
          return { to, subject, date, text };
        })
        .sort((a, b) => (String(a.to) < String(b.to) ? -1 : 1));
    const time = "2026-03-04T12:00:10 UTC: it refuses the connection.";
    expect(read()).toEqual([
      message(["Ada Lovelace", "ada@example.com"], "Web shop is down", [web, time, reason("ops")]),
      message(["Ben", "ben+ops@example.com"], "Web shop is down", [web, time, reason("ops")]),
      message(["Cid", "cid@example.com"], "Shop API is down", [shopApi, time, reason("dev")]),
    ]);
    await lookAfter(60);
    await deliver();
    expect(take()).toEqual([]);
    down.clear();
    await call("PUT", "/managed/contacts/2", { group: null });
    await lookAfter(60);
    await deliver();
    const ended = "All services of shop.example.com in this issue are up again, disabled or deleted.";
    const end = (to: [string, string], group: string) =>
      message(to, "shop.example.com: issue ended", [ended, reason(group)], "12:02:10");
    expect(read()).toEqual([end(["Ada Lovelace", "ada@example.com"], "ops"), end(["Cid", "cid@example.com"], "dev")]);
  },
);

test("one message to a contact of several services of an issue, and none about a ticket that the operator closed", async () => {
  const { add, addContact, down, lookAfter, store, clock, deliver, take } = await begin();
  await addContact({});
  for (const path of ["", "api"]) await add({ address: shop + path, consultation_group: "ops" });
  for (const path of ["", "api"]) down.set(shop + path, refusal);
  await lookAfter(0);
  await lookAfter(10);
  await deliver();
  expect(take().map(subjectOf)).toEqual(["[ticket 1] Web shop is down", "[ticket 1] Web shop is down"]);
  down.clear();
  await lookAfter(60);
  await deliver();
  expect(take().map(subjectOf)).toEqual(["[ticket 1] shop.example.com: issue ended"]);
  down.set(shop, refusal);
  await lookAfter(60);
  await lookAfter(10);
  await closeAnyTicket(store, 1, clock.now);
  await deliver();
  take();
  down.clear();
  await lookAfter(60);
  await deliver();
  expect(take()).toEqual([]);
});

test("a message is a file of a Maildir that only its owner can read", async () => {
  const { folder, queue, deliver, listFiles } = await begin();
  await queue("one");
  await deliver();
  const [name = ""] = listFiles();
  expect(name).toMatch(/^1772625600\.[0-9a-f]{32}\.zonewright$/);
  const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
  expect(["", "tmp", "new", "cur", join("new", name)].map(mode)).toEqual(["700", "700", "700", "700", "600"]);
  expect([listFiles("tmp"), listFiles("cur")]).toEqual([[], []]);
});

test("two servers on one database write each message once", async () => {
  const place = await emptyPlace();
  const [store, second] = [await openStore(place), await openStore(place)];
  try {
    const { queue, deliver, listFiles, maildir } = await begin({ store });
    for (let number = 0; number < 150; number++) await queue(`message ${number}`);
    const written: string[] = [];
    const counting: Maildir = {
      add: async (name, message) => {
        written.push(name);
        await maildir.add(name, message);
      },
    };
    await Promise.all([deliver(counting), deliver(counting, second)]);
    await Promise.all([deliver(counting), deliver(counting, second)]);
    expect(written).toHaveLength(150);
    expect(written.sort()).toEqual(listFiles());
  } finally {
    await Promise.all([store.close(), second.close()]);
  }
});

test("a server that ends between the file and its note: the same message again, a minute later", async () => {
  const { queue, pass, deliver, maildir, listFiles, take } = await begin();
  await queue("one");
  const ending: Maildir = {
    add: async (name, message) => {
      await maildir.add(name, message);
      throw new Error("the process ends");
    },
  };
  await expect(deliver(ending)).rejects.toThrow("the process ends");
  const first = listFiles();
  pass(59);
  await deliver();
  const messages = take();
  pass(1);
  await deliver();
  expect(listFiles()).toEqual(first); // in place of the first, if it had not been taken
  expect(take()).toEqual(messages);
  pass(3600);
  await deliver();
  expect(take()).toEqual([]);
  expect(messages.map(idOf)).toEqual([expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/)]);
});

test("a folder that cannot be written: an error, and the messages once it can, but for a day only", async () => {
  const { folder, queue, pass, deliver, listFiles, take } = await begin();
  await queue("old");
  pass(86_000);
  await queue("one");
  await queue("two");
  renameSync(join(folder, "new"), join(folder, "gone"));
  await expect(deliver()).rejects.toThrow(`cannot write mail to ${folder}: it does not exist`);
  expect(listFiles("tmp")).toEqual([]);
  await deliver(); // nothing is due before the lease ends
  renameSync(join(folder, "gone"), join(folder, "new"));
  pass(600);
  await deliver();
  expect(take().map(subjectOf).sort()).toEqual(["one", "two"]);
});

test.each<[place: string, path: (folder: string) => string]>([
  ["a file", (folder) => join(folder, "file")],
  ["below a file", (folder) => join(folder, "file", "mail")],
  ["below /proc", () => "/proc/none/mail"],
])("a folder that is %s is refused at the start", (_, path) => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), "");
  expect(() => openMaildir(path(folder))).toThrow(/^cannot write mail to /);
});

test("a clock that jumps neither loses a message nor writes it twice", async () => {
  const { queue, pass, deliver, take } = await begin();
  pass(365 * 86_400);
  await queue("one");
  pass(-365 * 86_400);
  await deliver();
  expect(take().map(subjectOf)).toEqual(["one"]);
  pass(365 * 86_400);
  await deliver();
  expect(take()).toEqual([]);
});

test("a message about the same cause is sent once", async () => {
  const { queue, deliver, take } = await begin();
  for (const about of ["a", "b", "a"]) await queue(about, about);
  await deliver();
  expect(take().map(subjectOf).sort()).toEqual(["a", "b"]);
});

test("an account sends 200 messages an hour, of which the last says so", async () => {
  const { queue, pass, deliver, take, store, mint, clock } = await begin();
  await mint({ username: "stranger" });
  for (let number = 1; number <= 201; number++) await queue(`message ${number}`);
  const message = { name: "Eve", email: "eve@example.com", subject: "other account", text: "Up." };
  await store.write((db) => queueMail(db, { id: 2 }, message, clock.now));
  await deliver();
  const sent = take();
  expect(sent).toHaveLength(201);
  expect(sent.filter((text) => text.includes("further ones are dropped")).map(subjectOf)).toEqual(["message 200"]);
  expect(sent.map(subjectOf)).toContain("other account");
  pass(3601);
  await queue("an hour later");
  await deliver();
  expect(take().map(subjectOf)).toEqual(["an hour later"]);
});
