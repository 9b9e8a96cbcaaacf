import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { nightlyRuns } from "../fuzz/nightly.ts";
import { isMissing } from "../judges.ts";
import { runJudge } from "../openapi/installed.ts";
import { readWorkflow, readWorkflowText, root, secretsOf, workflowFiles } from "./workflow-files.ts";

/** The triggers of each workflow, and the permissions, secrets and environment of each job. */
const expected: Record<string, unknown> = {
  "examples/github/check.yml": {
    on: { pull_request: null, merge_group: null },
    concurrency: { group: "zonewright-check-${{ github.ref }}", "cancel-in-progress": true },
    jobs: { check: { permissions: { contents: "read" }, secrets: [] } },
  },
  "examples/github/plan.yml": {
    on: { pull_request: null, merge_group: null },
    concurrency: { group: "zonewright-plan-${{ github.ref }}", "cancel-in-progress": true },
    jobs: {
      plan: {
        if: "github.event_name == 'merge_group' || github.event.pull_request.head.repo.full_name == github.repository",
        permissions: { contents: "read", "pull-requests": "write" },
        secrets: ["ZONEWRIGHT_READ_TOKEN"],
      },
    },
  },
  "examples/github/apply.yml": {
    on: { push: { branches: ["main"] } },
    concurrency: { group: "zonewright-apply", "cancel-in-progress": false, queue: "max" },
    jobs: {
      apply: {
        environment: "dns",
        permissions: { contents: "read", "pull-requests": "read", actions: "read" },
        secrets: ["ZONEWRIGHT_WRITE_TOKEN"],
      },
      publish: { needs: "apply", permissions: { contents: "write" }, secrets: ["ZONEWRIGHT_READ_TOKEN"] },
    },
  },
  "examples/github/drift.yml": {
    on: { schedule: [{ cron: "17 */4 * * *" }], workflow_dispatch: null },
    concurrency: { group: "zonewright-drift", "cancel-in-progress": false },
    jobs: {
      drift: {
        permissions: { contents: "write", "pull-requests": "write" },
        secrets: ["ZONEWRIGHT_READ_TOKEN"],
      },
    },
  },
  ".github/workflows/ci.yml": {
    on: { push: { branches: ["main"] }, pull_request: null },
    concurrency: undefined,
    jobs: { test: { permissions: { contents: "read" }, secrets: [] } },
  },
  ".github/workflows/zones.yml": {
    on: {
      pull_request: null,
      push: { branches: ["main"] },
      schedule: [{ cron: "47 3 * * *" }],
      workflow_dispatch: null,
    },
    concurrency: { group: "zones-${{ github.ref }}", "cancel-in-progress": false },
    jobs: {
      check: { permissions: { contents: "read" }, secrets: [] },
      plan: {
        if: "github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository",
        permissions: { contents: "read", "pull-requests": "write" },
        secrets: [],
      },
      apply: { if: "github.event_name == 'push'", permissions: { contents: "read" }, secrets: [] },
      publish: { needs: "apply", permissions: { contents: "write" }, secrets: [] },
      drift: { if: "github.event_name != 'push'", permissions: { contents: "read" }, secrets: [] },
    },
  },
  ".github/workflows/site.yml": {
    on: {
      push: { branches: ["main"], paths: ["docs/**", "schemas/**", "site/**", "src/**"] },
      workflow_dispatch: null,
    },
    concurrency: { group: "site", "cancel-in-progress": true },
    jobs: {
      publish: {
        environment: { name: "github-pages", url: "${{ steps.deployment.outputs.page_url }}" },
        permissions: { contents: "read", pages: "write", "id-token": "write" },
        secrets: [],
      },
    },
  },
  ".github/workflows/release.yml": {
    on: { push: { tags: ["v*"] } },
    concurrency: { group: "release", "cancel-in-progress": false },
    jobs: {
      check: { permissions: { contents: "read" }, secrets: [] },
      build: { needs: "check", permissions: { contents: "read" }, secrets: [] },
      publish: {
        needs: "build",
        environment: "release",
        permissions: { contents: "write", "id-token": "write", attestations: "write" },
        secrets: [],
      },
      image: {
        if: "vars.IMAGE != ''",
        needs: "build",
        environment: "release",
        permissions: { contents: "read", packages: "write" },
        secrets: [],
      },
    },
  },
  ".github/workflows/nightly.yml": {
    on: { schedule: [{ cron: "17 2 * * *" }], workflow_dispatch: null },
    concurrency: undefined,
    jobs: { fuzz: { permissions: { contents: "read" }, secrets: [] } },
  },
};

test("each workflow has the triggers, permissions, secrets and environment that its task needs, and no more", () => {
  const found = workflowFiles.map((file) => {
    const { on, concurrency, jobs, permissions } = readWorkflow(file);
    const rights = Object.entries(jobs).map(([name, job]) => {
      const { if: condition, needs, environment } = job;
      const named = { if: condition, needs, environment, permissions: job.permissions ?? permissions };
      return [name, { ...named, secrets: secretsOf(job) }];
    });
    return [file, { on, concurrency, jobs: Object.fromEntries(rights) }];
  });
  expect(Object.fromEntries(found)).toEqual(expected);
});

test("the nightly workflow installs the judges, and does every long run", () => {
  const { strategy, steps } = readWorkflow(".github/workflows/nightly.yml").jobs.fuzz ?? { steps: [] };
  expect(strategy).toEqual({ "fail-fast": false, matrix: { run: nightlyRuns } });
  const commands = ["npm ci", "npm run judges", "npm run fuzz -- nightly ${{ matrix.run }}"];
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(commands);
});

test("every job limits its time, and a workflow whose jobs name no permissions names them itself", () => {
  for (const file of workflowFiles) {
    const { permissions, jobs } = readWorkflow(file);
    expect(permissions, file).toBeDefined();
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"], file).toBeGreaterThan(0);
  }
});

/** Digests of the actions that the workflows use, from the tags of their repositories. */
const digests = {
  "actions/attest-build-provenance v4.1.0": "a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32",
  "actions/download-artifact v8.0.1": "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
  "actions/checkout v7.0.1": "3d3c42e5aac5ba805825da76410c181273ba90b1",
  "actions/deploy-pages v5.0.0": "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128",
  "actions/setup-node v7.0.0": "820762786026740c76f36085b0efc47a31fe5020",
  "actions/upload-artifact v7.0.0": "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f",
  "actions/upload-pages-artifact v5.0.0": "fc324d3547104276b827a68afc52ff2a11cc49c9",
  "zonewright/zonewright placeholder: the commit of a release": "0".repeat(40),
};

test("every action is pinned by its digest, or belongs to the same checkout", () => {
  const pinned: Record<string, string> = {};
  for (const file of workflowFiles)
    for (const [line, action = "", digest = "", version = ""] of readWorkflowText(file).matchAll(
      /^.*\buses:\s*([^@\s]+)(?:@(\S+))?(?: # (.+))?$/gm,
    )) {
      if (action.startsWith("./")) continue;
      expect(digest, `${file}: ${line}`).toMatch(/^[0-9a-f]{40}$/);
      pinned[`${action} ${version}`] = digest;
    }
  expect(pinned).toEqual(digests);
});

test("no workflow runs the code of a pull request with rights, or a value of a pull request in a shell", () => {
  for (const file of workflowFiles) {
    const { on, jobs } = readWorkflow(file);
    expect(Object.keys(on), file).not.toEqual(expect.arrayContaining([expect.stringMatching(/_target$|workflow_run/)]));
    for (const { steps } of Object.values(jobs))
      for (const { run = "" } of steps) expect(run.replaceAll("${{ matrix.run }}", "run"), file).not.toContain("${{");
  }
});

/** A git repository with the workflow files, as actionlint wants to see it. */
function lint(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync("git", ["init", "--quiet", folder]);
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, ".github/workflows", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const own of ["action.yml", ".github/actions/server/action.yml"]) {
    mkdirSync(dirname(join(folder, own)), { recursive: true });
    writeFileSync(join(folder, own), readFileSync(join(root, own)));
  }
  mkdirSync(join(folder, "action"));
  writeFileSync(join(folder, "action/index.js"), ""); // actionlint checks that it exists
  // actionlint 1.7.12 is older than this key, of May 2026.
  return runJudge(["actionlint", "-ignore", 'unexpected key "queue" for "concurrency"'], folder);
}

/** The steps of an action as those of a workflow, because actionlint reads no actions. */
function asWorkflow(action: string): string {
  const { inputs, runs } = parse(action) as { inputs: object; runs: { steps: object } };
  const job = { "runs-on": "ubuntu-latest", steps: runs.steps };
  return stringify({ on: { workflow_call: { inputs: typed(inputs) } }, jobs: { job } });
}

function typed(inputs: object): object {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, { ...input, type: "string" }]));
}

const texts = {
  ...Object.fromEntries(
    workflowFiles.map((file) => [file.replaceAll(/[./]+/g, "-").replace(/-yml$/, ".yml"), readWorkflowText(file)]),
  ),
  "server.yml": asWorkflow(readWorkflowText(".github/actions/server/action.yml")),
};

test.skipIf(isMissing("actionlint", "shellcheck"))("actionlint and shellcheck find nothing in the workflows", () => {
  expect(lint(texts)).toEqual({ code: 0, text: "" });
});

/** Versions that actionlint 1.7.12 knows, so that it also checks the inputs of these actions. */
const known: Record<string, string> = {
  "actions/attest-build-provenance": "actions/attest-build-provenance@v3",
  "actions/download-artifact": "actions/download-artifact@v7",
  "actions/checkout": "actions/checkout@v6",
  "actions/deploy-pages": "actions/deploy-pages@v4",
  "actions/setup-node": "actions/setup-node@v6",
  "actions/upload-artifact": "actions/upload-artifact@v7",
  "actions/upload-pages-artifact": "actions/upload-pages-artifact@v4",
  "zonewright/zonewright": "./",
};

test.skipIf(isMissing("actionlint", "shellcheck"))("the inputs and outputs of the actions exist", () => {
  const unpinned = Object.entries(texts).map(([file, text]) => [
    file,
    text.replaceAll(/(?<=\buses: )([\w-]+\/[\w-]+)@[0-9a-f]{40} # .*/g, (_, action: string) => known[action] ?? action),
  ]);
  expect(lint(Object.fromEntries(unpinned))).toEqual({ code: 0, text: "" });
});
