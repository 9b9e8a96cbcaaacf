import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { readSettings } from "../../src/config/settings-file.ts";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { readName } from "../../src/dns/name/name.ts";
import { toOctets } from "../../src/dns/name/text.ts";
import { createMemoryTarget } from "../../src/targets/memory/memory-target.ts";
import { apply } from "../../src/workflow/apply/apply.ts";
import { planZones } from "../../src/workflow/plan/plan.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { targetViews } from "../../src/workflow/project/targets.ts";
import { validateZones } from "../../src/workflow/snapshot/validate.ts";
import { titled } from "../titles.ts";

const zoneName = readName(toOctets("example.com."));

/** A project with a target of the API and one in memory, whose zones have no settings. */
function mixedProject(files: Record<string, string>) {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? "/tmp", "kinds-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = `targets:
  public: { kind: api, url: https://api.example.com }
  office: { kind: api, url: https://office.example.com }
zones: { path: zones, targets: [public, office] }
`;
  for (const [file, text] of Object.entries({ "zonewright.yaml": config, ...files })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { pid, kill } = process;
  const context = createRunContext({ cwd: () => folder, env: {}, pid, kill });
  const office = createMemoryTarget({ apex: "ours", ids: "content", leastTtl: 60 });
  const project = openProject(context, { config: "zonewright.yaml", kinds: { office } });
  return { context, project, office };
}

const zone = `soa_email: a@example.com
records:
  _443._tcp.www:
    TLSA: 3 1 1 ${"ab".repeat(32)}
  www:
    A: { ttl_sec: 30, values: [192.0.2.1] }
`;

test("each target judges a zone by its own kind, and a finding names the target", async () => {
  const { project } = mixedProject({ "zones/example.com.yaml": zone });
  expect(targetViews(project).map(({ target, view }) => [view?.name, target.name])).toEqual([
    ["public", "API"],
    ["office", "service in memory"],
  ]);
  const { problems } = await validateZones(project, []);
  expect(problems.map(({ id, severity, summary }) => `${severity}[${id}] ${adviceText(summary, "cli")}`)).toEqual([
    "error[type-unsupported] _443._tcp.www TLSA: the API does not support records of this type (on public)",
    "note[ttl-rounded] example.com www A: ttl_sec 30 is stored as 300 (on public)",
    "note[ttl-rounded] www.example.com. has the TTL 30, which is stored as 60 (on office)",
  ]);
});

test("plan and apply store a zone as the kind of the target does", async () => {
  const { context, project, office } = mixedProject({ "zones/example.com.yaml": zone });
  const [, view] = targetViews(project);
  if (!view) throw new Error("the project has two targets");
  const service = { target: office, api: "memory", name: "office" };
  const { report } = await planZones(context, view, service, { names: [] });
  expect(report.plan.zones.map((one) => [one.zone.name, one.zone.settings])).toEqual([[zoneName, {}]]);
  const applied = await apply(context, view, service, { names: [], confirm: async () => true });
  expect(applied.state).toBe("run");
  const [head] = await office.read.listZones();
  const records = head ? await office.read.readRecords(head) : [];
  expect(records.map(({ owner, type, ttl }) => `${owner} ${ttl} ${type}`).sort()).toEqual([
    "_443._tcp.www.example.com. 3600 TLSA",
    "example.com. 3600 SOA",
    "www.example.com. 60 A",
  ]);
});

const kinds = z.strictObject({
  targets: z.record(
    z.string(),
    z.discriminatedUnion(
      "kind",
      [
        z.strictObject({ kind: z.literal("api"), url: z.string({ error: "must be a URL" }).describe("Its address") }),
        z.strictObject({
          kind: z.literal("memory"),
          server: z.string({ error: "must be a name" }).describe("Its host"),
        }),
      ],
      { error: ({ code }) => (code === "invalid_union" ? "must be api or memory" : "must be a map") },
    ),
  ),
});

const faults: [target: string, problem: string][] = [
  ["{ kind: memory, sever: a, server: b }", '"targets.a.sever" is not a setting | Did you mean "server"? | '],
  ["{ kind: api, uri: a, url: b }", '"targets.a.uri" is not a setting | Did you mean "url"? | '],
  ["{ kind: memory, server: 1 }", "targets.a.server must be a name |  | Its host."],
  ["{ kind: bind, server: a }", "targets.a.kind must be api or memory |  | "],
  ["{ server: a }", "targets.a.kind must be api or memory |  | "],
  ["[]", "targets.a must be a map |  | "],
];

test.each(titled(faults, ([target]) => `reads ${target} by its kind`))("%s", (_, target, said) => {
  const found = () => readSettings("x.yaml", `targets: { a: ${target} }\n`, { schema: kinds, empty: {} });
  expect(found).toThrow(ProblemError);
  try {
    found();
  } catch (error) {
    const { problems } = error as ProblemError;
    const texts = problems.map(({ summary, fix = "", detail = "" }) =>
      [summary, fix, detail].map((text) => adviceText(text, "cli")).join(" | "),
    );
    expect(texts).toEqual([said]);
  }
});
