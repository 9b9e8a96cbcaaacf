import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { createMemoryTarget } from "../../src/targets/memory/memory-target.ts";
import { apply } from "../../src/workflow/apply/apply.ts";
import { undo } from "../../src/workflow/apply/undo.ts";
import { type DriftRequest, findDrift } from "../../src/workflow/drift/drift.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { formats } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { newFolder, runContext } from "../targets/conformance.ts";

const name = domainName("example.com.");
const allow = guards.map(({ guard }) => guard);
const file = (...servers: string[]) => `$TTL 1h\n${servers.map((one) => `@ NS ${one}\n`).join("")}www A 192.0.2.1\n`;
const recordsOf = (text: string) =>
  formats.bind.read({ file: "example.com.zone", bytes: Buffer.from(`$TTL 1h\n${text}`), origin: name }).zone.records;

/** A project with a target whose zones are known by their apex, and its zone on the service. */
function open() {
  const office = createMemoryTarget({ apex: "ours", ids: "content", zones: "neither" });
  office.addZone(name, recordsOf("@ NS ns1.example.net.\n"));
  const root = newFolder();
  const context = runContext(root);
  mkdirSync(join(root, "zones"));
  writeFileSync(join(root, "zonewright.yaml"), "targets: { office: { kind: rfc2136, server: ns0.example.net } }\n");
  const service = { target: office, api: "dns://ns0.example.net", name: "office" };
  const project = () => openProject(context, { config: "zonewright.yaml", kinds: { office }, target: ["office"] });
  const view = () => {
    const opened = project();
    const [only] = opened.selected;
    return { ...opened, ...(only && { view: only }) };
  };
  const text = (action: Promise<{ notes: readonly { id: string }[] }>) =>
    action.then(
      ({ notes }) => notes.map(({ id }) => id).filter((id) => id !== "lock" && id !== "no-lock"),
      (error) => {
        if (!(error instanceof ProblemError)) throw error;
        return error.problems.map(({ summary, fix = "" }) => [adviceText(summary, "cli"), adviceText(fix, "cli")]);
      },
    );
  return {
    root,
    edit: (removed: string, added: string) =>
      office.edit(name, [
        ...[...recordsOf(removed)].map((remove) => ({ remove })),
        ...[...recordsOf(added)].map((add) => ({ add })),
      ]),
    write: (...servers: string[]) => writeFileSync(join(root, "zones", "example.com.zone"), file(...servers)),
    plan: () => text(planZones(context, view(), service, { names: [], allow }).then(({ report }) => report)),
    run: () =>
      text(apply(context, view(), service, { names: [], allow, confirm: async () => true }).then(({ plan }) => plan)),
    drift: (options: Partial<DriftRequest> = {}) =>
      text(findDrift(context, view(), service, { names: [], ...options }).then(({ report }) => report)),
    undo: () =>
      text(
        undo(context, view(), service, { run: "last", allow, confirm: async () => true }).then(() => ({
          notes: [],
        })),
      ),
  };
}

test("a zone keeps the primary and name servers that the last run left", async () => {
  const { edit, write, plan, run, drift, undo } = open();
  write("ns1.example.net.");
  expect(await plan(), "the first plan").toEqual(["account-new"]);
  expect(await run()).toEqual(["account-new"]);
  write("ns1.example.net.", "ns2.example.net.");
  expect(await run(), "our own change of name servers").toEqual([]);
  expect(await plan()).toEqual([]);
  edit("@ NS ns2.example.net.\n", "");
  const advice =
    "If git has the change, update the checkout. Otherwise `zonewright drift example.com` shows the changes. If that is meant, `zonewright drift example.com --accept-primary` accepts the primary and name servers; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.";
  const refused = [
    [
      "example.com: the name servers are ns1.example.net, and were ns1.example.net, ns2.example.net after the last run",
      advice,
    ],
  ];
  expect(await plan(), "someone else changed them").toEqual(refused);
  expect(await run()).toEqual(refused);
  expect(await undo()).toEqual(refused);
  expect(await drift(), "drift shows them").toEqual(["primary-changed"]);
  expect(await drift({ isToWrite: true }), "and writes no file").toEqual(refused);
  write("ns1.example.net.");
  expect(await plan(), "git has them").toEqual([]);
  write("ns1.example.net.", "ns2.example.net.");
  expect(await plan()).toEqual(refused);
  expect(await drift({ acceptsPrimary: true })).toEqual(["primary-accepted"]);
  expect(await plan(), "they are accepted").toEqual([]);
  expect(await drift({ isToWrite: true })).toEqual([]);
  expect(await run(), "and can be reverted").toEqual([]);
  edit("@ NS ns2.example.net.\n", "");
  expect(await plan(), "the next change is another one").toEqual(refused);
  edit("", "@ NS ns2.example.net.\n");
  edit(
    "@ SOA ns1.zonewright.invalid. ns1.zonewright.invalid. 1 14400 14400 1209600 3600\n",
    "@ SOA ns.other.example. a.example.net. 1 14400 14400 1209600 3600\n",
  );
  const otherView = [
    [
      "example.com: the primary in the SOA record is ns.other.example, and was ns1.zonewright.invalid after the last run",
      advice,
    ],
  ];
  expect(await plan(), "another view").toEqual(otherView);
  expect(await undo()).toEqual(otherView);
  expect(await drift()).toEqual(["primary-changed"]);
  expect(await drift({ isToWrite: true })).toEqual(otherView);
  expect(await drift({ acceptsPrimary: true })).toEqual(["primary-accepted"]);
  expect(await plan()).toEqual([]);
  expect(await undo()).toEqual([]);
});
