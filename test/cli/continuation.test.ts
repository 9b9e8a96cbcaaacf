// @suite long

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const before = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@": { A: 192.0.2.10, MX: 10 mx.example.net. }
    mail: { A: 192.0.2.25 }
    a: { A: 192.0.2.1 }
    b: { A: 192.0.2.1 }
    c: { A: 192.0.2.1 }
    d: { CNAME: www }
    www: { A: 192.0.2.10 }
`;
/** Loses its MX (G05) and more records than a zone may (G01). */
const after = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 2h
  records:
    "@": { A: 192.0.2.11 }
    d: { A: 192.0.2.1 }
    www: { A: [192.0.2.12, 192.0.2.13] }
`;
/** Blocked as a new zone: its wildcard (G09). Blocked as an existing one: its delegation (G04) too. */
const fresh = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    "@": { A: 192.0.2.10, MX: 10 mail, TXT: v=spf1 mx -all }
    "*": { A: 192.0.2.10 }
    mail: { A: 192.0.2.25 }
    sub: { NS: ns.example.net. }
`;
const files = { "zones/example.com.yaml": before, "zonewright.yaml": "rules: { target-elsewhere: off }\n" };
const changed = { "zones/example.com.yaml": after, "zones/new.example.yaml": fresh };

interface Cut extends ApiDesk {
  /** Runs a command that is killed after `writes` writes that take effect, and others that do not. */
  kill(command: string, writes: number): Promise<void>;
}

async function changedDesk(): Promise<Cut> {
  let left = Number.POSITIVE_INFINITY;
  const between =
    (server: Server): Server =>
    async (request, connection) =>
      request.method !== "GET" && --left < 0
        ? new Response(JSON.stringify({ errors: [{ reason: "No" }] }), { status: 400 })
        : server(request, connection);
  const desk = await apiDesk(files, between);
  expect((await desk.run("apply --yes")).code).toBe(0);
  for (const [file, text] of Object.entries(changed)) desk.write(file, text);
  desk.waited += 1_000;
  const kill = async (command: string, writes: number) => {
    left = writes;
    await desk.run(command);
    left = Number.POSITIVE_INFINITY;
    desk.waited += 1_000;
    // Lines that a killed program does not write: the outcomes of its last writes, and its end.
    edit(desk, (text) => text.slice(0, text.indexOf('{"kind":"refused"')));
  };
  return Object.assign(desk, { kill });
}

function pathOf(desk: ApiDesk): string {
  return `.zonewright/runs/${readdirSync(`${desk.folder}/.zonewright/runs`).sort().at(-1)}/journal.jsonl`;
}

function journal(desk: ApiDesk): string {
  return desk.read(pathOf(desk));
}

function edit(desk: ApiDesk, change: (text: string) => string): void {
  desk.write(pathOf(desk), change(journal(desk)));
}

const approval = "--allow G01,G05,G09";
const inSync = "in sync: 2 zones, nothing to do\n";

test.each([1, 4, 9, 15])("killed after %d writes, apply --resume needs no approval again", async (writes) => {
  const desk = await changedDesk();
  expect((await desk.run("apply --yes")).code).toBe(3);
  await desk.kill(`apply --yes ${approval}`, writes);
  await desk.kill("apply --resume --yes", 2); // and once more
  expect((await desk.run("apply --resume --yes")).code).toBe(0);
  expect((await desk.run("plan --detailed-exitcode")).out).toBe(inSync);
});

test("a plan file that was interrupted continues with the approvals of its run", async () => {
  const desk = await changedDesk();
  await desk.run("plan --out plan.json");
  await desk.kill(`apply plan.json --yes ${approval}`, 6);
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect((await desk.run("plan --detailed-exitcode")).out).toBe(inSync);
});

test("an undo that was interrupted continues with its approvals", async () => {
  const desk = await changedDesk();
  await desk.run(`apply --yes ${approval}`);
  desk.waited += 1_000;
  const [, run] = readdirSync(`${desk.folder}/.zonewright/runs`).sort();
  expect((await desk.run(`undo ${run} --yes`)).code).toBe(3);
  await desk.kill(`undo ${run} --yes --allow G01,G03,G04,G05,G06,G09,G11,G13,G16,G17`, 5);
  expect((await desk.run("undo last --yes")).code).toBe(0);
  const { data } = await desk.call("GET", "/domains/1/records");
  expect(data).toHaveLength(8);
});

test("undo reverts writes without a reply that took effect, and no others", async () => {
  const desk = await changedDesk();
  const read = async () => {
    const { data } = await desk.call("GET", "/domains/1/records");
    const texts = data.map(({ name, type, target }: Record<string, string>) => `${name} ${type} ${target}`);
    return [(await desk.call("GET", "/domains/1")).ttl_sec, ...texts.sort()];
  };
  const stored = await read();
  await desk.kill(`apply --yes ${approval}`, 15);
  edit(desk, (text) => text.replaceAll(/^\{"kind":"acked".*\n/gm, ""));
  expect(await read()).not.toEqual(stored);
  const { code, out } = await desk.run("undo last --yes --allow G01,G03,G04,G05,G06,G09,G13,G16");
  expect([code, await read()]).toEqual([0, stored]);
  expect((await desk.call("GET", "/domains/2/records")).data).toEqual([]);
  expect(out.match(/^note .*/gm)).toEqual([
    expect.stringContaining("new.example: this run created the zone: undo deletes its records, not the zone"),
  ]);
});

test("acknowledgements in git cover an interrupted change, whichever command continues it", async () => {
  const desk = await changedDesk();
  const { out } = await desk.run("plan");
  const acks = [...out.matchAll(/- (\{ guard: .* \})/g)].map(([, ack]) => `- ${ack}\n`.replace("…", "approved"));
  expect(acks).toHaveLength(3);
  desk.write("acks.yaml", acks.join(""));
  await desk.kill("apply --yes", 8);
  expect((await desk.run("apply --yes")).code).toBe(0);
});

test("without --resume, what was allowed on the command line is blocked again, and a note names --resume", async () => {
  const desk = await changedDesk();
  await desk.kill(`apply --yes ${approval}`, 6);
  const { code, out } = await desk.run("apply --yes");
  expect([code, out.split("\n").filter((line) => /^note +run/.test(line)).length]).toEqual([3, 1]);
  expect(out).toContain("zonewright apply --resume");
  expect((await desk.run("apply --yes --resume")).code).toBe(0);
});

/** The guards that block the resumed run after a change without approval. */
test.each<[string, (desk: Cut) => unknown, string[], RegExp]>([
  ["nothing", () => {}, [], /^$/],
  [
    "a record that was deleted meanwhile",
    async (desk) => {
      const { data } = await desk.call("GET", "/domains/1/records");
      const mail = data.find(({ name, type }: { name: string; type: string }) => name === "mail" && type === "A");
      await desk.call("DELETE", `/domains/1/records/${mail.id}`);
    },
    ["G01 (many deletions)"],
    /was approved for other changes/,
  ],
  [
    "a file that was edited meanwhile",
    (desk) => desk.write("zones/example.com.yaml", after.replace("  d: { A: 192.0.2.1 }\n", "")),
    ["G01 (many deletions)"],
    /was approved for other changes/,
  ],
  [
    "a record that points to a deleted name since",
    (desk) => desk.write("zones/new.example.yaml", fresh.replace("ns.example.net.", "mail.example.com.")),
    ["G04 (delegation)", "G08 (still referenced)"],
    /^$/,
  ],
  [
    "another token",
    async (desk) => {
      desk.env.ZONEWRIGHT_TOKEN = await desk.mint({});
    },
    ["G01 (many deletions)", "G05 (mail)", "G09 (wildcard added or removed)"],
    /are not valid here/,
  ],
  [
    "a journal with an approval that was not given",
    (desk) => edit(desk, (text) => text.replace('"guard":"G01"', '"guard":"G02"')),
    ["G01 (many deletions)", "G05 (mail)", "G09 (wildcard added or removed)"],
    /are not valid here/,
  ],
  [
    "a journal without the creation of the zone",
    (desk) =>
      edit(desk, (text) => {
        const [begin] = text.split("\n");
        return `${begin}\n`;
      }),
    ["G04 (delegation)"],
    /^$/,
  ],
])("after %s, the resumed run is blocked where that was not approved", async (_, meanwhile, guards, note) => {
  const desk = await changedDesk();
  await desk.kill(`apply --yes ${approval}`, 1);
  await meanwhile(desk);
  const { code, out, talk } = await desk.run("apply --yes --resume");
  const [, blocked = ""] = /nothing is written: blocked by (.*)/.exec(talk) ?? [];
  expect([code, blocked.replaceAll(" in 1 zone", "").split(", ").filter(Boolean)]).toEqual([
    guards.length > 0 ? 3 : 0,
    guards,
  ]);
  expect(/^note +(run .*|the approvals.*)$/m.exec(out)?.[1] ?? "").toMatch(note);
});
