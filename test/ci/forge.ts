import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import { bundle } from "../../action/bundle.ts";
import { type ApiDesk, apiDesk } from "../cli/run.ts";
import { type Comment, GitHubStandIn, type PullRequest, type Review, type User } from "../github/stand-in.ts";
import { Repository, Workplace } from "./checkout.ts";
import { type Event, type Forge, runWorkflow } from "./runner.ts";
import { readWorkflow } from "./workflow-files.ts";

/** The folder of the action that `useBundle` makes. */
export const bundledAction = mkdtempSync(join(tmpdir(), "zonewright-forge-action-"));

/** Has the tests of a file run the bundle of the present sources. */
export function useBundle(): void {
  beforeAll(async () => {
    process.once("exit", () => rmSync(bundledAction, { recursive: true, force: true }));
    writeFileSync(join(bundledAction, "package.json"), '{ "type": "module" }');
    await bundle(bundledAction);
  }, 60_000);
}

/** The branches of a repository, as they are at each question. */
class BranchesOf extends Map<string, string> {
  readonly #origin: Repository;

  constructor(origin: Repository) {
    super();
    this.#origin = origin;
  }

  override get(branch: string): string | undefined {
    const ref = `refs/heads/${branch}`;
    return this.#origin.refs(ref).includes(ref) ? this.#origin.git("rev-parse", ref) : undefined;
  }
}

/** A repository of zones on a stand-in of GitHub with the shipped workflows, and the account of its variables. */
export class ZoneForge {
  readonly desk: ApiDesk;
  readonly api: GitHubStandIn;
  readonly forge: Forge;
  /** A clone in which the authors work. */
  readonly work: Repository;
  /** The users that pushed last to pull requests. */
  readonly #pushers = new Map<PullRequest, User>();
  /** A person who may push, and opens pull requests; one who may not, and opens them from a fork. */
  readonly author: User;
  readonly outsider: User;
  /** The commits that the merge queue has made of pull requests. */
  readonly #queued = new Map<PullRequest, string>();
  /** People who may push: one reviews, another one merges. */
  readonly reviewer: User;
  readonly merger: User;

  private constructor(desk: ApiDesk, forge: Forge, work: Repository) {
    this.desk = desk;
    this.forge = forge;
    this.api = forge.api;
    this.work = work;
    this.author = this.api.addUser("alice");
    this.outsider = this.api.addUser("mallory");
    this.reviewer = this.api.addUser("bob");
    this.merger = this.api.addUser("carol");
    for (const user of [this.author, this.reviewer, this.merger]) forge.repository.writers.add(user);
  }

  /** Begins with these files on `main`, and with these programs (shell scripts by their names) on the runners. */
  static async create(
    files: Readonly<Record<string, string>>,
    programs: Readonly<Record<string, string>> = {},
  ): Promise<ZoneForge> {
    const desk = await apiDesk();
    const api = await new GitHubStandIn().start();
    onTestFinished(() => api.close());
    const place = new Workplace();
    for (const [name, script] of Object.entries(programs)) place.addProgram(name, script);
    const origin = Repository.createBare(join(place.folder, "zones.git"));
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true"); // as GitHub allows it
    const work = Repository.clone(origin.folder, join(place.folder, "work"));
    const owner = api.addUser("octo-org", "Organization");
    const repository = api.addRepository(owner, "zones", false, new BranchesOf(origin));
    repository.history.push(work.commit("Begin", { ".gitignore": ".zonewright/\n", ...files }));
    work.git("push", "--quiet", "origin", "main");
    const folder = join(place.folder, "runners");
    mkdirSync(folder);
    const forge: Forge = {
      api,
      repository,
      origin,
      secrets: { ZONEWRIGHT_READ_TOKEN: await desk.mint({ scopes: "domains:read_only events:read_only" }) },
      environments: {
        dns: { ZONEWRIGHT_WRITE_TOKEN: await desk.mint({ scopes: "domains:read_write events:read_only" }) },
      },
      vars: { ZONEWRIGHT_API_URL: desk.url },
      folder,
      path: place.path,
      action: bundledAction,
    };
    return new ZoneForge(desk, forge, work);
  }

  /** Opens a pull request from a branch that changes files; from a fork if it is said. */
  openPull(branch: string, files: Readonly<Record<string, string>>, from: "branch" | "fork" = "branch"): PullRequest {
    const { api, forge, work } = this;
    this.#tick();
    work.git("checkout", "--quiet", "-B", branch, "main");
    const sha = work.commit(`Change ${branch}`, files);
    const isFork = from === "fork";
    const user = isFork ? this.outsider : this.author;
    const repository = isFork ? api.addRepository(user, "zones", true) : forge.repository;
    if (isFork) repository.branches.set(branch, sha);
    const pull = api.addPull({ repository: forge.repository, user, head: { repository, ref: branch, sha } });
    this.#pushPull(pull);
    return pull;
  }

  /** Fetches the branch of a pull request that a workflow opened, and publishes its refs. */
  adopt(pull: PullRequest): void {
    this.work.git("fetch", "--quiet", "origin", pull.head.sha);
    this.#pushPull(pull);
  }

  /** Adds a commit to the branch of a pull request; it may name another user than the one who pushes it. */
  pushTo(pull: PullRequest, files: Readonly<Record<string, string>>, pusher = this.author, author = pusher): void {
    this.work.git("checkout", "--quiet", pull.head.ref);
    pull.head.sha = this.work.commit("Change more", files);
    pull.authors.push(author);
    this.#pushers.set(pull, pusher);
    this.#pushPull(pull);
  }

  /** Publishes the refs of a pull request as GitHub does: its head, and its merge with the base. */
  #pushPull({ number, head }: PullRequest): void {
    const { work } = this;
    if (!head.repository.isFork) work.git("push", "--quiet", "--force", "origin", `${head.sha}:refs/heads/${head.ref}`);
    work.git("checkout", "--quiet", "--detach", "main");
    work.git("merge", "--quiet", "--no-ff", "--strategy-option", "theirs", "--message", `Merge ${head.ref}`, head.sha);
    work.git(
      "push",
      "--quiet",
      "--force",
      "origin",
      `${head.sha}:refs/pull/${number}/head`,
      `HEAD:refs/pull/${number}/merge`,
    );
    work.git("checkout", "--quiet", "main");
  }

  /** Moves the clock of GitHub on, and returns its time. */
  #tick(): string {
    this.api.now = new Date(this.api.now.getTime() + 60_000);
    return this.api.now.toISOString().replace(".000", "");
  }

  /** Has the reviewer approve the last push of a pull request. */
  approve(pull: PullRequest, user = this.reviewer): void {
    this.review(pull, user, "APPROVED");
  }

  review(pull: PullRequest, user: User, state: Review["state"]): void {
    const submittedAt = this.#tick();
    pull.reviews.push({ id: this.api.nextId(), user, state, commit: pull.head.sha, submittedAt });
  }

  /** Writes a comment on a pull request. */
  comment(pull: PullRequest, user: User, body: string) {
    this.#tick();
    return this.api.addComment(pull, user, body);
  }

  /** Edits a comment, as people with write access may. */
  edit(comment: Comment, body: string): void {
    comment.updatedAt = this.#tick();
    comment.body = body;
  }

  /** Merges a pull request by squash. */
  squash(pull: PullRequest, mergedBy = this.merger): void {
    const { work } = this;
    work.git("checkout", "--quiet", "main");
    work.git("merge", "--quiet", "--squash", "--strategy-option", "theirs", pull.head.sha);
    work.git("commit", "--quiet", "--allow-empty", "--message", `${pull.title} (#${pull.number})`);
    const sha = this.#publish();
    Object.assign(pull, { state: "closed", mergedAt: this.#tick(), mergedBy, mergeCommit: sha });
  }

  /** Merges the commits of a merge queue, the last of which contains the earlier ones: `main` moves to it. */
  mergeQueue(pulls: readonly PullRequest[], mergedBy = this.merger): void {
    const { work, forge } = this;
    work.git("checkout", "--quiet", "main");
    for (const pull of pulls) {
      const sha = this.#queued.get(pull) ?? "";
      work.git("fetch", "--quiet", "origin", sha);
      work.git("merge", "--quiet", "--ff-only", sha);
      forge.repository.history.push(sha);
      Object.assign(pull, { state: "closed", mergedAt: this.#tick(), mergedBy, mergeCommit: sha });
    }
    work.git("push", "--quiet", "origin", "main");
  }

  /** Pushes commits to `main` without a pull request. */
  pushDirectly(files: Readonly<Record<string, string>>, commits = 1): void {
    const { work } = this;
    work.git("checkout", "--quiet", "main");
    for (let left = commits; left > 1; left--) {
      work.git("commit", "--quiet", "--allow-empty", "--message", `Empty ${left}`);
      this.forge.repository.history.push(work.git("rev-parse", "HEAD"));
    }
    work.commit("Push without a pull request", files);
    this.#publish();
  }

  #publish(): string {
    const { work, forge } = this;
    const sha = work.git("rev-parse", "HEAD");
    work.git("push", "--quiet", "origin", "main");
    forge.repository.history.push(sha);
    return sha;
  }

  /** Runs one of the shipped workflows. */
  run(workflow: "check" | "plan" | "apply" | "drift", event: Event) {
    return this.runFile(`examples/github/${workflow}.yml`, event);
  }

  /** Runs a workflow, or only some of its jobs. */
  runFile(file: string, event: Event, only?: readonly string[]) {
    const workflow = readWorkflow(file);
    const jobs = Object.entries(workflow.jobs).filter(([name]) => only === undefined || only.includes(name));
    return runWorkflow(this.forge, { ...workflow, jobs: Object.fromEntries(jobs) }, event);
  }

  pullEvent(pull: PullRequest): Event {
    const { forge } = this;
    const { head, number } = pull;
    const ref = `refs/pull/${number}/merge`;
    const { owner, name, isFork } = head.repository;
    const repo = { full_name: `${owner.login}/${name}`, fork: isFork, id: head.repository.id };
    const base = { ref: "main", sha: pull.base.sha, repo: { full_name: "octo-org/zones" } };
    const payload = {
      action: "synchronize",
      number,
      pull_request: { number, head: { sha: head.sha, ref: head.ref, repo }, base },
    };
    const sha = forge.origin.git("rev-parse", ref);
    const actor = this.#pushers.get(pull) ?? pull.user;
    return { name: "pull_request", payload, ref, sha, head: { branch: head.ref, sha: head.sha }, isFork, actor };
  }

  /** The event of a merge queue that is about to merge a pull request, behind others that it has queued. */
  queueEvent(pull: PullRequest, behind?: PullRequest): Event {
    const { work } = this;
    const base = (behind && this.#queued.get(behind)) ?? "main";
    work.git("checkout", "--quiet", "--detach", base);
    work.git("merge", "--quiet", "--squash", "--strategy-option", "theirs", pull.head.sha);
    work.git("commit", "--quiet", "--allow-empty", "--message", `${pull.title} (#${pull.number})`);
    const sha = work.git("rev-parse", "HEAD");
    const branch = `gh-readonly-queue/main/pr-${pull.number}-${work.git("rev-parse", base)}`;
    const ref = `refs/heads/${branch}`;
    work.git("push", "--quiet", "origin", `HEAD:${ref}`);
    work.git("checkout", "--quiet", "main");
    this.#queued.set(pull, sha);
    const payload = {
      action: "checks_requested",
      merge_group: { head_sha: sha, head_ref: ref, base_ref: "refs/heads/main" },
    };
    return { name: "merge_group", payload, ref, sha, head: { branch, sha } };
  }

  /** An event on the tip of main. */
  mainEvent(name: "push" | "schedule"): Event {
    const sha = this.forge.origin.git("rev-parse", "refs/heads/main");
    return {
      name,
      payload: { ref: "refs/heads/main", after: sha },
      ref: "refs/heads/main",
      sha,
      head: { branch: "main", sha },
    };
  }
}

/** The outcomes of the job `check`, which succeeds if the zone files are valid. */
export function checkOutcome(validated: "valid" | "invalid", planned: "changes" | "skipped"): string[] {
  return [
    validated === "valid" ? "success" : "failure",
    "actions/checkout: success",
    "Fetch the published snapshot: success",
    `Validate: ${validated}`,
    `Plan against the snapshot: ${planned}`,
  ];
}
