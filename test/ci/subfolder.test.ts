import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { apiDesk, Desk } from "../cli/run.ts";
import { run } from "../clients/run.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { Repository, Workplace } from "./checkout.ts";
import type { Workflow } from "./workflow-files.ts";

/** A repository with a project in the folder dns, and the program run there. */
class Subfolder extends Desk {
  readonly repository = Repository.create(join(this.folder, "repository"));

  constructor(files: Readonly<Record<string, string>> = {}) {
    super();
    this.repository.write(files);
    mkdirSync(join(this.repository.folder, "dns"), { recursive: true });
    Object.defineProperty(this, "folder", { value: join(this.repository.folder, "dns") });
  }

  /** The same repository, with the program run at its top. */
  get atTop(): Desk {
    const desk = new Desk();
    Object.defineProperty(desk, "folder", { value: this.repository.folder });
    return desk;
  }

  top(file: string): string {
    return readFileSync(join(this.repository.folder, file), "utf8");
  }
}

const zone = (address: string) => `soa_email: hostmaster@example.com\nrecords:\n  www: { A: ${address} }\n`;

test("init --ci github writes workflows where GitHub reads them, each step for the project", async () => {
  const desk = new Subfolder();
  const { code, out } = await desk.run("init --from empty --zone example.com --ci github --yes");
  expect(code).toBe(0);
  for (const name of ["check", "plan", "apply", "drift"]) {
    const file = `.github/workflows/zonewright-${name}.yml`;
    expect(out).toContain(`wrote  ../${file}\n`);
    const { jobs } = parse(desk.top(file)) as Workflow;
    const steps = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith("zonewright/")),
    );
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step.with).toMatchObject({ config: "dns/zonewright.yaml" });
  }
});

test("init --ci gives a second project workflows of its own, and doctor knows both", async () => {
  const desk = new Subfolder({ "zonewright.yaml": "{}\n" });
  await desk.atTop.run("init --from empty --ci github --yes");
  const { out } = await desk.run("init --from empty --zone example.org --ci github --yes");
  const read = (name: string) => parse(desk.top(`.github/workflows/zonewright-${name}.yml`)) as Workflow;
  const names = ["check", "plan", "apply", "drift"];
  const seen = names.map((name) => {
    expect(out).toContain(`wrote  ../.github/workflows/zonewright-dns-${name}.yml\n`);
    const [first, second] = [read(name), read(`dns-${name}`)];
    for (const [id, { steps, name }] of Object.entries(second.jobs)) {
      expect(name).toBe(`${id} (dns)`);
      for (const step of steps.filter(({ uses }) => uses?.startsWith("zonewright/")))
        expect(step.with).toMatchObject({ config: "dns/zonewright.yaml" });
    }
    const text = JSON.stringify(second);
    expect(text.match(/origin \+?refs\/zonewright\/snapshot(?!-dns)/)).toBeNull();
    expect(JSON.stringify(first.concurrency)).not.toBe(JSON.stringify(second.concurrency));
    return [first.name, second.name];
  });
  expect(new Set(seen.flat()).size).toBe(8);
  expect(read("dns-apply").jobs.publish?.steps.at(-1)?.with).toMatchObject({ ref: "refs/zonewright/snapshot-dns" });
  expect((await desk.run("init --ci github --yes")).out).not.toMatch(/kept .*:/);
  for (const at of [desk.atTop, desk]) {
    const { out: lines } = await at.run("doctor --ci");
    for (const name of names)
      for (const own of ["", "dns-"])
        expect(lines).toMatch(new RegExp(`^ok +${name} +\\.github/workflows/zonewright-${own}${name}\\.yml$`, "m"));
    expect(lines).not.toContain("differs");
  }
});

test("init --ci gitlab does not advise a second include, whose jobs would replace those of the first", async () => {
  const desk = new Subfolder();
  await desk.atTop.run("init --from empty --ci gitlab --yes");
  const { out } = await desk.run("init --from empty --zone example.org --ci gitlab --yes");
  expect(out).toContain("kept   ../.gitlab-ci.yml: it includes the jobs for another project, and GitLab would replace");
  expect(out).not.toContain("add this to include it");
});

test("doctor --ci compares the workflows of a project in a folder with those that init writes there", async () => {
  const desk = new Subfolder();
  await desk.run("init --from empty --zone example.com --ci github --yes");
  const { out } = await desk.run("doctor --ci");
  expect(out).toMatch(/^ok +apply +\.github\/workflows\/zonewright-apply\.yml$/m);
  expect(out).not.toContain("differs");
});

test("init --ci gitlab includes the component at the top, for the project", async () => {
  const desk = new Subfolder();
  await desk.run("init --from empty --zone example.com --ci gitlab --yes");
  expect(parse(desk.top(".gitlab-ci.yml"))).toEqual({
    include: [{ local: ".gitlab/zonewright.yml", inputs: { config: "dns/zonewright.yaml" } }],
  });
  const other = new Subfolder({ ".gitlab-ci.yml": "stages: [test]\n" });
  expect((await other.run("init --from empty --ci gitlab --yes")).out).toContain(
    "kept   ../.gitlab-ci.yml: add this to include it: `include: [{ local: .gitlab/zonewright.yml, inputs: { config: dns/zonewright.yaml } }]`\n",
  );
});

test("reports for code hosts name files by their paths in the repository", async () => {
  const desk = new Subfolder({ "dns/zones/example.com.yaml": zone("300.0.2.1") });
  const { out } = await desk.run(
    "validate --report github --report sarif=a.sarif --report codequality=cq.json --report text=a.txt",
  );
  expect(out).toMatch(/^::error file=dns\/zones\/example\.com\.yaml,line=3,/m);
  expect(desk.read("a.sarif")).toContain('"uri":"dns/zones/example.com.yaml"');
  expect(JSON.parse(desk.read("cq.json"))[0].location.path).toBe("dns/zones/example.com.yaml");
  expect(desk.read("a.txt")).toContain("\n  zones/example.com.yaml:3:");

  desk.write("zones/example.com.yaml", zone("192.0.2.1"));
  const time = "2026-03-04T11:00:00Z";
  desk.write(
    "live.json",
    JSON.stringify({ format: "zonewright.snapshot/1", time, target: { api: desk.folder, account: null }, domains: [] }),
  );
  const files = "--report sarif=p.sarif --report codequality=p.json --report junit=p.xml";
  expect((await desk.run(`plan --against live.json ${files}`)).code).toBe(0);
  expect(desk.read("p.sarif")).toContain('"uri":"dns/zones/example.com.yaml"');
  expect(desk.read("p.json")).toContain('"path": "dns/zones/example.com.yaml"');
  expect(desk.read("p.xml")).toContain(' file="dns/zones/example.com.yaml"');
  for (const file of ["p.sarif", "p.json", "p.xml"]) expect(desk.read(file)).not.toMatch(/"zones\/example/);
});

test.skipIf(isMissing("gitlab-ci-local", "rsync"))("the jobs for GitLab check a project in a folder", async () => {
  const desk = await apiDesk();
  const project = new Subfolder({ ".gitignore": ".gitlab-ci-local/\nzonewright-*\n" });
  await project.run("init --from empty --zone example.org --ci gitlab --yes");
  const place = new Workplace();
  place.addProgram("npm", "exit 0");
  project.write("zones/example.com.yaml", zone("300.0.2.1"));
  const { repository } = project;
  repository.git("remote", "add", "origin", Repository.createBare(join(place.folder, "zones.git")).folder);
  repository.commit("Begin", {});
  const program = join(judgesFolder, "node_modules/.bin/gitlab-ci-local");
  const variables = {
    CI_PIPELINE_SOURCE: "merge_request_event",
    CI_MERGE_REQUEST_PROJECT_ID: "7",
    CI_PROJECT_ID: "7",
    ZONEWRIGHT_API_URL: desk.url,
  };
  const set = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const check = () =>
    run(
      [
        program,
        "--force-shell-executor",
        "--ignore-predefined-vars",
        Object.keys(variables).join(","),
        ...set,
        "zonewright-check",
      ],
      {
        cwd: repository.folder,
        env: { HOME: place.folder, PATH: place.path },
      },
    );
  expect((await check()).code).toBe(1);
  expect(JSON.parse(project.top("zonewright-codequality.json"))[0].location.path).toBe("dns/zones/example.com.yaml");
  project.write("zones/example.com.yaml", zone("192.0.2.1"));
  repository.commit("Mend", {});
  expect((await check()).code).toBe(0);
});
