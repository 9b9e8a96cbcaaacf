import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { problem } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { defaultTimes } from "../../src/dns/zone/zone-settings.ts";
import { judgeBlocks } from "../../src/planner/blocks/acks.ts";
import { findGuardBlocks } from "../../src/planner/blocks/find-blocks.ts";
import { finish } from "../../src/planner/order/work.ts";
import { fitPlan, githubComment, planMarkdown } from "../../src/report/plan/markdown.ts";
import { targetPlans } from "../../src/report/plan/sections.ts";
import { targetPlansText } from "../../src/report/plan/targets-text.ts";
import type { PlanView } from "../../src/report/plan/text.ts";
import { columns } from "../../src/report/text/columns.ts";
import { shareItems } from "../../src/report/text/shared-items.ts";
import { apiKind } from "../../src/targets/api/kind.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { rfc2136Kind } from "../../src/targets/rfc2136/kind.ts";
import type { TargetKind } from "../../src/targets/target.ts";
import type { PlanReport } from "../../src/workflow/plan/plan-report.ts";
import { plan } from "../planner/plan-now.ts";
import { liveOf, origin, zoneOf } from "../planner/world.ts";
import { titled } from "../titles.ts";
import { refusal } from "./golden-plans.ts";

/** A target of a plan: its kind, its zone as it is live, and what differs from the others. */
interface Given {
  readonly kind?: "api" | "rfc2136";
  readonly live: string;
  /** The zone file, if it is another one than that of the others. */
  readonly text?: string;
  readonly file?: string;
  readonly zone?: string;
  /** The guards that are allowed, and the reasons of those that are acknowledged. */
  readonly allow?: readonly string[];
  readonly acks?: Readonly<Record<string, string>>;
  readonly notes?: PlanReport["notes"];
}

const kinds: Readonly<Record<"api" | "rfc2136", TargetKind>> = { api: apiKind, rfc2136: rfc2136Kind };
const style = { color: false, unicode: true };

/** A zone of a name server: all of its records, with their own TTLs. */
function liveOn(text: string, name: string): LiveZone {
  const { desired } = rfc2136Kind.accept(zoneOf(text, name));
  const records = desired.records.map(({ owner, type, ttl, data }, at) => ({
    id: asId(`${at}`),
    owner,
    type,
    ttl,
    data,
  }));
  return { name: desired.name, id: asId(name), defaultTimes: defaultTimes([]), settings: {}, records };
}

function reportOn(target: string, file: string, given: Given): PlanReport {
  const { kind = "api", live, text = file, zone = origin, allow = [], acks = {}, notes = [] } = given;
  const { accept, capabilities } = kinds[kind];
  const { desired, problems } = accept(zoneOf(text, zone, given.file));
  const stored = kind === "api" ? liveOf(live, "documented", zone) : liveOn(live, zone);
  const zones = new Map([[nameKey(stored.name), stored]]);
  const made = plan([desired], zones, { unmanaged: [], capabilities });
  const thresholds = readConfig("zonewright.yaml", "", apiSettings).config.guards;
  const context = { settings: capabilities.settings, elsewhere: () => [], unseen: [] };
  const { guards } = judgeBlocks(finish(findGuardBlocks(made, zones, thresholds, context)), {
    target,
    isAllowed: ({ guard }) => allow.includes(guard),
    acks: Object.entries(acks).map(([guard, reason]) => ({
      guard,
      zone: zone.slice(0, -1),
      effects: "",
      reason,
      until: "2026-12-31",
      at: { file: "acks.yaml", line: 1, column: 1, length: 1 },
    })),
    today: "2026-11-23",
    isPlanned: () => true,
    isKnown: () => true,
  });
  return {
    plan: made,
    desired: [desired],
    notes: [...problems, ...notes],
    guards,
    ackUntil: "2027-01-31",
    reads: 2,
    writes: 1,
    writeRequests: 1,
    applyReads: 3,
    limit: "unlimited",
  };
}

interface Case {
  /** The name of the files with its reports. */
  readonly name: string;
  readonly what: string;
  readonly file: string;
  readonly targets: Readonly<Record<string, Given>>;
  readonly failed?: Parameters<typeof targetPlans>[1];
  readonly view?: PlanView;
}

const lock = problem("lock", "the service refuses a write if someone else changed its records since they were read");
const cases: readonly Case[] = [
  {
    name: "alike",
    what: "targets that change alike",
    file: "www 300 A 192.0.2.2",
    targets: { public: { live: "www 300 A 192.0.2.1" }, office: { live: "www 300 A 192.0.2.1" } },
  },
  {
    name: "ttls",
    what: "a TTL that one target rounds, and NS records that it does not send",
    file: "@ NS ns1\nns1 300 A 192.0.2.53\nwww 60 A 192.0.2.1\nmail 120 A 192.0.2.25\nnew 300 A 192.0.2.3",
    targets: {
      public: { live: "ns1 300 A 192.0.2.53\nwww 3600 A 192.0.2.1\nmail 3600 A 192.0.2.25", notes: [lock] },
      office: {
        kind: "rfc2136",
        live: "@ NS ns1\nns1 300 A 192.0.2.53\nwww 3600 A 192.0.2.1\nmail 3600 A 192.0.2.25",
        notes: [lock],
      },
    },
  },
  {
    name: "gap",
    what: "a gap on one target, and a set in one write on the other",
    file: "shop 300 A 192.0.2.9",
    targets: {
      public: { live: "shop 300 CNAME shops.example.net." },
      office: { kind: "rfc2136", live: "shop 300 CNAME shops.example.net." },
    },
  },
  {
    name: "order",
    what: "records that were edited on one target, whose lines come where its own order has them",
    file: "a 300 A 192.0.2.1\nb 300 A 192.0.2.1\nc 300 A 192.0.2.1",
    targets: {
      public: { live: "a 300 A 192.0.2.9\nc 300 A 192.0.2.9\nb 300 A 192.0.2.1" },
      office: { live: "a 300 A 192.0.2.9\nb 300 A 192.0.2.8\nc 300 A 192.0.2.9\nz 300 A 192.0.2.9" },
      lab: { live: "a 300 A 192.0.2.7\nb 300 A 192.0.2.1\nc 300 A 192.0.2.1" },
    },
  },
  {
    name: "guards",
    what: "one guard on both targets, with an entry for each",
    file: "@ 300 MX 0 .\nwww 300 A 10.0.0.1",
    targets: {
      public: { live: "@ 300 MX 10 mx.example.net.\nwww 300 A 192.0.2.1" },
      office: { live: "@ 300 MX 10 mx.example.net.\nwww 300 A 192.0.2.1" },
    },
    view: { width: 80 },
  },
  {
    name: "approved",
    what: "a guard that is approved on one target and has another finding there",
    file: "www 300 A 10.0.0.1\nlab 300 A 10.0.0.2",
    targets: {
      public: { live: "www 300 A 192.0.2.1\nlab 300 A 10.0.0.2" },
      office: { live: "www 300 A 192.0.2.1", acks: { G12: "the office reaches it" } },
      lab: { live: "www 300 A 192.0.2.1" },
    },
  },
  {
    name: "views",
    what: "views: the same zone of two files",
    file: "",
    targets: {
      public: { file: "outside/example.com.zone", text: "www 300 A 192.0.2.2", live: "www 300 A 192.0.2.1" },
      office: { file: "inside/example.com.zone", text: "www 300 A 192.0.2.2", live: "www 300 A 192.0.2.1" },
    },
  },
  {
    name: "one-zone",
    what: "a zone of one target, a target in sync and one that could not be planned",
    file: "www 300 A 192.0.2.2",
    targets: {
      public: { live: "www 300 A 192.0.2.2" },
      office: { live: "www 300 A 192.0.2.1", zone: "example.net.", file: "zones/example.net.zone", notes: [lock] },
    },
    failed: [{ target: "attic", problems: refusal }],
  },
  {
    name: "summary",
    what: "one line per zone",
    file: "www 300 A 192.0.2.2\nnew 60 A 192.0.2.2",
    targets: { public: { live: "www 300 A 192.0.2.1" }, office: { kind: "rfc2136", live: "www 300 A 192.0.2.1" } },
    view: { width: 80, isSummary: true },
  },
];

function plannedOf({ file, targets, failed }: Case) {
  const plans = Object.entries(targets).map(([target, given]) => ({ target, report: reportOn(target, file, given) }));
  return targetPlans(plans, failed);
}

const folder = "../cases/reports/targets";
const formats: Readonly<Record<string, (one: Case) => string>> = {
  txt: (one) => targetPlansText(plannedOf(one), style, one.view),
  md: (one) => planMarkdown(plannedOf(one)),
};

const table = titled(
  cases
    .flatMap((one) => Object.entries(formats).map(([end, print]) => ({ one, end, print })))
    .map((row) => [row] as const),
  ([{ one, end }]) => `${end}: ${one.what}`,
);

test.each(table)("the plan of several targets as %s", async (_, { one, end, print }) => {
  await expect(print(one)).toMatchFileSnapshot(`${folder}/${one.name}.${end}`);
});

test("each file of reports is that of a case", () => {
  const files = cases.flatMap(({ name }) => Object.keys(formats).map((end) => `${name}.${end}`));
  expect(readdirSync(join(import.meta.dirname, folder)).sort()).toEqual(files.sort());
});

test.each(
  titled(
    cases.flatMap((one) => [40, 80].map((width) => [one, width] as const)),
    ([{ what }, width]) => `${width}: ${what}`,
  ),
)("no line is wider than the terminal of %s", (_, one, width) => {
  const lines = targetPlansText(plannedOf(one), style, { width }).split("\n");
  expect(lines.filter((line) => columns(line) > width && line.trim().includes(" "))).toEqual([]);
});

test("a comment with thousands of changes of several targets stays within its budget, and counts the others", () => {
  const hosts = (value: string) =>
    Array.from({ length: 1500 }, (_, at) => `host${at} 60 A ${value}.${at % 250}`).join("\n");
  const planned = plannedOf({
    name: "many",
    what: "many changes",
    file: hosts("192.0.2"),
    targets: { public: { live: hosts("198.51.100") }, office: { kind: "rfc2136", live: hosts("198.51.100") } },
  });
  const { text, isWhole } = fitPlan(planned, githubComment);
  expect([isWhole, Buffer.byteLength(text) <= 60_000]).toEqual([false, true]);
  expect(text.match(/^\d+ more changes? do(?:es)? not fit here$/gm)).toHaveLength(1);
  const shown = text.match(/`host\d+\.example\.com/g)?.length ?? 0;
  expect(Number(/^(\d+) more change/m.exec(text)?.[1])).toBe(3000 - shown);
});

const items = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 8 });

test("shared items: each target has its own, and the order is that of the first", () => {
  fc.assert(
    fc.property(items, items, items, (first, second, third) => {
      const lists = Object.entries({ first, second, third }).map(([target, items]) => ({ target, items }));
      const shared = shareItems(lists, (item) => item);
      const of = (target: string) =>
        shared.filter(({ targets }) => targets.includes(target)).map(({ items: [item] }) => item);
      expect(of("first")).toEqual(first);
      expect([of("second").sort(), of("third").sort()]).toEqual([second.toSorted(), third.toSorted()]);
      const most = (item: string) => Math.max(...lists.map(({ items }) => items.filter((one) => one === item).length));
      expect(shared).toHaveLength([..."abcde"].reduce((sum, item) => sum + most(item), 0));
    }),
  );
});

test.each<[what: string, second: string, order: string]>([
  ["after the item before it", "abxc", "abxc"],
  ["before the item after it", "xbc", "axbc"],
  ["at the end without a neighbour", "xy", "abcxy"],
  ["after one with an equal near key", "Bca", "abBc"],
])("an item that the first target does not have stands %s", (_, second, order) => {
  const lists = [
    { target: "public", items: [..."abc"] },
    { target: "office", items: [...second] },
  ];
  const shared = shareItems(
    lists,
    (item) => item,
    (item) => item.toLowerCase(),
  );
  expect(shared.map(({ items: [item] }) => item).join("")).toBe(order);
});
