import { expect, test } from "vitest";
import { ProblemError, problem } from "../../src/diagnostics/problem.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import type { JournalLine } from "../../src/executor/journal/journal-line.ts";
import { checkSchedules, once, type Write } from "../../src/executor/journal/once.ts";
import { type WriteResult, ZoneLog } from "../../src/executor/journal/zone-log.ts";
import type { WriteFailure } from "../../src/targets/target.ts";
import { domainName } from "../names.ts";

/** Replies to what is sent and looked for, one after the other; the last one stays. */
type Script = Record<"send" | "look", readonly string[]>;

class Failed extends Error {}

/** The actions of `once` for a write: each line is a request, a check, a wait or a line of the journal. */
async function outcomeOf(script: Script, how: Partial<Write>): Promise<string> {
  const lines: string[] = [];
  const journal = { note: async (entry: JournalLine) => void lines.push(entryText(entry)), failure: undefined };
  const clock = { now: () => 0, sleep: async (ms: number) => void lines.push(`${ms}`) };
  const counts = { send: 0, look: 0 };
  const answer = (what: "send" | "look"): WriteResult | undefined => {
    const reply = script[what][Math.min(counts[what]++, script[what].length - 1)] ?? "";
    lines.push(`${what}: ${reply}`);
    if (reply === "changed") throw new ProblemError(problem("live-changed", "changed"));
    if (/^(?:lost|invalid|gone|refused|unavailable)$/.test(reply)) throw new Failed(reply);
    return reply === "nothing" ? undefined : { id: asId(Number(reply)) };
  };
  const failureOf = (error: unknown) => (error instanceof Failed ? (error.message as WriteFailure) : "refused");
  const log = new ZoneLog(domainName("example.com."), 1, { journal, clock, emit: () => {} });
  const write: Write = {
    where: { zone: domainName("example.com."), step: 1, write: 0 },
    schedule: checkSchedules.create,
    send: async () => answer("send") ?? {},
    look: async () => answer("look"),
    ...how,
  };
  const end = await once({ target: { writes: { failureOf } }, clock, log }, write).then(
    ({ id, isOurs }) => `${id}${isOurs ? "" : ", not ours"}`,
    (error: Error) => `error: ${error.message}`,
  );
  return [...lines, end].join(" | ");
}

/** A line of a journal, as words. */
function entryText(entry: JournalLine): string {
  const already = "already" in entry ? " already" : "";
  const known = entry.kind === "resolved" ? (entry.done ? " done" : " not done") : "";
  return `(${entry.kind}${already}${known}${"id" in entry ? ` ${entry.id}` : ""})`;
}

const repeatable = { schedule: checkSchedules.repeatable, isRepeatable: true, isLookedAtFirst: true };
const twice = { schedule: [[0, 5], [0]] };
const takesGone = async (failure: WriteFailure) => (failure === "gone" ? { id: asId(9) } : undefined);
const takesInvalid = async (failure: WriteFailure) => (failure === "invalid" ? { id: asId(9) } : undefined);

test.each<[string, Script, Partial<Write>, string]>([
  ["succeeds at once", { send: ["7"], look: [] }, {}, "(sent) | send: 7 | (acked 7) | 7"],
  ["refused", { send: ["refused"], look: [] }, {}, "(sent) | send: refused | (refused) | error: refused"],
  [
    "lost, and found",
    { send: ["lost"], look: ["7"] },
    {},
    "(sent) | send: lost | (ambiguous) | look: 7 | (resolved done 7) | 7",
  ],
  [
    "lost, and found late",
    { send: ["lost"], look: ["nothing", "7"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: nothing | 5 | look: 7 | (resolved done 7) | 7",
  ],
  [
    "lost, and not found: sent again",
    { send: ["lost", "8"], look: ["nothing"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: nothing | 5 | look: nothing | (resolved not done) | (sent) | send: 8 | (acked 8) | 8",
  ],
  [
    "lost, and a lookup fails: the next one counts",
    { send: ["lost"], look: ["refused", "7"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: refused | 5 | look: 7 | (resolved done 7) | 7",
  ],
  [
    "lost, and the last lookup fails: open",
    { send: ["lost"], look: ["refused"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: refused | 5 | look: refused | error: refused",
  ],
  [
    "lost, and the service is under maintenance: no further lookup",
    { send: ["lost"], look: ["unavailable"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: unavailable | error: unavailable",
  ],
  [
    "lost, and another client wrote there: no further lookup",
    { send: ["lost"], look: ["changed"] },
    twice,
    "(sent) | send: lost | (ambiguous) | look: changed | error: changed",
  ],
  [
    "lost each time: open",
    { send: ["lost"], look: ["nothing"] },
    { schedule: [[0], [0]] },
    "(sent) | send: lost | (ambiguous) | look: nothing | (resolved not done) | (sent) | send: lost | (ambiguous) | look: nothing | error: lost",
  ],
  [
    "refused because another client did it",
    { send: ["invalid"], look: [] },
    { readRefusal: takesInvalid },
    "(sent) | send: invalid | (acked already) | 9, not ours",
  ],
  [
    "lost, then refused because it had taken effect",
    { send: ["lost", "gone"], look: ["nothing"] },
    { schedule: [[0], [0]], readRefusal: takesGone },
    "(sent) | send: lost | (ambiguous) | look: nothing | (resolved not done) | (sent) | send: gone | (acked 9) | 9",
  ],
  ["repeatable, and already done", { send: [], look: ["7"] }, repeatable, "look: 7 | (acked already) | 7, not ours"],
  [
    "repeatable, lost, and not found: sent again at once",
    { send: ["lost", "7"], look: ["nothing"] },
    repeatable,
    "look: nothing | (sent) | send: lost | (ambiguous) | look: nothing | (resolved not done) | (sent) | send: 7 | (acked 7) | 7",
  ],
  [
    "repeatable, lost again: a wait before each lookup",
    { send: ["lost", "lost", "7"], look: ["nothing"] },
    repeatable,
    "look: nothing | (sent) | send: lost | (ambiguous) | look: nothing | (resolved not done) | (sent) | send: lost | (ambiguous) | 750 | look: nothing | (resolved not done) | (sent) | send: 7 | (acked 7) | 7",
  ],
])("%s", async (_, script, how, expected) => {
  expect(await outcomeOf(script, how)).toBe(expected);
});

test.each([
  ["create", 60_000, 2],
  ["uniqueCreate", 0, 2],
  ["urgentCreate", 8_000, 1],
  ["repeatable", 59_750, 8],
  ["createZone", 3_000, 3],
  ["deleteZone", 121_000, 3],
] as const)("%s: gives up after %i ms of waits and %i writes", async (kind, ms, writes) => {
  const isRepeatable = kind === "repeatable";
  const how = { schedule: checkSchedules[kind], isRepeatable };
  const text = await outcomeOf({ send: ["lost"], look: ["nothing"] }, how);
  const waited = [...text.matchAll(/(?<=\| )\d+(?= \|)/g)].reduce((sum, [pause]) => sum + Number(pause), 0);
  expect([waited, text.match(/send: lost/g)?.length]).toEqual([ms, writes]);
});
