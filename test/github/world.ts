import { zipSync } from "fflate";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { createGitHub, type GitHub } from "../../src/github/client.ts";
import {
  type Artifact,
  bot,
  GitHubStandIn,
  type PullRequest,
  type StoredRepository,
  type Token,
  type User,
} from "./stand-in.ts";

export const head = "4be19c2".padEnd(40, "0");
export const tip = "7".repeat(40);
export const actionsToken = "ghs_token-of-the-workflow";

/** A repository `octo-org/zones` on a stand-in of GitHub, with an open pull request and the token of a workflow. */
export interface World {
  readonly api: GitHubStandIn;
  readonly repository: StoredRepository;
  readonly named: { readonly owner: string; readonly name: string };
  readonly pull: PullRequest;
  readonly author: User;
  readonly github: GitHub;
  /** The waits of the client, in milliseconds. */
  readonly waits: number[];
  /** A client with another token. */
  clientOf(token: string, permissions?: Token["permissions"], rest?: Partial<Token>): GitHub;
}

export async function startWorld(): Promise<World> {
  const api = await new GitHubStandIn().start();
  onTestFinished(() => api.close());
  const organization = api.addUser("octo-org", "Organization");
  const author = api.addUser("alice");
  const repository = api.addRepository(organization, "zones");
  repository.branches.set("main", tip).set("new-names", head);
  const pull = api.addPull({ repository, user: author, head: { repository, ref: "new-names", sha: head } });
  const waits: number[] = [];
  const clock: Clock = { now: () => Date.UTC(2026, 2, 4, 12), sleep: async (ms) => waits.push(ms) };
  const clientOf: World["clientOf"] = (token, permissions = {}, rest = {}) => {
    api.tokens.set(token, { user: bot, kind: "installation", permissions, ...rest });
    return createGitHub({ token, apiUrl: api.url, clock });
  };
  const github = clientOf(actionsToken, { pull_requests: "write", contents: "read", actions: "read" });
  return { api, repository, named: { owner: "octo-org", name: "zones" }, pull, author, github, waits, clientOf };
}

/** Adds the artifact 9 of a run, with a plan file. */
export function addPlanArtifact({ api, repository }: Pick<World, "api" | "repository">, run: Artifact["run"]): void {
  const zip = zipSync({ "plan.json": Buffer.from("{}") });
  const createdAt = "2026-03-04T12:00:00Z";
  api.artifacts.push({ id: 9, repository, name: "plan", zip, isExpired: false, run, createdAt });
}
