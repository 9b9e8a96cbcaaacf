import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { programArgs } from "../cli/process.ts";
import { type ApiDesk, apiDesk } from "../cli/run.ts";
import { run } from "../clients/run.ts";
import { readPage } from "./page.ts";

interface Workflow {
  readonly on: object;
  readonly jobs: Readonly<Record<string, { env: Record<string, string>; steps: readonly Step[] }>>;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
}

const [, text = ""] =
  /^```yaml\n# \.github\/workflows\/dns\.yaml\n(.*?)^```$/ms.exec(readPage("docs/plan-and-apply.md")) ?? [];
const workflow = parse(text) as Workflow;

const zone = (address: string) => `soa_email: hostmaster@example.com\nrecords: { www: { A: ${address} } }\n`;

/** A checkout on a runner, where `npx` runs this program. */
async function checkout(): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": zone("192.0.2.1") });
  mkdirSync(join(desk.folder, "bin"));
  const program = [process.execPath, ...programArgs].map((word) => `"${word}"`).join(" ");
  desk.write("bin/npx", `#!/bin/sh\ntest "$1" = zonewright && shift && exec ${program} "$@"\n`);
  chmodSync(join(desk.folder, "bin/npx"), 0o755);
  return desk;
}

/** Runs the scripts of the job as GitHub does for a ref, up to the first that fails; returns its exit code, or 0. */
async function runJob(desk: ApiDesk, ref: string, secrets: Record<string, string>) {
  const { env, steps } = workflow.jobs.dns ?? expect.fail("no job");
  const values = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\$\{\{ secrets\.(\w+) \}\}$/, (_, secret: string) => secrets[secret] ?? expect.fail(secret)),
  ]);
  for (const step of steps) {
    if (step.run === undefined || step.run === "npm ci") continue;
    if (step.if !== undefined && step.if !== `github.ref == '${ref}'`) continue;
    // https://docs.github.com/actions, "jobs.<job_id>.steps[*].shell"
    const options = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];
    const { code } = await run(["bash", ...options, "-c", step.run], {
      cwd: desk.folder,
      env: {
        ...Object.fromEntries(values),
        CI: "true",
        GITHUB_STEP_SUMMARY: join(desk.folder, "summary.md"),
        PATH: `${join(desk.folder, "bin")}:${process.env.PATH}`,
      },
    });
    if (code !== 0) return code;
  }
  return 0;
}

test("docs/plan-and-apply.md: the workflow plans and applies on the main branch", async () => {
  expect(workflow.on).toEqual({ pull_request: null, push: { branches: ["main"] } });
  const desk = await checkout();
  const secrets = { ZONEWRIGHT_API_URL: desk.url, ZONEWRIGHT_TOKEN: desk.token };
  expect(await runJob(desk, "refs/heads/main", secrets)).toBe(0);
  expect(desk.read("summary.md")).toContain("**Creates**\n- `example.com (zone) master");
  expect((await desk.call("GET", "/domains/1/records")).data).toMatchObject([{ name: "www", target: "192.0.2.1" }]);
});

test("docs/plan-and-apply.md: the workflow writes nothing on a pull request, and fails if the plan fails", async () => {
  const desk = await checkout();
  const read = await desk.mint({ scopes: "domains:read_only" });
  const job = (ZONEWRIGHT_TOKEN: string) =>
    runJob(desk, "refs/pull/1/merge", { ZONEWRIGHT_API_URL: desk.url, ZONEWRIGHT_TOKEN });
  expect([await job(read), await job("0123abcd")]).toEqual([0, 1]);
  expect(desk.writes).toEqual([]);
});
