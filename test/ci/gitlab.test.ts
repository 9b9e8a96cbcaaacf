import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type ApiDesk, apiDesk, type Desk } from "../cli/run.ts";
import { targetDesk } from "../cli/target-desk.ts";
import { run } from "../clients/run.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { Repository, Workplace } from "./checkout.ts";
import { root } from "./workflow-files.ts";

const zone = (address: string) =>
  `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords: { www: { A: ${address} } }\n`;

interface Project {
  readonly origin: Repository;
  readonly checkout: Repository;
  /** Runs the jobs of a pipeline with the variables that GitLab sets. The other words name jobs, or a manual one. */
  pipeline(variables: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Pipeline>;
}

interface Pipeline {
  readonly code: unknown;
  /** The jobs that ran, with their results. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly log: string;
}

/** The tokens that `Project.pipeline` passes: on protected branches both, else the one that can only read. */
interface Tokens {
  readonly ZONEWRIGHT_API_URL: string;
  readonly ZONEWRIGHT_READ_TOKEN: string;
  readonly ZONEWRIGHT_WRITE_TOKEN: string;
}

/** A GitLab project with the files of `init --ci gitlab`, and an account that its variables open. */
async function createProject(): Promise<Project & { readonly tokens: Tokens; readonly desk: ApiDesk }> {
  const desk = await apiDesk();
  const project = await createCheckout(desk, { "zones/example.com.yaml": zone("192.0.2.1") });
  const read = await desk.mint({ scopes: "domains:read_only events:read_only account:read_only" });
  const tokens = {
    ZONEWRIGHT_API_URL: desk.url,
    ZONEWRIGHT_READ_TOKEN: read,
    ZONEWRIGHT_WRITE_TOKEN: desk.token,
  };
  return { desk, tokens, ...project };
}

async function createCheckout(desk: Desk, own: Readonly<Record<string, string>>): Promise<Project> {
  const place = new Workplace();
  place.addProgram("npm", `[ "$*" = 'install --global --ignore-scripts --no-audit --no-fund zonewright@0.2.0' ]`);
  const origin = Repository.createBare(join(place.folder, "zones.git"));
  const checkout = Repository.clone(origin.folder, join(place.folder, "zones"));
  await desk.run("init --from empty --zone example.org --ci gitlab --yes");
  const files = [".gitlab-ci.yml", ".gitlab/zonewright.yml", "zonewright.yaml", "acks.yaml"];
  checkout.commit("Begin", {
    ...Object.fromEntries(files.map((file) => [file, desk.read(file)])),
    ".gitignore": ".zonewright/\n.gitlab-ci-local/\nzonewright-*\n",
    ...own,
  });
  checkout.git("push", "--quiet", "origin", "main");
  checkout.git("remote", "set-head", "origin", "main");
  const program = join(judgesFolder, "node_modules/.bin/gitlab-ci-local");
  const pipeline = async (variables: Readonly<Record<string, string>>, ...words: readonly string[]) => {
    const all = { CI_PROJECT_ID: "7", ...variables };
    const set = Object.entries(all).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
    const quiet = ["--ignore-predefined-vars", Object.keys(all).join(","), "--no-color"];
    // Its schema of the file takes longer than the jobs: one pipeline is checked by it.
    const unchecked = words.length === 0 ? [] : ["--no-json-schema-validation"];
    const { code, out, talk } = await run(
      [program, "--force-shell-executor", ...quiet, ...unchecked, ...set, ...words],
      {
        cwd: checkout.folder,
        env: { HOME: place.folder, PATH: place.path },
      },
    );
    const log = [out, ...talk].join("\n");
    const jobs = [...log.matchAll(/^ *(PASS|FAIL|WARN) +(zonewright-[\w-]+)/gm)].map(([, result, job]) => [
      job,
      result,
    ]);
    return { code, log, jobs: Object.fromEntries(jobs) };
  };
  return { origin, checkout, pipeline };
}

const pushed = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" };
const merging = { CI_PIPELINE_SOURCE: "merge_request_event", CI_COMMIT_BRANCH: "change" };
const own = { ...merging, CI_MERGE_REQUEST_PROJECT_ID: "7", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7" };

/** Type and target of the records of the first domain. */
async function recordsOf(desk: ApiDesk): Promise<string[]> {
  const { data } = await desk.call("GET", "/domains/1/records");
  return data.map(({ type, target }: Record<string, string>) => `${type} ${target}`);
}

test.skipIf(isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml plans main, and applies the plan when a person starts the job",
  async () => {
    const { desk, origin, pipeline, tokens } = await createProject();
    const planned = await pipeline({ ...pushed, ...tokens }, "zonewright-plan-main");
    expect([planned.code, planned.jobs]).toEqual([0, { "zonewright-plan-main": "PASS" }]);
    expect(planned.log).toContain("+2 create");
    expect([desk.writes, origin.refs("refs/zonewright")]).toEqual([[], []]);
    const applied = await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    expect([applied.code, applied.jobs]).toEqual([
      0,
      { "zonewright-plan-main": "PASS", "zonewright-apply": "PASS", "zonewright-publish": "PASS" },
    ]);
    expect(await recordsOf(desk)).toEqual(["A 192.0.2.1"]);
    expect(origin.refs("refs/zonewright")).toEqual(["refs/zonewright/snapshot"]);
  },
);

test.skipIf(isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml plans, applies and publishes on several targets, and checks merge requests against each",
  async () => {
    const desk = await targetDesk(["public", "office"], {});
    const { public: outer, office } = desk.services;
    const targets = Object.entries({ public: outer, office }).map(
      ([name, { url }]) => `${name}: { kind: api, url: "${url}" }`,
    );
    const included = "{ local: .gitlab/zonewright.yml, inputs: { snapshot: 'refs/zonewright/targets/{target}' } }";
    const { checkout, origin, pipeline } = await createCheckout(desk, {
      "zonewright.yaml": `targets: { ${targets.join(", ")} }\nzones: { path: zones, targets: [public, office] }\n`,
      "zones/example.com.yaml": zone("192.0.2.1"),
      ".gitlab-ci.yml": `include: [${included}]\n`,
    });
    const { ZONEWRIGHT_PUBLIC_TOKEN = "", ZONEWRIGHT_OFFICE_TOKEN = "" } = desk.env;
    const tokens = { ZONEWRIGHT_PUBLIC_TOKEN, ZONEWRIGHT_OFFICE_TOKEN };
    const applied = await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    expect([applied.code, applied.jobs]).toEqual([
      0,
      { "zonewright-plan-main": "PASS", "zonewright-apply": "PASS", "zonewright-publish": "PASS" },
    ]);
    expect(await outer.records("example.com")).toEqual(["www A 192.0.2.1"]);
    expect(await office.records("example.com")).toEqual(["www A 192.0.2.1"]);
    const refs = ["refs/zonewright/targets/office", "refs/zonewright/targets/public"];
    expect(origin.refs("refs/zonewright")).toEqual(refs);
    checkout.commit("Change", { "zones/example.com.yaml": zone("192.0.2.2") });
    const checked = await pipeline({ ...own }, "zonewright-check");
    expect([checked.code, checked.log.match(/on public, office\b/g)?.length]).toEqual([0, 1]);
    const drift = await pipeline(
      { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main", ...tokens },
      "zonewright-drift",
    );
    expect([drift.code, drift.log.match(/snapshot ref:refs\/zonewright\/targets\/\w+/g)?.length]).toEqual([0, 2]);
  },
);

test.skipIf(!isNightly || isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml publishes no snapshot if the input says so",
  async () => {
    const { checkout, origin, pipeline, tokens } = await createProject();
    checkout.write({
      ".gitlab-ci.yml": "include:\n  - local: .gitlab/zonewright.yml\n    inputs: { publish: false }\n",
    });
    const { code, jobs } = await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    expect([code, jobs]).toEqual([0, { "zonewright-plan-main": "PASS", "zonewright-apply": "PASS" }]);
    expect(origin.refs("refs/zonewright")).toEqual([]);
  },
);

test.skipIf(isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml plans a merge request with the token that can only read",
  async () => {
    const { desk, checkout, pipeline, tokens } = await createProject();
    await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    const before = desk.writes.length;
    checkout.commit("Change", { "zones/example.com.yaml": zone("192.0.2.2") });
    const { ZONEWRIGHT_WRITE_TOKEN: _, ...unprotected } = tokens;
    const planned = await pipeline({ ...own, ...unprotected });
    expect([planned.code, planned.jobs]).toEqual([0, { "zonewright-check": "PASS", "zonewright-plan": "PASS" }]);
    expect(planned.log.match(/192\.0\.2\.1 → 192\.0\.2\.2/g)?.length).toBe(2);
    expect(desk.writes.length).toBe(before);

    checkout.commit("Delete www", { "zones/example.com.yaml": zone("192.0.2.2").replace("www", "web") });
    const blocked = await pipeline({ ...own, ...unprotected });
    expect([blocked.code, blocked.jobs]).toEqual([1, { "zonewright-check": "FAIL", "zonewright-plan": "FAIL" }]);
    expect(blocked.log.match(/blocked by G03/g)?.length).toBeGreaterThanOrEqual(2);

    checkout.commit("Break", { "zones/example.com.yaml": zone("300.0.2.2") });
    const broken = await pipeline({ ...own, ...unprotected });
    expect([broken.code, broken.jobs]).toEqual([1, { "zonewright-check": "FAIL", "zonewright-plan": "FAIL" }]);
    expect(broken.log).toContain("zones/example.com.yaml:3");
    expect(readFileSync(join(checkout.folder, "zonewright-junit.xml"), "utf8")).toContain("<failure");
    expect(JSON.parse(readFileSync(join(checkout.folder, "zonewright-codequality.json"), "utf8"))).toMatchObject([
      { severity: "critical", location: { path: "zones/example.com.yaml", lines: { begin: 3 } } },
    ]);
  },
);

test.skipIf(isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml checks a merge request of a fork without any token",
  async () => {
    const { desk, origin, checkout, pipeline, tokens } = await createProject();
    const fork = {
      ...merging,
      CI_MERGE_REQUEST_PROJECT_ID: "1",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "7",
      CI_MERGE_REQUEST_PROJECT_URL: origin.folder.replace(/\.git$/, ""),
    };
    const early = await pipeline(fork);
    expect([early.code, early.jobs]).toEqual([0, { "zonewright-check": "PASS" }]);
    expect(early.log).toContain("There is no published snapshot to plan against yet.");
    await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    checkout.commit("Change", { "zones/example.com.yaml": zone("192.0.2.3") });
    const before = desk.writes.length;
    const { code, jobs, log } = await pipeline(fork);
    expect([code, jobs, desk.writes.length]).toEqual([0, { "zonewright-check": "PASS" }, before]);
    expect(log).toContain("192.0.2.1 → 192.0.2.3");

    // The project is private: a fork may not read its refs.
    const refused = await pipeline({ ...fork, CI_MERGE_REQUEST_PROJECT_URL: `${origin.folder}-private` });
    expect([refused.code, refused.jobs]).toEqual([0, { "zonewright-check": "PASS" }]);
    expect(refused.log).toContain("The published snapshot cannot be read here, so there is no plan.");
  },
);

test.skipIf(!isNightly || isMissing("gitlab-ci-local", "rsync"))(
  "templates/zonewright.yml fails a scheduled pipeline after a change outside git",
  async () => {
    const { desk, checkout, pipeline, tokens } = await createProject();
    await pipeline({ ...pushed, ...tokens }, "--manual", "zonewright-apply");
    const scheduled = { ...tokens, CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" };
    expect((await pipeline(scheduled)).jobs).toEqual({ "zonewright-drift": "PASS" });
    const [record] = (await desk.call("GET", "/domains/1/records")).data;
    await desk.call("PUT", `/domains/1/records/${record.id}`, { target: "192.0.2.66" });
    const { code, jobs, log } = await pipeline(scheduled);
    expect([code, jobs]).toEqual([1, { "zonewright-drift": "FAIL" }]);
    expect(log).toContain("192.0.2.66");
    expect(readFileSync(join(checkout.folder, "zonewright-drift.html"), "utf8")).toContain("192.0.2.66");
  },
);

test("templates/zonewright.yml gives the token that can write to one job, which waits for others and for a person", () => {
  const [, text = ""] = readFileSync(join(root, "templates/zonewright.yml"), "utf8").split("\n---\n");
  const jobs = Object.entries(parse(text) as Record<string, Record<string, unknown>>);
  const using = jobs.filter(([, job]) => JSON.stringify(job).includes("WRITE_TOKEN"));
  expect(using).toEqual([
    [
      "zonewright-apply",
      expect.objectContaining({
        rules: [expect.objectContaining({ when: "manual" })],
        environment: "$[[ inputs.environment ]]",
        resource_group: "$[[ inputs.environment ]]",
        interruptible: false,
      }),
    ],
  ]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(readFileSync(join(root, "templates/zonewright.yml"), "utf8")).toContain(`default: zonewright@${version}\n`);
});
