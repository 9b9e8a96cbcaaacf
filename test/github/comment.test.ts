import { expect, test } from "vitest";
import { actionsBot } from "../../src/github/author.ts";
import { type CommentUpdate, updateComment } from "../../src/github/comment.ts";
import { type Marker, markerStart, readMarker, shortHashes, writeMarker } from "../../src/github/marker.ts";
import { hostileTexts } from "../report/hostile-texts.ts";
import { bot, type PullRequest } from "./stand-in.ts";
import { head, startWorld, type World } from "./world.ts";

const plain: Marker = {
  version: 1,
  digest: "7c".repeat(32),
  commit: head,
  effects: 1,
  run: 5,
  isFinal: false,
  history: [{ commit: head, digest: "7c7c7c7c", at: 1_772_625_600 }],
  hashes: shortHashes(["a"]),
  texts: ["create www.example.com A"],
  zones: shortHashes(["example.com."]),
};

/** Comments a plan of one line. */
function update(world: World, text: string, rest: Partial<CommentUpdate> & { isEmpty?: boolean } = {}) {
  const { isEmpty = false, mode = "sticky", run = 5, key = "default", ...given } = rest;
  const mark = { ...plain, run, isFinal: mode === "new" };
  return updateComment(world.github, {
    repository: world.named,
    number: world.pull.number,
    key,
    mode,
    run,
    zones: [],
    render: (previous) => ({
      body: `${writeMarker(key, mark)}${text}${previous === undefined ? "" : ` after ${previous.digest.slice(0, 4)}`}`,
      isEmpty,
    }),
    ...given,
  });
}

/** The comments with their authors, without their markers. */
function shown({ api, pull }: World, of: PullRequest = pull): string[] {
  return api
    .commentsOf(of)
    .map(({ user, body }) => `${user?.login ?? "ghost"}: ${body.replace(/^<!-- zonewright:plan .*? -->\n/, "")}`);
}

test("creates one comment, and edits it from then on", async () => {
  const world = await startWorld();
  world.api.addComment(world.pull, world.author, "Please review");
  expect(await update(world, "one")).toMatchObject({ outcome: "created" });
  expect(await update(world, "two")).toMatchObject({ outcome: "edited" });
  expect(await update(world, "two")).toMatchObject({ outcome: "unchanged" });
  expect(shown(world)).toEqual(["alice: Please review", "github-actions[bot]: two after 7c7c"]);
  expect(world.api.requests).toEqual([
    "GET /user",
    "GET /repos/octo-org/zones/issues/1/comments?per_page=100&page=1",
    "POST /repos/octo-org/zones/issues/1/comments",
    "GET /repos/octo-org/zones/issues/1/comments?per_page=100&page=1",
    "GET /user",
    "GET /repos/octo-org/zones/issues/1/comments?per_page=100&page=1",
    expect.stringMatching(/^PATCH /),
    "GET /user",
    "GET /repos/octo-org/zones/issues/1/comments?per_page=100&page=1",
  ]);
});

test("finds its comment behind 450 others, and takes no stranger's with the same marker", async () => {
  const world = await startWorld();
  const { api, author, pull } = world;
  api.addComment(pull, author, `${writeMarker("default", plain)}stranger's`);
  api.addComment(pull, undefined, `${writeMarker("default", plain)}of a deleted account`);
  for (let index = 0; index < 450; index++) api.addComment(pull, author, `comment ${index}`);
  api.addComment(pull, bot, `Not at the start: ${writeMarker("default", plain)}`);
  api.addComment(pull, bot, `${writeMarker("other", plain)}of another configuration`);
  api.addComment(pull, bot, `${writeMarker("default", plain)}one`);
  expect(await update(world, "two", { author: actionsBot })).toMatchObject({ outcome: "edited" });
  const after = shown(world).filter((text) => !/comment \d+$/.test(text));
  expect(after).toEqual([
    "alice: stranger's",
    "ghost: of a deleted account",
    expect.stringContaining("github-actions[bot]: Not at the start"),
    "github-actions[bot]: of another configuration",
    "github-actions[bot]: two after 7c7c",
  ]);
});

test("two runs at once end with one comment", async () => {
  const world = await startWorld();
  // Both have looked for a comment before one of them writes.
  let arrived = 0;
  let open = () => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  const wait = () => {
    if (++arrived === 2) open();
    return both;
  };
  const at = "POST /repos/octo-org/zones/issues/1/comments";
  world.api.faults.push({ at, before: wait }, { at, before: wait });
  const outcomes = await Promise.all([update(world, "one"), update(world, "one")]);
  expect(shown(world)).toEqual([expect.stringMatching(/^github-actions\[bot\]: one( after 7c7c)?$/)]);
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["created", "edited"]);
});

test("an older run leaves the comment of a newer one alone", async () => {
  const world = await startWorld();
  await update(world, "newer", { run: 7 });
  expect(await update(world, "older", { run: 6 })).toMatchObject({ outcome: "superseded" });
  expect(await update(world, "again", { run: 7 })).toMatchObject({ outcome: "edited" });
  expect(shown(world)).toEqual(["github-actions[bot]: again after 7c7c"]);
});

test.each([
  { mode: "sticky", empty: ["created"], later: ["edited", "edited"], comments: 1 },
  { mode: "on-change", empty: ["none"], later: ["created", "edited"], comments: 1 },
  { mode: "new", empty: ["created"], later: ["created", "created"], comments: 3 },
] as const)(
  "$mode: an empty plan, then changes, then an empty plan again",
  async ({ mode, empty, later, comments }) => {
    const world = await startWorld();
    const first = await update(world, "nothing", { mode, isEmpty: true });
    const second = await update(world, "changes", { mode });
    const third = await update(world, "nothing again", { mode, isEmpty: true });
    expect([first, second, third].map(({ outcome }) => outcome)).toEqual([...empty, ...later]);
    expect(shown(world)).toHaveLength(comments);
    expect(shown(world).at(-1)).toBe("github-actions[bot]: nothing again after 7c7c");
  },
);

test("a sticky comment does not edit the comments of the mode `new`", async () => {
  const world = await startWorld();
  await update(world, "new", { mode: "new" });
  await update(world, "sticky");
  await update(world, "sticky");
  expect(shown(world)).toEqual(["github-actions[bot]: new", "github-actions[bot]: sticky after 7c7c"]);
});

test("writes a new comment if the old one is deleted before it is edited", async () => {
  const world = await startWorld();
  await update(world, "one");
  world.api.faults.push({
    at: /^PATCH /,
    before: () => {
      world.api.comments = [];
    },
  });
  expect(await update(world, "two")).toMatchObject({ outcome: "created" });
  expect(shown(world)).toEqual(["github-actions[bot]: two after 7c7c"]);
});

test("does not write a second comment if the reply to the first one is lost", async () => {
  const world = await startWorld();
  world.api.faults.push({ at: /^POST /, status: 502, isAfter: true });
  expect(await update(world, "one")).toMatchObject({ outcome: "created" });
  expect(shown(world)).toEqual(["github-actions[bot]: one"]);
});

test("explains a comment that was not written because GitHub failed", async () => {
  const world = await startWorld();
  world.api.faults.push({ at: /^POST /, status: 502 });
  await expect(update(world, "one")).rejects.toMatchObject({ problem: { id: "github/server" } });
  expect(shown(world)).toEqual([]);
});

test("explains a locked conversation", async () => {
  const world = await startWorld();
  world.pull.isLocked = true;
  await expect(update(world, "one")).rejects.toMatchObject({
    problem: {
      id: "github/locked",
      summary:
        'POST /repos/octo-org/zones/issues/1/comments: the conversation is locked (403 "Unable to create comment because issue is locked.")',
    },
  });
});

test("names the permission that the token lacks", async () => {
  const world = await startWorld();
  const github = world.clientOf("ghs_read-only-token", { pull_requests: "read" });
  await expect(update({ ...world, github }, "one")).rejects.toMatchObject({
    problem: {
      id: "github/permission",
      summary:
        'POST /repos/octo-org/zones/issues/1/comments: the token lacks the permission `issues: write` or `pull-requests: write` (403 "Resource not accessible by integration")',
      fix: "Add `pull-requests: write` to the permissions of the job or of the token. In a pull request from a fork, the token can only read.",
    },
  });
});

test("learns from GitHub's reply that an app writes under another name than a workflow", async () => {
  const world = await startWorld();
  const app = world.api.addUser("zones-app[bot]", "Bot");
  const github = world.clientOf("ghs_token-of-an-app", { pull_requests: "write" }, { user: app });
  const asApp = { ...world, github };
  await update(asApp, "one");
  await update(asApp, "two");
  expect(shown(world)).toEqual(["zones-app[bot]: two after 7c7c"]);
});

test("finds other open pull requests that change the same zones", async () => {
  const world = await startWorld();
  const { api, repository, author } = world;
  const open = (ref: string, zones: readonly string[], rest: Partial<PullRequest> = {}, writer = bot) => {
    const pull = api.addPull({ repository, user: author, head: { repository, ref, sha: head }, ...rest });
    const hashes = shortHashes(zones);
    api.addComment(pull, writer, writeMarker("default", { ...plain, zones: hashes }));
    return pull.number;
  };
  open("same", ["example.net.", "example.com."]);
  open("other", ["example.org."]);
  open("closed", ["example.com."], { state: "closed" });
  open("stranger", ["example.com."], {}, author);
  open("another", ["example.com."]);
  const seen: unknown[] = [];
  const render: CommentUpdate["render"] = (_, others) => {
    seen.push(...others);
    return { body: "x", isEmpty: false };
  };
  const zones = ["example.com.", "example.net."];
  await update(world, "", { zones, render });
  expect(seen).toEqual([
    { number: 2, zones: ["example.com.", "example.net."] },
    { number: 6, zones: ["example.com."] },
  ]);
  expect(api.requests.filter((line) => /pulls|issues\/comments/.test(line))).toEqual([
    "GET /repos/octo-org/zones/pulls?state=open&per_page=100&page=1",
    "GET /repos/octo-org/zones/issues/comments?sort=updated&direction=desc&per_page=100&page=1",
  ]);
  seen.length = 0;
  api.faults.push({ at: "GET /repos/octo-org/zones/pulls", status: 403, body: { message: "Resource not accessible" } });
  await update(world, "", { zones, render });
  expect(seen).toEqual([]);
});

test("no value ends a marker early or is lost in it", () => {
  for (const text of [...hostileTexts, "--", "-->", "--!>", "<!--", "a--b", " -->\n# owned"]) {
    const wellFormed = Buffer.from(text).toString();
    const written = writeMarker(text, { ...plain, texts: [wellFormed] });
    expect(written).toMatch(/^<!-- (?:(?!--|[<>])[\x20-\x7e])+ -->\n$/);
    expect(readMarker(text, `${written}${text}`)?.texts).toEqual([wellFormed]);
  }
});

test.each([
  ["of another configuration", writeMarker("other", plain)],
  ["that is not at the start", ` ${writeMarker("default", plain)}`],
  ["without an end", writeMarker("default", plain).replace(" -->", "")],
  ["that is no JSON", `${markerStart("default")}{ -->`],
  ["with a digest that is none", writeMarker("default", { ...plain, digest: "**7c**" })],
  [
    "with a commit that is none",
    writeMarker("default", { ...plain, history: [{ ...plain.history[0], commit: "@octocat" } as never] }),
  ],
  ["of a later version", writeMarker("default", { ...plain, version: 2 as never })],
])("reads no marker %s", (_, body) => {
  expect(readMarker("default", body)).toBeUndefined();
});
