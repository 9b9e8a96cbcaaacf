import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import type { NameKey } from "../../src/dns/name/name.ts";
import { asId } from "../../src/dns/zone/desired-live.ts";
import { checkRolledBack } from "../../src/planner/approval/rolled-back.ts";
import type { Effect } from "../../src/planner/changes/effects.ts";
import { effectOf } from "../../src/planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../src/planner/plan-file/plan-schema.ts";
import { liveOf } from "./world.ts";

const zone = "example.com." as NameKey;
const name = "lb.example.com." as NameKey;

/** Changes of `lb A` from `+11` (create), `-1` (delete), `1>11` (change); the last octets of the addresses. */
function changesOf(text: string): PlanFile["changes"] {
  const value = (octet: string | undefined, ttl = 300) => ({ ttl_sec: ttl, rdata: `192.0.2.${octet}` });
  const read = (word: string) => {
    const of = { zone, name, type: "A" };
    const [old = "", now = ""] = word.split(">");
    if (word.startsWith("+")) return { ...of, kind: "create", before: null, after: value(word.slice(1)) };
    if (word.startsWith("-")) return { ...of, kind: "delete", before: value(word.slice(1)), after: null };
    if (now.startsWith("ttl")) return { ...of, kind: "change", before: value(old), after: value(old, 60) };
    return { ...of, kind: "change", before: value(old), after: value(now) };
  };
  return text.split(" ").map(read) as unknown as PlanFile["changes"];
}

const events = (text: string) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((kind, id) => ({
      id: asId(id),
      zone,
      action: `dns_record_${kind}`,
      username: "admin",
      created: "2026-03-04T12:00:00",
      records: [{ owner: name, type: "A" }],
    }));

test.each<[string, string, string, string, string, "refused" | "passes"]>([
  ["nothing was written", "+11 +12", "+11 +12", "1", "", "passes"],
  ["a run ended early", "+11 +12 +13", "+13", "1 11 12", "create create", "passes"],
  ["a run swapped by delete and create", "-1 +11 -2 +12", "-2 +12", "2 11", "delete create", "passes"],
  ["a run swapped by one update", "-1 +11 -2 +12", "-2 +12", "2 11", "update", "passes"],
  ["a run changed in place", "1>11 2>12", "2>12", "11 2", "update", "passes"],
  ["made and reverted", "+11", "+11", "1", "create delete", "refused"],
  ["made and reverted, others no longer wanted", "+11 +12 +13 +14", "+11", "1", "create delete", "refused"],
  ["changed and changed back, others no longer wanted", "1>11 2>12 3>13", "1>11", "1 2 3", "update update", "refused"],
  ["deleted and restored, others no longer wanted", "-1 -2 -3", "-1", "1 2 3", "delete create", "refused"],
  [
    "made and reverted beside what is in place",
    "+11 +12 +13",
    "+11",
    "1 12 13",
    "create create create delete",
    "refused",
  ],
  [
    "made and reverted beside swaps by one update each",
    "-1 +11 -2 +12 +13",
    "+13",
    "11 12",
    "update update create delete",
    "refused",
  ],
  ["only TTLs, which look in place", "1>ttl 2>ttl +11", "+11", "1 2", "create delete", "refused"],
  ["another action", "+11 +12", "+12", "1 11", "import", "refused"],
])("%s", (_, planned, left, live, log, expected) => {
  const changes = changesOf(planned);
  const file = { changes, observed: { zones: [] } } as unknown as PlanFile;
  const records = live.split(" ").map((octet) => `lb 300 A 192.0.2.${octet}`);
  const stored = new Map([[zone, liveOf(records.join("\n"))]]);
  const effects: Effect[] = changesOf(left).map(effectOf);
  const check = () =>
    checkRolledBack(file, effects, stored, { events: events(log), textOf: ({ action }) => action, mine: new Set() });
  if (expected === "refused") expect(check).toThrow(ProblemError);
  else check();
});
