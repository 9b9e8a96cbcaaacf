import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { executePlan } from "../../src/executor/apply.ts";
import { FileJournal } from "../../src/executor/journal/journal.ts";
import { readJournal } from "../../src/executor/journal/journal-line.ts";
import { beginRun, type JournalDisk, newestRuns, runId, writesOfRun } from "../../src/executor/journal/runs.ts";
import { resolveLostWrites } from "../../src/executor/resume.ts";
import { FakeApi } from "./fake-api.ts";
import { applied, planned } from "./run.ts";

const text = "a A 192.0.2.1\nb A 192.0.2.9\nshop A 192.0.2.1";
const noon = new Date("2026-03-04T12:00:00Z");

function account(): FakeApi {
  const api = new FakeApi();
  api.add("example.com", ["A b 192.0.2.1", "A old 192.0.2.1", "CNAME shop other.example.net"], { ttl_sec: 3600 });
  return api;
}

/** Applies with a disk that accepts a number of writes, and returns its content. */
async function withRoom(api: FakeApi, room: number) {
  const disk = { text: "", sent: [] as string[], writes: 0 };
  const append = async (more: string) => {
    if (disk.writes++ >= room) {
      disk.text += more.slice(0, 7);
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    }
    disk.text += more;
  };
  const journal = new FileJournal({ append, close: async () => {} }, "journal.jsonl");
  const plan = await planned(api, { "example.com": text });
  api.trouble = (line) => {
    if (!line.startsWith("GET")) disk.sent.push(disk.text);
    return undefined;
  };
  const errors: unknown[] = [];
  for await (const event of executePlan(plan, api.target, { journal, clock: api.clock, atOnce: 1 }))
    if (event.kind === "zone-failed") errors.push(event.error);
  api.trouble = () => undefined;
  return { ...disk, errors };
}

test("the journal lists the run's writes", async () => {
  const { text, errors } = await withRoom(account(), 1000);
  expect(errors).toEqual([]);
  const entries = readJournal(text);
  const said = entries.map((entry) => [entry.kind, "step" in entry ? entry.step : "", "id" in entry ? entry.id : ""]);
  expect(said.map((words) => words.filter((word) => word !== "").join(" "))).toEqual(await journalOf());
  expect(writesOfRun(entries).map(({ state }) => state)).toEqual(new Array(5).fill("done"));
});

async function journalOf(): Promise<string[]> {
  const api = account();
  const { zones } = await planned(api, { "example.com": text });
  let next = 5;
  const steps = (zones[0]?.steps ?? []).flatMap(({ id, writes }) => [
    `intent ${id}`,
    ...writes.flatMap((change) => [
      `sent ${id}`,
      `acked ${id} ${change.kind === "create" ? next++ : change.before.id}`,
    ]),
  ]);
  return [...steps, "zone"];
}

test("of the runs of a project, only those that are asked for are read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const plan = await planned(account(), { "example.com": text });
  for (const id of ["1", "2", "3"]) await (await beginRun(folder, plan, { id, now: () => noon })).end("done");
  const runs = newestRuns(folder);
  const read: string[] = [];
  for (const { id, zones, summary } of runs) {
    read.push(`${id} ${zones} ${summary()?.state}`);
    rmSync(join(folder, "runs", "2"), { recursive: true, force: true });
  }
  expect(read).toEqual(["3 example.com. done", "1 example.com. done"]);
});

test("contains no secret", async () => {
  const { text } = await withRoom(account(), 1000);
  expect(text).not.toMatch(/authorization|bearer|token/i);
});

test("reads records of version 0.1 with the API's field names under the RFCs' names", () => {
  const intent = (record: object) =>
    JSON.stringify({ kind: "intent", zone: "example.com.", step: 1, records: [{ after: record }] });
  const owner = "www.example.com.";
  const old = [
    intent({ owner, type: "MX", data: { priority: 10, target: "mail.example.com." } }),
    intent({ owner, type: "TXT", data: { target: ["text"] } }),
  ];
  const now = [
    intent({ owner, type: "MX", data: { preference: 10, exchange: "mail.example.com." } }),
    intent({ owner, type: "TXT", data: { strings: ["text"] } }),
  ];
  expect(JSON.stringify(readJournal(now.join("\n"))[0])).toBe(now[0]);
  expect(readJournal(old.join("\n"))).toEqual(readJournal(now.join("\n")));
});

test("reads the complete part of a journal truncated at any byte, and the next run starts", async () => {
  const api = account();
  const { text: whole } = await withRoom(api, 1000);
  const all = readJournal(whole);
  for (let end = 0; end <= whole.length; end++) {
    const cut = whole.slice(0, end);
    const entries = readJournal(cut);
    // The last line may be whole but for its end.
    const lines = cut.split("\n").length - 1 + (whole[end] === "\n" ? 1 : 0);
    expect(entries).toEqual(all.slice(0, lines));
  }
  for (let end = 0; end <= whole.length; end += 97)
    await resolveLostWrites([readJournal(whole.slice(0, end))], api.target.read, api.clock, { onWait: () => {} });
  expect((await planned(api, { "example.com": text })).zones).toEqual([]);
});

test("full disk at any journal write: sends nothing unrecorded, finishes a swap, loses nothing", async () => {
  let room = 0;
  for (; ; room++) {
    const api = account();
    const { sent, errors } = await withRoom(api, room);
    if (errors.length === 0) break;
    expect(errors).toEqual([expect.any(ProblemError)]);
    expect((errors[0] as ProblemError).problems).toEqual([
      {
        id: "journal-write",
        kind: "failed",
        severity: "error",
        summary: "journal.jsonl cannot be written: the disk is full",
        fix: "Writes that the journal cannot record are not sent. Make room there, then run the same command again.",
      },
    ]);
    for (const [index, disk] of sent.entries()) {
      const kinds = readJournal(disk).map(({ kind }) => kind);
      // The later write of a swap may go out when the disk fills up in between: its intent is there.
      const intended = readJournal(disk).map((entry) => (entry.kind === "intent" ? (entry.records?.length ?? 1) : 0));
      expect(kinds).toContain("sent");
      expect(intended.reduce((sum, writes) => sum + writes, 0)).toBeGreaterThan(index);
    }
    const shop = api.show(1).filter((line) => line.includes(" shop "));
    expect(shop.length).toBe(1);
    await applied(api, await planned(api, { "example.com": text }));
    expect(api.show(1).sort()).toEqual(["A a 192.0.2.1", "A b 192.0.2.9", "A shop 192.0.2.1"]);
  }
  expect(room).toBeGreaterThan(5);
});

test.each(["folder", "write", "create", "append"] as const)(
  "does not start a run when the disk fails at %s",
  async (where) => {
    const fail = async () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    const disk: JournalDisk = {
      folder: async () => {},
      write: async () => {},
      create: async () => ({ append: where === "append" ? fail : async () => {}, close: async () => {} }),
      ...(where !== "append" && { [where]: fail }),
    };
    const plan = await planned(account(), { "example.com": text });
    const begun = beginRun("/p/.zonewright", plan, { id: runId(noon, "1a2b3c"), now: () => noon, disk });
    await expect(begun).rejects.toMatchObject({
      message: "/p/.zonewright/runs/20260304T120000.000Z-1a2b3c/journal.jsonl cannot be written: the disk is full",
    });
  },
);
