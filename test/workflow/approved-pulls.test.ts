import { generateKeyPairSync } from "node:crypto";
import { unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { commentDigest, readMarker, writeMarker } from "../../src/github/marker.ts";
import { findLastSuccess } from "../../src/github/merged.ts";
import { digestJson } from "../../src/planner/changes/digests.ts";
import { planFile } from "../../src/planner/plan-file/plan-file.ts";
import type { PlanFile } from "../../src/planner/plan-file/plan-schema.ts";
import { pullRequestComment } from "../../src/report/plan/pull-request-comment.ts";
import { type ApprovedPlanSearch, artifactName, findApprovedPlans } from "../../src/workflow/plan/approved-pulls.ts";
import { withComment } from "../../src/workflow/plan/plan-file.ts";
import { type Artifact, bot, type PullRequest, type Review } from "../github/stand-in.ts";
import { startWorld, tip, type World } from "../github/world.ts";
import { desiredOf, liveOf } from "../planner/world.ts";
import { reportOf } from "../report/plans.ts";

const noon = new Date("2026-03-04T12:00:00Z");
const stored = liveOf("www 300 A 192.0.2.1");

/** The plan that adds a name, as a report and as a file. */
function planOf(name: string | undefined, rest: Partial<PlanFile> = {}) {
  const added = name === undefined ? "" : `\n${name} 300 A 192.0.2.9`;
  const report = reportOf([desiredOf(`www 300 A 192.0.2.1${added}`)], [stored]);
  const { planDigest, ...made } = planFile({
    version: "0.0.0",
    source: { config: digestJson({}), zones: [] },
    target: { api: "http://api/v4", account: null },
    live: [[nameKey(stored.name), stored]],
    plan: report.plan,
    notes: [],
    guards: [],
    reads: 0,
    writes: 0,
    seen: noon,
    now: noon,
    lifeSeconds: 60,
    nonce: "0".repeat(32),
  });
  const file = { ...made, ...rest };
  return { report, file: { ...file, planDigest: digestJson(file) } };
}

interface Given {
  /** The name that the plan adds; null for an empty plan. */
  readonly name?: string | null;
  readonly pull?: Partial<PullRequest>;
  readonly artifact?: Partial<Artifact>;
  /** Whether the comment says that it shows every effect. */
  readonly isWhole?: boolean;
  /** When the plan was made, commented and uploaded. */
  readonly at?: string | undefined;
}

const commitOf = (digit: string) => digit.repeat(40);

/** Plans, comments, uploads and merges a pull request, as the workflows do. */
function merge(
  world: World,
  digit: string,
  { name = "api", pull: change = {}, artifact = {}, isWhole = true, at = "2026-03-04T12:00:00Z" }: Given = {},
): PullRequest {
  const { api, repository, author } = world;
  const sha = `e${digit.repeat(39)}`;
  const commit = commitOf(digit);
  const pull = api.addPull({ repository, user: author, head: { repository, ref: `change-${digit}`, sha } });
  const { report, file: made } = planOf(name ?? undefined);
  const context = { key: "default", commit: sha, run: 1, now: noon, previous: undefined, others: [] };
  const { body } = pullRequestComment(report, { ...context, planOf: () => "0".repeat(64) });
  const shown = isWhole ? body : body.replace('"isWhole":true', '"isWhole":false');
  const file = withComment(made, commentDigest(shown));
  const comment = api.addComment(pull, bot, shown.replace("0".repeat(64), file.planDigest));
  comment.updatedAt = at;
  upload(world, file, { run: { id: 5, repository, branch: pull.head.ref, sha }, createdAt: at, ...artifact });
  Object.assign(
    pull,
    { state: "closed", mergedAt: "2026-03-04T12:00:00Z", mergedBy: author, mergeCommit: commit },
    change,
  );
  repository.history.push(commit);
  repository.branches.set("main", commit);
  return pull;
}

function upload(world: World, file: PlanFile, rest: Pick<Artifact, "run"> & Partial<Artifact>): void {
  const { api, repository } = world;
  const zip = zipSync({ "plan.json": Buffer.from(JSON.stringify(file)) });
  const named = { id: api.nextId(), repository, name: artifactName(file.effectDigest), zip };
  api.artifacts.push({ ...named, isExpired: false, createdAt: "2026-03-04T12:00:00Z", ...rest });
}

/** The names of the approved plans with the names that they add, then the refusals. */
async function find(world: World, digit: string, rest: Partial<ApprovedPlanSearch> = {}): Promise<string[]> {
  const search = { repository: world.named, commit: commitOf(digit), branch: "main", key: "default", ...rest };
  try {
    const { plans, refusals } = await findApprovedPlans(world.github, search);
    return [
      ...plans.map(({ name, plan }) => `${name}: ${plan.changes.map((change) => change.name).join(" ")}`),
      ...refusals.map(({ id, summary }) => `${id}: ${summary}`),
    ];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ id, summary }) => `${id}: ${summary}`);
  }
}

describe("the approved plan of a merged pull request", () => {
  test("is the artifact that its comment names", async () => {
    const world = await startWorld();
    merge(world, "a");
    expect(await find(world, "a")).toEqual(["the plan of pull request #2: api.example.com."]);
    expect(world.api.requests).toEqual([
      "GET /repos/octo-org/zones/git/ref/heads/main",
      "GET /user",
      "GET /repos/octo-org/zones/pulls?state=closed&base=main&sort=updated&direction=desc&per_page=100&page=1",
      `GET /repos/octo-org/zones/compare/${commitOf("a")}...${commitOf("a")}?per_page=1`,
      "GET /repos/octo-org/zones/issues/2/comments?per_page=100&page=1",
      expect.stringMatching(/^GET \/repos\/octo-org\/zones\/actions\/artifacts\?name=zonewright-plan-[0-9a-f]{16}&/),
      expect.stringMatching(/^GET \/repos\/octo-org\/zones\/actions\/artifacts\/\d+\/zip$/),
      expect.stringMatching(/^GET \/storage\/\d+\?sig=abc$/),
    ]);
  });

  test("is none if the plan was empty", async () => {
    const world = await startWorld();
    const pull = merge(world, "a");
    const { report } = planOf(undefined);
    const context = { key: "default", commit: pull.head.sha, run: 2, now: noon, previous: undefined, others: [] };
    for (const comment of world.api.commentsOf(pull)) comment.body = pullRequestComment(report, context).body;
    expect(await find(world, "a")).toEqual([]);
  });

  test("is found for every pull request since the last successful run of the workflow", async () => {
    const world = await startWorld();
    const { api, repository, named, github } = world;
    repository.history.push(tip);
    merge(world, "a", { name: "one" });
    merge(world, "b", { name: "two" });
    merge(world, "c", { name: "three" });
    const run = { repository, workflow: 3, branch: "main", event: "push" };
    api.runs.push({ ...run, id: 10, sha: tip, conclusion: "success" });
    api.runs.push({ ...run, id: 11, sha: commitOf("a"), conclusion: "success" });
    api.runs.push({ ...run, id: 12, sha: commitOf("b"), conclusion: "failure" });
    api.runs.push({ ...run, id: 13, sha: commitOf("b"), conclusion: "success", workflow: 4 });
    api.runs.push({ ...run, id: 14, sha: commitOf("c"), conclusion: null });
    const since = await findLastSuccess(github, named, { runId: 14, branch: "main" });
    expect(since).toBe(commitOf("a"));
    expect(await find(world, "c", { since })).toEqual([
      "the plan of pull request #4: three.example.com.",
      "the plan of pull request #3: two.example.com.",
    ]);
    expect(await find(world, "c")).toEqual([
      "the plan of pull request #4: three.example.com.",
      "the plan of pull request #3: two.example.com.",
      "the plan of pull request #2: one.example.com.",
    ]);
  });

  test("is found in the order of the merges, however long the list and whatever was discussed since", async () => {
    const world = await startWorld();
    const { api } = world;
    const names = Array.from({ length: 210 }, (_, index) => `n${index}`);
    for (const [index, name] of names.entries()) {
      const at = new Date(Date.UTC(2026, 2, 4, 12, index)).toISOString();
      merge(world, "a", { name, pull: { mergedAt: at, ...(index === 3 && { discussedAt: "2026-03-05T12:00:00Z" }) } });
    }
    const found = await find(world, "a");
    expect(found).toEqual(
      names.map((name, index) => `the plan of pull request #${index + 2}: ${name}.example.com.`).reverse(),
    );
    expect(api.requests.filter((line) => line.includes("/pulls?"))).toHaveLength(3);
  });

  test("is the one of several artifacts that the comment names", async () => {
    const world = await startWorld();
    const { head } = merge(world, "a");
    const { file } = planOf("api", { nonce: "1".repeat(32) });
    upload(world, file, { run: { id: 6, repository: world.repository, branch: head.ref, sha: head.sha } });
    expect(await find(world, "a")).toEqual(["the plan of pull request #2: api.example.com."]);
    world.api.artifacts.splice(0, 1);
    expect(await find(world, "a")).toEqual([
      "approval/artifact: the artifact of pull request #2 is not the plan that its comment names",
    ]);
  });

  test("must be signed where a signature is required", async () => {
    const world = await startWorld();
    merge(world, "a");
    const { publicKey } = generateKeyPairSync("ed25519");
    const [refusal] = await find(world, "a", { signatures: { keys: [publicKey], isRequired: true } });
    expect(refusal).toMatch(/^plan-signature: the plan of pull request #2 is not signed/);
  });
});

interface Refusal {
  readonly why: string;
  readonly given?: Given;
  readonly search?: Partial<ApprovedPlanSearch>;
  /** A change after the merge. */
  readonly afterwards?: (world: World, pull: PullRequest) => void;
  readonly problem: string;
}

const effects = planOf("api").file.effectDigest.slice(0, 16);

test.each<Refusal>([
  {
    why: "that is not the tip of the branch any more",
    afterwards: ({ repository }) => repository.branches.set("main", commitOf("f")),
    problem: 'approval/replay: commit aaaaaaa is no longer the tip of "main"; the tip is fffffff',
  },
  {
    why: "that was pushed without a pull request",
    afterwards: ({ api }, pull) => api.pulls.splice(api.pulls.indexOf(pull), 1),
    problem: 'approval/direct-push: commit aaaaaaa was pushed to "main" without a pull request',
  },
  {
    why: "of a pull request that is still open",
    afterwards: (_, pull) => {
      pull.state = "open";
      delete pull.mergedAt;
    },
    problem: 'approval/direct-push: commit aaaaaaa was pushed to "main" without a pull request',
  },
  {
    why: "of a pull request that was merged elsewhere",
    afterwards: (_, pull) => {
      pull.mergeCommit = commitOf("9");
      pull.commits.push(commitOf("a"));
    },
    problem: 'approval/direct-push: commit aaaaaaa was pushed to "main" without a pull request',
  },
  {
    why: "whose comment was written after the merge",
    afterwards: (_, pull) => {
      pull.mergedAt = "2026-03-04T11:59:00Z";
    },
    problem: "approval/comment: the comment of pull request #2 was written or edited after the merge",
  },
  {
    why: "of a pull request without a comment",
    afterwards: ({ api }) => api.comments.splice(0),
    problem: "approval/comment: pull request #2 has no comment with a plan",
  },
  {
    why: "whose comment a stranger wrote",
    afterwards: ({ api, author }, pull) => {
      const [comment] = api.comments.splice(0);
      api.addComment(pull, author, comment?.body ?? "");
    },
    problem: "approval/comment: pull request #2 has no comment with a plan",
  },
  {
    why: "whose plan is of another configuration",
    search: { key: "internal" },
    problem: "approval/comment: pull request #2 has no comment with a plan",
  },
  {
    why: "of a push after the plan",
    afterwards: (_, pull) => {
      pull.head.sha = commitOf("8");
    },
    problem: "approval/commit: the plan of pull request #2 is of commit eaaaaaa, but 8888888 was merged",
  },
  {
    why: "whose comment was edited to other effects",
    afterwards: ({ api }) => {
      for (const comment of api.comments) {
        const marker = readMarker("default", comment.body);
        if (marker) comment.body = writeMarker("default", { ...marker, digest: "1".repeat(64) });
      }
    },
    problem:
      'approval/artifact: the artifact "zonewright-plan-1111111111111111" with the plan of pull request #2 does not exist',
  },
  {
    why: "whose artifact has expired",
    afterwards: ({ api }) => {
      for (const artifact of api.artifacts) artifact.isExpired = true;
    },
    problem: `approval/expired: the artifact "zonewright-plan-${effects}" of pull request #2 has expired`,
  },
])("refuses a commit $why", async ({ given, search, afterwards, problem }) => {
  const world = await startWorld();
  const pull = merge(world, "a", given);
  afterwards?.(world, pull);
  expect(await find(world, "a", search)).toEqual([problem]);
});

describe("an artifact", () => {
  test.each<[string, (world: World) => Partial<Artifact>, string]>([
    [
      "of a run for another commit",
      ({ repository }) => ({ run: { id: 5, repository, branch: "change-a", sha: commitOf("7") } }),
      `approval/commit: the artifact "zonewright-plan-${effects}" is of another commit than pull request #2`,
    ],
    [
      "of a run for a fork",
      ({ api }) => {
        const repository = api.addRepository(api.addUser("mallory"), "zones", true);
        return { run: { id: 5, repository, branch: "change-a", sha: `e${"a".repeat(39)}` } };
      },
      `approval/fork: the artifact "zonewright-plan-${effects}" is of a fork, whose plans are not trusted`,
    ],
    [
      "with other effects",
      () => ({ zip: zipSync({ "plan.json": Buffer.from(JSON.stringify(planOf("other").file)) }) }),
      "approval/artifact: the artifact of pull request #2 is not the plan that its comment names",
    ],
    [
      "with a plan that was edited",
      () => ({ zip: zipSync({ "plan.json": Buffer.from(JSON.stringify({ ...planOf("api").file, reads: 9 })) }) }),
      "plan-digest: the plan of pull request #2 was edited after it was written: its digest does not match",
    ],
    [
      "without a plan",
      () => ({ zip: zipSync({ "../plan.json": Buffer.from("{}"), "a/plan.json": Buffer.from("{}") }) }),
      "approval/artifact: the artifact ID does not contain plan.json",
    ],
    [
      "that is no zip",
      () => ({ zip: Buffer.from("PK, but not a zip") }),
      "approval/artifact: the artifact ID is not a zip that can be read",
    ],
    [
      "whose text is not UTF-8",
      () => ({ zip: zipSync({ "plan.json": Buffer.from([0xff, 0xfe]) }) }),
      "approval/artifact: the artifact ID contains a plan.json that is not UTF-8",
    ],
    [
      "that unpacks to much more than a plan",
      () => ({ zip: zipSync({ "plan.json": new Uint8Array(129 * 1024 * 1024) }, { level: 1 }) }),
      "approval/artifact: the artifact ID contains a plan.json of more than 134217728 octets",
    ],
    [
      "that is larger than a plan",
      () => ({ zip: new Uint8Array(33 * 1024 * 1024) }),
      "approval/artifact: the artifact ID is larger than 33554432 octets",
    ],
  ])("%s approves nothing", async (_, artifactOf, problem) => {
    const world = await startWorld();
    merge(world, "a", { artifact: artifactOf(world) });
    const found = await find(world, "a");
    expect(found.map((text) => text.replace(/artifact \d+/, "artifact ID"))).toEqual([problem]);
  });

  test("whose zip lies about the size is not unpacked beyond that size", async () => {
    const world = await startWorld();
    merge(world, "a");
    const [artifact] = world.api.artifacts;
    const plan = new TextDecoder().decode(unzipSync(artifact?.zip ?? new Uint8Array())["plan.json"]);
    const zip = Buffer.from(zipSync({ "plan.json": Buffer.from(plan + " ".repeat(1_000_000)) }));
    Object.assign(artifact ?? {}, { zip });
    expect(await find(world, "a")).toEqual(["the plan of pull request #2: api.example.com."]);
    const sizeAt = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24;
    expect(zip.readUInt32LE(sizeAt)).toBe(plan.length + 1_000_000);
    zip.writeUInt32LE(plan.length - 1, sizeAt);
    expect(await find(world, "a")).toEqual([
      "plan-syntax: the plan of pull request #2 is not valid JSON: it was truncated or edited",
    ]);
  });
});

test("a pull request from a fork approves nothing, whatever its comment says", async () => {
  const world = await startWorld();
  const fork = world.api.addRepository(world.api.addUser("mallory"), "zones", true);
  merge(world, "a", { pull: { head: { repository: fork, ref: "main", sha: `e${"a".repeat(39)}` } } });
  expect(await find(world, "a")).toEqual(["approval/fork: pull request #2 is from a fork, whose plan is not trusted"]);
});

test("every pull request that approves nothing is named", async () => {
  const world = await startWorld();
  world.repository.history.push(tip);
  merge(world, "a", { name: "one" });
  const second = merge(world, "b", { name: "two" });
  world.repository.history.push(commitOf("c"));
  world.repository.branches.set("main", commitOf("c"));
  world.api.comments = world.api.comments.filter(({ number }) => number !== second.number);
  expect(await find(world, "c", { since: tip })).toEqual([
    "the plan of pull request #2: one.example.com.",
    "approval/comment: pull request #3 has no comment with a plan",
    'approval/direct-push: commit ccccccc was pushed to "main" without a pull request',
  ]);
});

test("any number of commits may lie between, and an unknown last commit is not used", async () => {
  const world = await startWorld();
  const { repository } = world;
  repository.history.push(tip);
  merge(world, "b");
  repository.history.push(...Array.from({ length: 300 }, (_, index) => `${index}`.padStart(40, "0")));
  merge(world, "a", { name: "more" });
  const both = ["the plan of pull request #3: more.example.com.", "the plan of pull request #2: api.example.com."];
  expect(await find(world, "a", { since: tip })).toEqual(both);
  expect(await find(world, "a", { since: commitOf("5") })).toEqual(both);
  expect(await find(world, "a", { since: commitOf("b") })).toEqual(both.slice(0, 1));
  expect(await find(world, "a", { since: commitOf("a") })).toEqual([]);
});

test("a merge that is no longer in the history of the branch approves nothing", async () => {
  const world = await startWorld();
  merge(world, "b");
  world.repository.history.splice(0);
  merge(world, "a", { name: "more" });
  expect(await find(world, "a")).toEqual(["the plan of pull request #3: more.example.com."]);
});

test("only the last 300 pull requests approve, and a refusal says so first", async () => {
  const world = await startWorld();
  world.repository.history.push(tip);
  for (let index = 0; index < 301; index++) merge(world, "a", { name: null });
  expect(await find(world, "a", { since: tip })).toEqual([
    "approval/bound: more than 300 pull requests were merged since the last apply that succeeded; only the last 300 of them approve changes",
  ]);
});

describe("a later pull request", () => {
  /** The first one adds a name, and was merged at noon; the other one was planned at a minute. */
  async function findBoth(minute: string, later: Given, change?: (world: World, pull: PullRequest) => void) {
    const world = await startWorld();
    world.repository.history.push(tip);
    merge(world, "a", { name: "api" });
    const at = `2026-03-04T${minute}:00Z`;
    const pull = merge(world, "b", { at, ...later, pull: { mergedAt: "2026-03-04T12:30:00Z" } });
    change?.(world, pull);
    return find(world, "b", { since: tip });
  }
  const first = "the plan of pull request #2: api.example.com.";
  const withdrawn = "approval/withdrawn: pull request #3 no longer plans 1 effect of the plan of pull request #2";

  test.each<[string, string, Given, string[]]>([
    ["that plans nothing any more withdraws it", "12:20", { name: null }, [withdrawn]],
    ["that plans other changes only withdraws it", "12:20", { name: "www2" }, [withdrawn]],
    ["that was planned before the merge says nothing about it", "12:00", { name: null }, [first]],
    ["that still plans it approves it, too", "12:20", { name: "api" }, [first.replace("2", "3"), first]],
  ])("%s", async (_, minute, later, expected) => {
    const found = await findBoth(minute, later);
    expect(found.filter((text) => !text.includes("www2"))).toEqual(expected);
  });

  test.each<[string, (world: World, pull: PullRequest) => void, string]>([
    ["its artifact was deleted", ({ api }) => api.artifacts.pop(), 'approval/artifact: the artifact "zonewright-plan-'],
    [
      "its plan was made again after the merge",
      ({ api }, pull) => {
        for (const comment of api.commentsOf(pull)) comment.updatedAt = "2026-03-04T12:31:00Z";
      },
      "approval/comment: the comment of pull request #3 was written or edited after the merge",
    ],
  ])("withdraws it if %s", async (_, change, refused) => {
    const found = await findBoth("12:20", { name: "www2" }, change);
    expect(found).toEqual([
      expect.stringContaining(refused),
      "approval/withdrawn: pull request #3 may have withdrawn the plan of pull request #2: its own plan cannot be read",
    ]);
  });

  test("says nothing about it without a comment", async () => {
    const found = await findBoth("12:20", { name: "www2" }, ({ api }, pull) => {
      api.comments.splice(0, api.comments.length, ...api.comments.filter((one) => !api.commentsOf(pull).includes(one)));
    });
    expect(found[0]).toBe(first);
  });

  test("withdraws it also if its comment was edited", async () => {
    const found = await findBoth("12:20", { name: "www2" }, ({ api }, pull) => {
      for (const comment of api.commentsOf(pull)) comment.body += "\nlooks good";
    });
    expect(found).toEqual([
      "approval/comment: the comment of pull request #3 was edited: it is not the text of its plan",
      withdrawn,
    ]);
  });
});

describe("a comment", () => {
  const replace = (from: string | RegExp, to: string) => (body: string) => {
    expect(body).toMatch(from);
    return body.replace(from, to);
  };

  test.each<[string, (body: string) => string]>([
    ["whose text was replaced", (body) => `${body.split("\n")[0]}\nPlan of zones: in sync\n`],
    ["with one more character", (body) => `${body}.`],
    ["with text in its marker", replace('{"', '{"x":"-->in sync<!--","')],
    ["whose marker says that it shows all", replace('"isWhole":true', '"isWhole":true ')],
    ["without its marker's texts", replace(/"texts":\[.*?\]/, '"texts":[]')],
  ])("%s approves nothing", async (_, change) => {
    const world = await startWorld();
    const pull = merge(world, "a");
    for (const comment of world.api.commentsOf(pull)) comment.body = change(comment.body);
    expect(await find(world, "a")).toEqual([
      "approval/comment: the comment of pull request #2 was edited: it is not the text of its plan",
    ]);
  });

  test("with the line ends of a browser is the same", async () => {
    const world = await startWorld();
    const pull = merge(world, "a");
    for (const comment of world.api.commentsOf(pull)) comment.body = comment.body.replaceAll("\n", "\r\n").trimEnd();
    expect(await find(world, "a")).toEqual(["the plan of pull request #2: api.example.com."]);
  });

  test("that was edited and restored approves nothing", async () => {
    const world = await startWorld();
    const pull = merge(world, "a", { pull: { mergedAt: "2026-03-04T12:30:00Z" } });
    for (const comment of world.api.commentsOf(pull)) comment.updatedAt = "2026-03-04T12:02:00Z";
    expect(await find(world, "a")).toEqual([
      "approval/comment: the comment of pull request #2 was edited after its plan was made",
    ]);
  });

  test("of a plan that does not name it approves nothing", async () => {
    const world = await startWorld();
    const pull = merge(world, "a");
    const [artifact] = world.api.artifacts.splice(0);
    const { file } = planOf("api");
    if (artifact) upload(world, file, { run: artifact.run });
    for (const comment of world.api.commentsOf(pull)) comment.body = comment.body.replace(/"plan":"\w+",/, "");
    expect(await find(world, "a")).toEqual([
      "approval/comment: the plan of pull request #2 does not name its comment: another version made it, or no comment was written",
    ]);
  });
});

test("a failure of GitHub is no refusal", async () => {
  const world = await startWorld();
  merge(world, "a");
  const github = world.clientOf("ghs_without-actions", { contents: "read", pull_requests: "read" });
  expect(await find({ ...world, github }, "a")).toEqual([
    expect.stringMatching(/^github\/permission: .* lacks the permission `actions: read`/),
  ]);
});

describe("the approval of a second person", () => {
  const none =
    "approval/people: pull request #2 has no approval by a person who may push, and neither wrote, pushed nor merged it";
  const approved = "the plan of pull request #2: api.example.com.";

  type Person = "alice" | "bob" | "carol" | "dave" | "erin" | "frank" | "mallory" | "robot";
  const objected = "approval/people: pull request #2 has a review of bob that requests changes";

  test.each<[string, (people: Record<Person, Review["user"]>, head: string) => Partial<Review>[], string]>([
    ["is missing", () => [], none],
    ["is given", ({ bob }) => [{ user: bob }], approved],
    ["is the author's", ({ alice }) => [{ user: alice }], none],
    ["is the merger's", ({ carol }) => [{ user: carol }], none],
    ["is a bot's", ({ robot }) => [{ user: robot }], none],
    ["is only a comment", ({ bob }) => [{ user: bob, state: "COMMENTED" }], none],
    ["stays after a comment", ({ bob }) => [{ user: bob }, { user: bob, state: "COMMENTED" }], approved],
    ["was dismissed", ({ bob }) => [{ user: bob }, { user: bob, state: "DISMISSED" }], none],
    ["became a request for changes", ({ bob }) => [{ user: bob }, { user: bob, state: "CHANGES_REQUESTED" }], objected],
    [
      "stands against a request for changes",
      ({ bob, dave }) => [{ user: dave }, { user: bob, state: "CHANGES_REQUESTED" }],
      objected,
    ],
    [
      "stands against a request for changes by who may not push",
      ({ bob, mallory }) => [{ user: bob }, { user: mallory, state: "CHANGES_REQUESTED" }],
      approved,
    ],
    [
      "follows a request for changes that was withdrawn",
      ({ bob }) => [{ user: bob, state: "CHANGES_REQUESTED" }, { user: bob }],
      approved,
    ],
    ["is of a person who may not push", ({ mallory }) => [{ user: mallory }], none],
    ["is of an author of its commits", ({ erin }) => [{ user: erin }], none],
    ["is of the one who pushed last", ({ frank }) => [{ user: frank }], none],
    [
      "is older than the last push",
      ({ bob }) => [{ user: bob, commit: commitOf("7") }],
      "approval/people: pull request #2 was approved before its last push",
    ],
    [
      "is older than the plan",
      ({ bob }) => [{ user: bob, submittedAt: "2026-03-04T11:59:59Z" }],
      "approval/people: pull request #2 was approved before its plan was commented",
    ],
    [
      "is given again once the plan is there",
      ({ bob }) => [{ user: bob, submittedAt: "2026-03-04T11:59:59Z" }, { user: bob }],
      approved,
    ],
  ])("%s", async (_, reviewsOf, expected) => {
    const world = await startWorld();
    const { api, repository, author: alice } = world;
    const [bob, carol, dave, erin, frank, mallory] = ["bob", "carol", "dave", "erin", "frank", "mallory"].map((name) =>
      api.addUser(name),
    ) as [Review["user"], Review["user"], Review["user"], Review["user"], Review["user"], Review["user"]];
    const robot = api.addUser("robot[bot]", "Bot");
    for (const user of [alice, bob, carol, dave, erin, frank, robot]) repository.writers.add(user);
    const people = { alice, bob, carol, dave, erin, frank, mallory, robot };
    const pull = merge(world, "a", { pull: { mergedBy: carol, authors: [alice, erin] } });
    const run = { id: 5, repository, workflow: 1, branch: "change-a", sha: pull.head.sha, event: "pull_request" };
    api.runs.push({ ...run, conclusion: "success", actor: frank });
    for (const review of reviewsOf(people, pull.head.sha))
      pull.reviews.push({
        id: api.nextId(),
        user: alice,
        state: "APPROVED",
        commit: pull.head.sha,
        submittedAt: "2026-03-04T12:00:00Z",
        ...review,
      });
    expect(await find(world, "a", { isSecondPersonNeeded: true })).toEqual([expected]);
    expect(await find(world, "a")).toEqual([approved]);
  });
});

test("the one who pushed last does not approve after another person reopened the pull request", async () => {
  const world = await startWorld();
  const { api, repository } = world;
  const [frank, bob, carol] = [api.addUser("frank"), api.addUser("bob"), api.addUser("carol")];
  for (const user of [frank, bob, carol]) repository.writers.add(user);
  const pull = merge(world, "a", { pull: { mergedBy: carol } });
  const { ref: branch, sha } = pull.head;
  const run = { repository, workflow: 1, branch, sha, event: "pull_request", conclusion: "success" as const };
  api.runs.push({ ...run, id: 5, actor: frank }, { ...run, id: 6, actor: bob });
  const [pushed] = api.artifacts;
  if (pushed) api.artifacts.push({ ...pushed, id: api.nextId(), run: { id: 6, repository, branch, sha } });
  const review = { state: "APPROVED" as const, commit: sha, submittedAt: "2026-03-04T12:00:00Z" };
  pull.reviews.push({ id: api.nextId(), user: frank, ...review });
  expect(await find(world, "a", { isSecondPersonNeeded: true })).toEqual([
    "approval/people: pull request #2 has no approval by a person who may push, and neither wrote, pushed nor merged it",
  ]);
});

test("a second person approves nothing if GitHub does not know who made a commit", async () => {
  const world = await startWorld();
  const { api, repository, author } = world;
  const [bob, carol] = [api.addUser("bob"), api.addUser("carol")];
  for (const user of [bob, carol]) repository.writers.add(user);
  const pull = merge(world, "a", { pull: { mergedBy: carol, authors: [author, undefined] } });
  const at = { commit: pull.head.sha, submittedAt: "2026-03-04T12:00:00Z" };
  pull.reviews.push({ id: api.nextId(), user: bob, state: "APPROVED", ...at });
  expect(await find(world, "a", { isSecondPersonNeeded: true })).toEqual([
    "approval/people: pull request #2 has commits of which GitHub does not know the author",
  ]);
});

describe("a plan that its comment does not show in full", () => {
  const refused = "approval/not-shown: the comment of pull request #2 does not show every effect of its plan";
  const approved = "the plan of pull request #2: api.example.com.";
  const digest = planOf("api").file.effectDigest;
  const line = `zonewright approve effects ${digest.slice(0, 16)}`;

  test.each<[string, string, { who?: string; isEdited?: boolean; isSecondPersonNeeded?: boolean }, string]>([
    ["approves nothing by itself", "Looks good", {}, refused],
    ["is approved by the line that it shows", line, {}, approved],
    [
      "is approved by the line with more digits, between others",
      `I read it.\r\n\r\n  ${line}${digest.slice(16, 20)}\r\nThanks`,
      {},
      approved,
    ],
    ["is approved by its author where one person suffices", line, { who: "alice" }, approved],
    ["is not approved by the digest of other effects", "zonewright approve effects 0123456789abcdef", {}, refused],
    ["is not approved by fewer digits", line.slice(0, -1), {}, refused],
    ["is not approved by a quotation", `> ${line}`, {}, refused],
    ["is not approved by the rest of a quotation", `> do not write\n${line}`, {}, refused],
    ["is not approved by a quotation in a list", `- > do not write\n${line}`, {}, refused],
    ["is not approved by code", `Please do NOT apply. Do not write:\n\`\`\`\n${line}\n\`\`\``, {}, refused],
    ["is not approved by code with another fence", `~~~~ text\n~~~\n${line}\n~~~~`, {}, refused],
    ["is not approved by code without an end", `\`\`\`\n\n${line}`, {}, refused],
    ["is not approved by code in a list", `- \`\`\`\n\n  x\n\n\`\`\`\n${line}\n\`\`\``, {}, refused],
    ["is not approved by code in several lines", `\`a\n${line}\nb\``, {}, refused],
    ["is not approved by indented code", `No:\n\n    ${line}`, {}, refused],
    ["is not approved by HTML", `<details>\n\n${line}\n\n</details>`, {}, refused],
    ["is not approved by a hidden comment", `<!--\n${line}\n-->`, {}, refused],
    ["is not approved by crossed out text", `~~no\n${line}~~`, {}, refused],
    ["is not approved by text crossed out with one tilde", `~I take it back:\n${line}\nno~`, {}, refused],
    ["is not approved by the title of a link", `[x]: /u "\n${line}\n"`, {}, refused],
    ["is not approved by the text of a picture", `![\n${line}\n](x.png)`, {}, refused],
    ["is not approved by a formula", `$$\n${line}\n$$`, {}, refused],
    ["is approved after code", `I ran\n\`\`\`sh\nzonewright plan\n\`\`\`\n${line}`, {}, approved],
    ["is approved after a quotation", `> Read it?\n\nYes, a < b.\n\n${line}`, {}, approved],
    ["is not approved by a sentence", `please write ${line}`, {}, refused],
    ["is not approved by who may not push", line, { who: "mallory" }, refused],
    ["is not approved by a bot", line, { who: "robot[bot]" }, refused],
    ["is not approved by a comment that was edited", line, { isEdited: true }, refused],
    ["is not approved by its author where two are needed", line, { who: "alice", isSecondPersonNeeded: true }, refused],
    ["is not approved by who merges where two are needed", line, { who: "carol", isSecondPersonNeeded: true }, refused],
    ["is approved by the reviewer where two are needed", line, { isSecondPersonNeeded: true }, approved],
  ])("%s", async (_, body, { who = "bob", isEdited = false, isSecondPersonNeeded = false }, expected) => {
    const world = await startWorld();
    const { api, repository, author: alice } = world;
    const [bob, carol, robot] = [api.addUser("bob"), api.addUser("carol"), api.addUser("robot[bot]", "Bot")];
    api.addUser("mallory");
    for (const user of [alice, bob, carol, robot]) repository.writers.add(user);
    const pull = merge(world, "a", { pull: { mergedBy: carol }, isWhole: false });
    const review = { id: api.nextId(), user: bob, state: "APPROVED", submittedAt: "2026-03-04T12:00:00Z" } as const;
    pull.reviews.push({ ...review, commit: pull.head.sha });
    const word = api.addComment(pull, api.users.get(who), body);
    if (isEdited) word.updatedAt = "2026-03-04T12:00:01Z";
    expect(await find(world, "a", { isSecondPersonNeeded })).toEqual([expected]);
  });
});
