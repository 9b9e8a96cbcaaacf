import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import {
  artifactShape,
  branchShape,
  commentShape,
  commitShape,
  compareShape,
  environmentShape,
  protectionShape,
  pullShape,
  repositoryShape,
  reviewShape,
  rulesShape,
  runShape,
  updatedAt,
  userShape,
  wholePullShape,
} from "./shapes.ts";

export interface User {
  readonly login: string;
  readonly id: number;
  readonly type: "User" | "Bot" | "Organization";
}

export interface StoredRepository {
  readonly id: number;
  readonly owner: User;
  readonly name: string;
  readonly isFork: boolean;
  /** The tips of the branches. */
  readonly branches: Map<string, string>;
  /** The commits of the default branch, the oldest first. */
  readonly history: string[];
  /** The people who may push. */
  readonly writers: Set<User>;
  /** The rules of rulesets, and classic branch protection, of the default branch. */
  rules?: BranchRules;
  protection?: BranchRules;
  /** The branches that may use an environment, by its name; null for all. */
  readonly environments: Map<string, readonly string[] | "protected" | null>;
}

/** The rules for changes of a branch. */
export interface BranchRules {
  readonly approvals?: number;
  readonly dismissesStale?: boolean;
  readonly needsLastPushApproval?: boolean;
  readonly checks?: readonly string[];
  readonly isStrict?: boolean;
  readonly hasQueue?: boolean;
}

export interface Run {
  readonly id: number;
  readonly repository: StoredRepository;
  readonly workflow: number;
  readonly branch: string;
  readonly sha: string;
  readonly event: string;
  readonly conclusion: "success" | "failure" | null;
  /** The user whose push started it. */
  readonly actor?: User;
}

export interface Comment {
  readonly id: number;
  readonly repository: StoredRepository;
  readonly number: number;
  body: string;
  /** Undefined for a deleted account. */
  readonly user: User | undefined;
  readonly createdAt: string;
  updatedAt: string;
}

interface BranchEnd {
  readonly repository: StoredRepository;
  readonly ref: string;
  sha: string;
}

export interface Review {
  readonly id: number;
  readonly user: User;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly commit: string;
  readonly submittedAt: string;
}

export interface PullRequest {
  readonly id: number;
  readonly number: number;
  readonly repository: StoredRepository;
  title: string;
  body: string | null;
  readonly user: User;
  state: "open" | "closed";
  readonly head: BranchEnd;
  readonly base: BranchEnd;
  mergedAt?: string;
  /** The time of a comment after the merge. */
  discussedAt?: string;
  mergedBy?: User;
  mergeCommit?: string;
  isLocked: boolean;
  labels: string[];
  readonly reviews: Review[];
  /** Further commits that GitHub associates with it, such as that of a merge queue. */
  readonly commits: string[];
  /** The users that the commits name, as far as GitHub knows their addresses. */
  readonly authors: (User | undefined)[];
}

export interface Artifact {
  readonly id: number;
  readonly repository: StoredRepository;
  readonly name: string;
  readonly zip: Uint8Array;
  isExpired: boolean;
  readonly run: {
    readonly id: number;
    readonly repository: StoredRepository;
    readonly branch: string;
    readonly sha: string;
  };
  readonly createdAt: string;
}

type Level = "read" | "write";
type Permission = "actions" | "administration" | "contents" | "issues" | "pull_requests" | "checks" | "statuses";

export interface Token {
  readonly user: User;
  /** Tokens of workflows and other GitHub Apps are of an installation: they may not ask who they are. */
  readonly kind: "installation" | "person";
  readonly permissions: Partial<Record<Permission, Level>>;
  /** Whether the user has write access to the repository, so that a lock does not stop it. */
  readonly isCollaborator?: boolean;
}

/** A reply instead of that of the API, for the next request that matches. */
interface Fault {
  /** Method and path, such as `POST /repos/octo-org/zones/issues/7/comments`. */
  readonly at: string | RegExp;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Whether the request takes effect before the reply is sent. */
  readonly isAfter?: boolean;
  /** Called when the request has arrived, before anything is done. */
  readonly before?: () => unknown;
}

export const bot: User = { login: "github-actions[bot]", id: 41_898_282, type: "Bot" };
const docs = "https://docs.github.com/rest";
/** GitHub counts characters of a comment. */
const longestBody = 65_536;

/**
 * A stand-in of GitHub's REST API on 127.0.0.1, written from its public documentation and never from a client of ours:
 * comments, pull requests, artifacts, permissions of tokens, pages, rate limits. Its state is open to tests.
 */
export class GitHubStandIn {
  readonly users = new Map<string, User>();
  readonly tokens = new Map<string, Token>();
  readonly repositories: StoredRepository[] = [];
  comments: Comment[] = [];
  readonly pulls: PullRequest[] = [];
  readonly artifacts: Artifact[] = [];
  readonly runs: Run[] = [];
  /** The setting of a repository: whether workflows may open pull requests. */
  isActionsAllowed = true;
  readonly faults: Fault[] = [];
  /** Method, path and query of each request, in their order. */
  readonly requests: string[] = [];
  /** The URL of the API, without a final slash. */
  url = "";
  now = new Date("2026-03-04T12:00:00Z");
  #id = 1000;
  #server: ServerType | undefined;

  async start(): Promise<this> {
    const app = this.#routes();
    await new Promise<void>((resolve) => {
      this.#server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, (info: AddressInfo) => {
        this.url = `http://127.0.0.1:${info.port}`;
        resolve();
      });
    });
    return this;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  nextId(): number {
    return ++this.#id;
  }

  addUser(login: string, type: User["type"] = "User"): User {
    const user = { login, id: this.nextId(), type };
    this.users.set(login, user);
    return user;
  }

  addRepository(owner: User, name: string, isFork = false, branches = new Map<string, string>()): StoredRepository {
    const people = { writers: new Set<User>(), environments: new Map() };
    const repository = { id: this.nextId(), owner, name, isFork, branches, history: [], ...people };
    this.repositories.push(repository);
    return repository;
  }

  addPull(
    pull: Pick<PullRequest, "repository" | "user" | "head"> & Partial<PullRequest> & { readonly baseRef?: string },
  ): PullRequest {
    const { repository, baseRef = "main", ...rest } = pull;
    const base = { repository, ref: baseRef, sha: repository.branches.get(baseRef) ?? "0".repeat(40) };
    const made: PullRequest = {
      id: this.nextId(),
      number: this.pulls.length + 1,
      title: "Change zones",
      body: null,
      state: "open",
      isLocked: false,
      labels: [],
      reviews: [],
      commits: [],
      authors: [pull.user],
      base,
      ...rest,
      repository,
    };
    this.pulls.push(made);
    return made;
  }

  addComment(pull: PullRequest, user: User | undefined, body: string): Comment {
    const { repository, number } = pull;
    const time = this.now.toISOString().replace(".000", "");
    const comment = { id: this.nextId(), repository, number, body, user, createdAt: time, updatedAt: time };
    this.comments.push(comment);
    return comment;
  }

  /** The comments on a pull request, the oldest first. */
  commentsOf({ repository, number }: PullRequest): Comment[] {
    return this.comments.filter((one) => one.repository === repository && one.number === number);
  }

  #routes(): Hono {
    const app = new Hono();
    const repo = "/repos/:owner/:repo";

    app.use(async (c, next) => {
      const { pathname, search } = new URL(c.req.url);
      const line = `${c.req.method} ${pathname}`;
      this.requests.push(line + search);
      const index = this.faults.findIndex(({ at }) => (typeof at === "string" ? at === line : at.test(line)));
      const [fault] = index < 0 ? [] : this.faults.splice(index, 1);
      await fault?.before?.();
      if (fault?.isAfter) await next();
      if (fault?.status !== undefined) {
        c.res = undefined;
        c.res = c.json(fault.body ?? { message: "Server Error" }, fault.status as 500, fault.headers);
        return;
      }
      if (!fault?.isAfter) await next();
    });

    app.get("/user", (c) => {
      const token = this.#token(c);
      if (token instanceof Response) return token;
      if (token.kind === "installation") return c.json(...forbidden(token, "users/users#get-the-authenticated-user"));
      return c.json({
        ...userShape(this.url, token.user),
        public_repos: 0,
        public_gists: 0,
        followers: 0,
        following: 0,
      });
    });

    app.get(`${repo}/issues/:number/comments`, (c) =>
      this.#within(c, { issues: "read", pull_requests: "read" }, (repository) => {
        const number = Number(c.req.param("number"));
        if (!this.#hasIssue(repository, number)) return notFound(c);
        const all = this.comments.filter((one) => one.repository === repository && one.number === number);
        return this.#page(
          c,
          all.map((one) => commentShape(this.url, repository, one)),
        );
      }),
    );

    app.post(`${repo}/issues/:number/comments`, (c) =>
      this.#within(c, { issues: "write", pull_requests: "write" }, async (repository, token) => {
        const number = Number(c.req.param("number"));
        const pull = this.pulls.find((one) => one.repository === repository && one.number === number);
        if (pull === undefined) return notFound(c);
        if (pull.isLocked && !token.isCollaborator) {
          const message = "Unable to create comment because issue is locked.";
          return c.json({ message, documentation_url: `${docs}/issues/comments#create-an-issue-comment` }, 403);
        }
        const body = await readBody(c);
        if (body instanceof Response) return body;
        return c.json(commentShape(this.url, repository, this.addComment(pull, token.user, body)), 201);
      }),
    );

    app.get(`${repo}/issues/comments`, (c) =>
      this.#within(c, { issues: "read", pull_requests: "read" }, (repository) => {
        const all = this.comments.filter((one) => one.repository === repository);
        const key = c.req.query("sort") === "updated" ? "updatedAt" : "createdAt";
        const sign = c.req.query("direction") === "desc" ? -1 : 1;
        const sorted = all.sort((a, b) => sign * (a[key].localeCompare(b[key]) || a.id - b.id));
        return this.#page(
          c,
          sorted.map((one) => commentShape(this.url, repository, one)),
        );
      }),
    );

    app.on(["GET", "PATCH", "DELETE"], `${repo}/issues/comments/:id`, (c) => {
      const level = c.req.method === "GET" ? "read" : "write";
      return this.#within(c, { issues: level, pull_requests: level }, async (repository, token) => {
        const id = Number(c.req.param("id"));
        const comment = this.comments.find((one) => one.id === id && one.repository === repository);
        if (comment === undefined) return notFound(c);
        if (c.req.method === "GET") return c.json(commentShape(this.url, repository, comment));
        // An installation with the permission may edit any comment, as people with write access may.
        if (token.kind === "person" && !token.isCollaborator && comment.user !== token.user)
          return c.json({ message: "Must have admin rights to Repository.", documentation_url: docs }, 403);
        if (c.req.method === "DELETE") {
          this.comments = this.comments.filter((one) => one !== comment);
          return c.body(null, 204);
        }
        const body = await readBody(c);
        if (body instanceof Response) return body;
        comment.body = body;
        comment.updatedAt = this.now.toISOString().replace(".000", "");
        return c.json(commentShape(this.url, repository, comment));
      });
    });

    app.get(repo, (c) => this.#within(c, {}, (repository) => c.json(repositoryShape(this.url, repository))));

    app.get(`${repo}/pulls`, (c) =>
      this.#within(c, { pull_requests: "read" }, (repository) => {
        const { state = "open", head, base } = c.req.query();
        const all = this.pulls
          .filter((one) => one.repository === repository)
          .filter((one) => state === "all" || one.state === state)
          .filter((one) => head === undefined || head === `${one.head.repository.owner.login}:${one.head.ref}`)
          .filter((one) => base === undefined || base === one.base.ref)
          .toReversed();
        if (c.req.query("sort") === "updated") all.sort((a, b) => updatedAt(b).localeCompare(updatedAt(a)));
        return this.#page(
          c,
          all.map((one) => pullShape(this.url, repository, one)),
        );
      }),
    );

    app.post(`${repo}/pulls`, (c) =>
      this.#within(c, { pull_requests: "write" }, async (repository, token) => {
        const { title, head = "", base = "", body = null } = await readObject(c);
        if (token.kind === "installation" && !this.isActionsAllowed)
          return c.json({ message: "GitHub Actions is not permitted to create or approve pull requests." }, 403);
        const [owner, ref] = String(head).includes(":")
          ? String(head).split(":")
          : [repository.owner.login, String(head)];
        const from = this.repositories.find((one) => one.owner.login === owner && one.name === repository.name);
        const sha = from?.branches.get(ref ?? "");
        const invalid = (field: string) => ({ resource: "PullRequest", field, code: "invalid" });
        const custom = (message: string) => ({ resource: "PullRequest", code: "custom", message });
        if (typeof title !== "string" || title === "")
          return unprocessable(c, [{ resource: "PullRequest", field: "title", code: "missing_field" }]);
        if (from === undefined || sha === undefined || ref === undefined) return unprocessable(c, [invalid("head")]);
        const tip = repository.branches.get(String(base));
        if (tip === undefined) return unprocessable(c, [invalid("base")]);
        if (tip === sha) return unprocessable(c, [custom(`No commits between ${base} and ${ref}`)]);
        const same = this.pulls.find(
          (one) =>
            one.state === "open" && one.head.repository === from && one.head.ref === ref && one.base.ref === base,
        );
        if (same) return unprocessable(c, [custom(`A pull request already exists for ${owner}:${ref}.`)]);
        if (typeof body === "string" && body.length > longestBody)
          return unprocessable(c, [custom(`body is too long (maximum is ${longestBody} characters)`)]);
        const end = { repository: from, ref, sha };
        const text = body === null ? null : String(body);
        const rest = { repository, user: token.user, head: end, title, body: text, baseRef: String(base) };
        return c.json(wholePullShape(this.url, repository, this.addPull(rest)), 201);
      }),
    );

    app.on(["GET", "PATCH"], `${repo}/pulls/:number`, (c) => {
      const level = c.req.method === "GET" ? "read" : "write";
      return this.#within(c, { pull_requests: level }, async (repository) => {
        const pull = this.#pull(c, repository);
        if (pull === undefined) return notFound(c);
        if (level === "write") {
          const { title, body, state } = await readObject(c);
          if (typeof title === "string") pull.title = title;
          if (typeof body === "string") pull.body = body;
          if (state === "open" || state === "closed") pull.state = state;
        }
        return c.json(wholePullShape(this.url, repository, pull));
      });
    });

    app.get(`${repo}/pulls/:number/reviews`, (c) =>
      this.#within(c, { pull_requests: "read" }, (repository) => {
        const pull = this.#pull(c, repository);
        if (pull === undefined) return notFound(c);
        return this.#page(
          c,
          pull.reviews.map((review) => reviewShape(this.url, repository, pull, review)),
        );
      }),
    );

    app.get(`${repo}/pulls/:number/commits`, (c) =>
      this.#within(c, { pull_requests: "read" }, (repository) => {
        const pull = this.#pull(c, repository);
        if (pull === undefined) return notFound(c);
        return this.#page(
          c,
          // GitHub lists 250 at most.
          pull.authors.slice(0, 250).map((author) => commitShape(this.url, repository, pull.head.sha, author)),
        );
      }),
    );

    app.get(`${repo}/collaborators/:login/permission`, (c) =>
      this.#within(c, {}, (repository) => {
        const user = this.users.get(c.req.param("login") ?? "");
        if (user === undefined) return notFound(c);
        const permission = repository.writers.has(user) ? "write" : "read";
        return c.json({ permission, role_name: permission, user: userShape(this.url, user) });
      }),
    );

    app.post(`${repo}/issues/:number/labels`, (c) =>
      this.#within(c, { issues: "write", pull_requests: "write" }, async (repository) => {
        const pull = this.#pull(c, repository);
        if (pull === undefined) return notFound(c);
        const { labels } = await readObject(c);
        pull.labels = [...new Set([...pull.labels, ...(labels as string[])])];
        return c.json(pullShape(this.url, repository, pull).labels);
      }),
    );

    app.get(`${repo}/commits/:sha/pulls`, (c) =>
      this.#within(c, { pull_requests: "read" }, (repository) => {
        const sha = c.req.param("sha");
        const all = this.pulls
          .filter((one) => one.repository === repository)
          .filter(({ mergeCommit, head, commits }) => [mergeCommit, head.sha, ...commits].includes(sha));
        return this.#page(
          c,
          all.map((one) => pullShape(this.url, repository, one)),
        );
      }),
    );

    app.get(`${repo}/git/ref/:ref{.+}`, (c) =>
      this.#within(c, { contents: "read" }, (repository) => {
        const ref = c.req.param("ref") ?? "";
        const sha = repository.branches.get(ref.replace(/^heads\//, ""));
        if (sha === undefined || !ref.startsWith("heads/")) return notFound(c);
        const url = `${this.url}/repos/${repository.owner.login}/${repository.name}/git`;
        const object = { type: "commit", sha, url: `${url}/commits/${sha}` };
        return c.json({ ref: `refs/${ref}`, node_id: `REF_${sha}`, url: `${url}/refs/${ref}`, object });
      }),
    );

    app.get(`${repo}/rules/branches/:branch`, (c) =>
      this.#within(c, {}, (repository) =>
        this.#page(c, c.req.param("branch") === "main" ? rulesShape(repository.rules ?? {}) : []),
      ),
    );

    app.get(`${repo}/branches/:branch`, (c) =>
      this.#within(c, { contents: "read" }, (repository) => {
        const sha = repository.branches.get(c.req.param("branch") ?? "");
        return sha === undefined ? notFound(c) : c.json(branchShape(this.url, repository, { name: "main", sha }));
      }),
    );

    app.get(`${repo}/branches/:branch/protection`, (c) =>
      this.#within(c, { administration: "read" }, (repository) => {
        const { protection } = repository;
        if (protection === undefined || c.req.param("branch") !== "main")
          return c.json({ message: "Branch not protected", documentation_url: docs, status: "404" }, 404);
        return c.json(protectionShape(this.url, repository, protection));
      }),
    );

    app.get(`${repo}/environments/:name`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const name = c.req.param("name") ?? "";
        const policy = repository.environments.get(name);
        return policy === undefined ? notFound(c) : c.json(environmentShape(this.url, repository, { name, policy }));
      }),
    );

    app.get(`${repo}/environments/:name/deployment-branch-policies`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const policy = repository.environments.get(c.req.param("name") ?? "");
        const names = Array.isArray(policy) ? policy : [];
        const shapes = names.map((name: string, id) => ({ id, node_id: `DBP_${id}`, name, type: "branch" }));
        return this.#page(c, shapes, (all) => ({ total_count: names.length, branch_policies: all }));
      }),
    );

    app.get(`${repo}/actions/artifacts`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const name = c.req.query("name");
        const all = this.artifacts
          .filter((one) => one.repository === repository && (name === undefined || one.name === name))
          .toReversed();
        const shapes = all.map((one) => artifactShape(this.url, repository, one));
        return this.#page(c, shapes, (artifacts) => ({ total_count: all.length, artifacts }));
      }),
    );

    app.get(`${repo}/actions/artifacts/:id/zip`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const id = Number(c.req.param("id"));
        const artifact = this.artifacts.find((one) => one.id === id && one.repository === repository);
        if (artifact === undefined) return notFound(c);
        if (artifact.isExpired) return c.json({ message: "Artifact has expired", documentation_url: docs }, 410);
        return c.redirect(`${this.url.replace("127.0.0.1", "localhost")}/storage/${id}?sig=abc`, 302);
      }),
    );

    app.get(`${repo}/compare/:range{.+}`, (c) =>
      this.#within(c, { contents: "read" }, (repository) => {
        const [base = "", head = ""] = (c.req.param("range") ?? "").split("...");
        const [from, to] = [repository.history.indexOf(base), repository.history.indexOf(head)];
        if (from < 0 || to < 0) return notFound(c);
        return c.json(compareShape(this.url, repository, { from, to }));
      }),
    );

    app.get(`${repo}/actions/runs/:id`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const run = this.runs.find((one) => one.repository === repository && one.id === Number(c.req.param("id")));
        return run === undefined ? notFound(c) : c.json(runShape(this.url, run));
      }),
    );

    app.get(`${repo}/actions/workflows/:id/runs`, (c) =>
      this.#within(c, { actions: "read" }, (repository) => {
        const { branch, event, status } = c.req.query();
        const all = this.runs
          .filter((one) => one.repository === repository && one.workflow === Number(c.req.param("id")))
          .filter((one) => branch === undefined || one.branch === branch)
          .filter((one) => event === undefined || one.event === event)
          .filter((one) => status === undefined || one.conclusion === status)
          .toReversed();
        const shapes = all.map((one) => runShape(this.url, one));
        return this.#page(c, shapes, (runs) => ({ total_count: all.length, workflow_runs: runs }));
      }),
    );

    // The storage, on another host, refuses requests that bring a token of the API.
    app.get("/storage/:id", (c) => {
      if (c.req.header("authorization") !== undefined) return c.text("InvalidAuthenticationInfo", 400);
      const artifact = this.artifacts.find((one) => one.id === Number(c.req.param("id")));
      if (artifact === undefined) return c.text("ResourceNotFound", 404);
      return c.body(new Uint8Array(artifact.zip), 200, { "content-type": "application/zip" });
    });

    app.notFound((c) => notFound(c));
    app.onError((error) => {
      throw error;
    });
    return app;
  }

  #token(c: Context): Token | Response {
    const [, scheme, given = ""] = /^(bearer|token) (.+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
    if (scheme === undefined) return c.json({ message: "Requires authentication", documentation_url: docs }, 401);
    if (c.req.header("user-agent") === undefined) return c.text("Request forbidden by administrative rules", 403);
    return this.tokens.get(given) ?? c.json({ message: "Bad credentials", documentation_url: docs }, 401);
  }

  /** Answers inside a repository if the token has one of the permissions. */
  async #within(
    c: Context,
    accepted: Partial<Record<Permission, Level>>,
    answer: (repository: StoredRepository, token: Token) => Response | Promise<Response>,
  ): Promise<Response> {
    const token = this.#token(c);
    if (token instanceof Response) return token;
    const { owner, repo } = c.req.param() as { owner: string; repo: string };
    const repository = this.repositories.find((one) => one.owner.login === owner && one.name === repo);
    if (repository === undefined) return notFound(c);
    const isAccepted =
      Object.keys(accepted).length === 0 ||
      Object.entries(accepted).some(([name, level]) => {
        const own = token.permissions[name as Permission];
        return own === "write" || own === level;
      });
    if (isAccepted) return answer(repository, token);
    const needed = Object.entries(accepted).map(([name, level]) => `${name}=${level}`);
    c.header("x-accepted-github-permissions", needed.join("; "));
    return c.json(...forbidden(token, ""));
  }

  #hasIssue(repository: StoredRepository, number: number): boolean {
    return this.pulls.some((one) => one.repository === repository && one.number === number);
  }

  #pull(c: Context, repository: StoredRepository): PullRequest | undefined {
    const number = Number(c.req.param("number"));
    return this.pulls.find((one) => one.repository === repository && one.number === number);
  }

  /** One page of a list, with the links to the others. */
  #page<T>(c: Context, all: readonly T[], wrap: (items: T[]) => unknown = (items) => items): Response {
    const perPage = Math.min(100, Math.max(1, Number(c.req.query("per_page") ?? 30) || 30));
    const page = Math.max(1, Number(c.req.query("page") ?? 1) || 1);
    const last = Math.max(1, Math.ceil(all.length / perPage));
    const link = (to: number, rel: string) => {
      const url = new URL(c.req.url);
      url.searchParams.set("page", String(to));
      return `<${url.href}>; rel="${rel}"`;
    };
    const links = [
      ...(page > 1 ? [link(page - 1, "prev")] : []),
      ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
      ...(page > 1 ? [link(1, "first")] : []),
    ];
    if (links.length > 0) c.header("link", links.join(", "));
    return c.json(wrap(all.slice((page - 1) * perPage, page * perPage)) as object);
  }
}

function forbidden({ kind }: Token, page: string): [object, 403] {
  const what = kind === "installation" ? "integration" : "personal access token";
  return [{ message: `Resource not accessible by ${what}`, documentation_url: `${docs}/${page}`, status: "403" }, 403];
}

function notFound(c: Context): Response {
  return c.json({ message: "Not Found", documentation_url: docs, status: "404" }, 404);
}

function unprocessable(c: Context, errors: readonly object[]): Response {
  return c.json({ message: "Validation Failed", errors, documentation_url: docs, status: "422" }, 422);
}

async function readObject(c: Context): Promise<Record<string, unknown>> {
  const value: unknown = await c.req.json();
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The body of a comment, or the refusal. */
async function readBody(c: Context): Promise<string | Response> {
  const { body } = await readObject(c);
  const refuse = (message: string) =>
    unprocessable(c, [{ resource: "IssueComment", code: "unprocessable", field: "data", message }]);
  if (typeof body !== "string" || body.trim() === "") return refuse("Body cannot be blank");
  return body.length > longestBody ? refuse(`Body is too long (maximum is ${longestBody} characters)`) : body;
}
