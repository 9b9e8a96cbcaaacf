// @suite long

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bot, GitHubStandIn } from "../github/stand-in.ts";
import { type DriftDesk, published } from "./drift-desk.ts";
import { type Git, gitIn } from "./git.ts";
import { lines } from "./run.ts";

const token = "ghs_token-of-the-workflow";
const branch = "zonewright/drift/example.com";

/** The branches of a bare repository, as GitHub sees them. */
class Branches extends Map<string, string> {
  readonly #git: (...args: string[]) => string;

  constructor(git: (...args: string[]) => string) {
    super();
    this.#git = git;
  }

  override get(name: string): string | undefined {
    return this.#git("for-each-ref", "--format=%(objectname)", `refs/heads/${name}`).trim() || undefined;
  }
}

interface Scene {
  readonly desk: DriftDesk;
  readonly api: GitHubStandIn;
  /** Runs git in the repository that is `origin`. */
  readonly origin: Git;
}

/** A clone whose zones are applied, its origin, and GitHub. */
async function start(): Promise<Scene> {
  const desk = await published({
    "zones/example.com.yaml": "soa_email: a@example.com\nttl_sec: 1h\nrecords:\n  www: { A: 192.0.2.1 }\n",
  });
  const folder = mkdtempSync(join(tmpdir(), "zonewright-origin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const origin = gitIn(folder);
  origin("init", "-q", "--bare");
  desk.git("remote", "add", "origin", folder);
  desk.git("push", "-q", "origin", "main");
  const api = await new GitHubStandIn().start();
  onTestFinished(() => api.close());
  api.addRepository(api.addUser("octo-org", "Organization"), "zones", false, new Branches(origin));
  api.tokens.set(token, { user: bot, kind: "installation", permissions: { pull_requests: "write" } });
  Object.assign(desk.env, { GITHUB_TOKEN: token, GITHUB_REPOSITORY: "octo-org/zones", GITHUB_API_URL: api.url });
  return { desk, api, origin };
}

/** Runs `drift`, and returns its messages without the ids of commits. */
async function openPr({ desk }: Scene, command = "drift --write --open-pr"): Promise<string> {
  const { talk } = await desk.run(command);
  return talk.replaceAll(/\b[0-9a-f]{12}\b/g, "COMMIT");
}

test("opens a pull request with the drift, updates it after more drift, and leaves it alone without", async () => {
  const scene = await start();
  const { desk, api, origin } = scene;
  const id = await desk.idOf("www");
  await desk.as("alice", "2026-03-04T12:10:00Z", "PUT", `/domains/1/records/${id}`, { target: "192.0.2.91" });
  expect(await openPr(scene)).toBe(lines`
    1 change of example.com committed as COMMIT on the new branch ${branch}
    To keep these changes, merge. To restore the zones as they are in git, run ${"`"}zonewright apply${"`"}.
    pull request #1 opened: https://github.com/octo-org/zones/pull/1
  `);
  const [pull] = api.pulls;
  expect([pull?.title, pull?.base.ref, pull?.head.ref]).toEqual([
    "Adopt changes of example.com made outside git",
    "main",
    branch,
  ]);
  expect(pull?.body).toBe(lines`
    <!-- zonewright:drift -->
    1 change of 1 zone made outside git.

    - **To keep the changes**, merge this pull request. The zone files then say what the live zones say.
    - **To restore the zones** as they are in git, close it and run ${"`"}zonewright apply${"`"}.

    **Changes**
    - ${"`"}example.com: www A${"`"} · ${"`"}3600 192.0.2.1${"`"} → ${"`"}3600 192.0.2.91${"`"} · by ${"`"}"alice"${"`"} at ${"`"}2026-03-04T12:10:00Z${"`"}
  `);
  const first = origin("rev-parse", branch);
  expect(origin("show", `${branch}:zones/example.com.yaml`)).toContain("192.0.2.91");

  // Another clone finds the same later: neither the branch nor the pull request changes.
  desk.now = new Date("2026-03-04T14:00:00Z");
  desk.git("branch", "-q", "-D", branch);
  expect(await openPr(scene)).toContain("pull request #1 is up to date: https://github.com/octo-org/zones/pull/1\n");
  expect(origin("rev-parse", branch)).toBe(first);

  await desk.as("bob", "2026-03-04T14:10:00Z", "POST", "/domains/1/records", {
    type: "A",
    name: "lab",
    target: "192.0.2.99",
  });
  expect(await openPr(scene)).toContain("pull request #1 updated: https://github.com/octo-org/zones/pull/1\n");
  expect(origin("rev-list", "--count", `main..${branch}`)).toBe("1\n");
  expect(origin("show", `${branch}:zones/example.com.yaml`)).toContain("192.0.2.99");
  expect(api.pulls).toHaveLength(1);
});

test("keeps commits that someone else pushed to the branch", async () => {
  const scene = await start();
  const { desk, origin } = scene;
  await desk.as("alice", "2026-03-04T12:10:00Z", "DELETE", `/domains/1/records/${await desk.idOf("www")}`);
  await openPr(scene);
  const theirs = origin("commit-tree", "-p", branch, "-m", "Mine", `${branch}^{tree}`).trim();
  origin("update-ref", `refs/heads/${branch}`, theirs);
  await desk.as("bob", "2026-03-04T12:20:00Z", "POST", "/domains/1/records", { type: "TXT", name: "x", target: "y" });
  const { code, talk } = await desk.run("drift --write --open-pr");
  expect(code).toBe(3);
  expect(talk).toContain(`the branch "${branch}" of origin has commits that zonewright did not make`);
  expect(origin("rev-parse", branch).trim()).toBe(theirs);
});

test("names a branch of origin beside which git cannot store the branch of drift", async () => {
  const scene = await start();
  const { desk, origin } = scene;
  await desk.as("alice", "2026-03-04T12:10:00Z", "DELETE", `/domains/1/records/${await desk.idOf("www")}`);
  origin("branch", "zonewright", "main");
  const { code, talk } = await desk.run("drift --write --open-pr");
  expect(code).toBe(3);
  expect(talk).toContain(
    `the branch "${branch}" cannot exist beside the branch "zonewright" of origin: git stores one name as a folder of the other\n  Rename or delete "zonewright"`,
  );
  origin("branch", "-m", "zonewright", "theirs");
  expect(await openPr(scene)).toContain("pull request #1 opened");
});

test("opens nothing without drift", async () => {
  const scene = await start();
  expect(await openPr(scene)).toBe("nothing to write\n");
  expect(scene.api.requests).toEqual([]);
});

test.each([
  ["without a token", { GITHUB_TOKEN: "" }, "no GitHub token is set"],
  ["without a repository", { GITHUB_REPOSITORY: "" }, "GITHUB_REPOSITORY is not set"],
  ["with a wrong address", { GITHUB_API_URL: "ftp://x" }, "the address of GitHub's API is not an http or https URL"],
])("writes nothing %s", async (_, env, summary) => {
  const { desk, api } = await start();
  await desk.as("alice", "2026-03-04T12:10:00Z", "DELETE", `/domains/1/records/${await desk.idOf("www")}`);
  const { talk } = await desk.run("drift --write --open-pr", { env });
  expect(talk).toContain(summary);
  expect(desk.git("branch", "--list", "zonewright/*")).toBe("");
  expect(api.requests).toEqual([]);
});

test("the token is in no output, and explains what GitHub says", async () => {
  const scene = await start();
  const { desk, api } = scene;
  api.isActionsAllowed = false;
  await desk.as("alice", "2026-03-04T12:10:00Z", "DELETE", `/domains/1/records/${await desk.idOf("www")}`);
  const { code, out, talk } = await desk.run("drift --write --open-pr");
  expect(code).toBe(1);
  expect(talk).toContain("GitHub Actions is not permitted to create or approve pull requests.");
  expect(out + talk).not.toContain(token);
});

test("--open-pr needs --write", async () => {
  const { desk } = await start();
  expect(await desk.run("drift --open-pr")).toMatchObject({
    code: 64,
    talk: expect.stringContaining("--open-pr needs --write"),
  });
});
