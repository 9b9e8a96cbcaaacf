import type { components } from "@octokit/openapi-types";
import type { Artifact, BranchRules, Comment, PullRequest, Review, Run, StoredRepository, User } from "./stand-in.ts";

/** The shapes of GitHub's published description of its API, which the compiler checks. */
type Schemas = components["schemas"];

const zero = "2026-01-01T00:00:00Z";

export function userShape(api: string, { login, id, type }: User): Schemas["simple-user"] {
  const url = `${api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: "",
    url,
    html_url: `https://github.com/${encodeURIComponent(login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  };
}

export function commentShape(
  api: string,
  repository: StoredRepository,
  { id, number, body, user, createdAt, updatedAt }: Comment,
): Schemas["issue-comment"] {
  const base = `${api}/repos/${repository.owner.login}/${repository.name}/issues`;
  return {
    id,
    node_id: `IC_${id}`,
    url: `${base}/comments/${id}`,
    html_url: `https://github.com/${repository.owner.login}/${repository.name}/pull/${number}#issuecomment-${id}`,
    issue_url: `${base}/${number}`,
    body,
    user: user === undefined ? null : userShape(api, user),
    created_at: createdAt,
    updated_at: updatedAt,
    author_association: user?.type === "Bot" || user === undefined ? "NONE" : "MEMBER",
    performed_via_github_app: null,
    reactions: {
      url: `${base}/comments/${id}/reactions`,
      total_count: 0,
      "+1": 0,
      "-1": 0,
      laugh: 0,
      confused: 0,
      heart: 0,
      hooray: 0,
      eyes: 0,
      rocket: 0,
    },
  };
}

export function repositoryShape(api: string, { id, owner, name, isFork }: StoredRepository): Schemas["repository"] {
  const url = `${api}/repos/${owner.login}/${name}`;
  const html = `https://github.com/${owner.login}/${name}`;
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: `${owner.login}/${name}`,
    license: null,
    forks: 0,
    owner: userShape(api, owner),
    private: false,
    html_url: html,
    description: null,
    fork: isFork,
    url,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    git_url: `git://github.com/${owner.login}/${name}.git`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    ssh_url: `git@github.com:${owner.login}/${name}.git`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
    clone_url: `${html}.git`,
    mirror_url: null,
    hooks_url: `${url}/hooks`,
    svn_url: html,
    homepage: null,
    language: null,
    forks_count: 0,
    stargazers_count: 0,
    watchers_count: 0,
    size: 1,
    default_branch: "main",
    open_issues_count: 0,
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_downloads: true,
    has_pages: false,
    archived: false,
    disabled: false,
    pushed_at: zero,
    created_at: zero,
    updated_at: zero,
    open_issues: 0,
    watchers: 0,
  };
}

/** The time of the last change that the stand-in knows of. */
export function updatedAt({ mergedAt = zero, discussedAt = mergedAt }: PullRequest): string {
  return discussedAt;
}

export function pullShape(
  api: string,
  repository: StoredRepository,
  pull: PullRequest,
): Schemas["pull-request-simple"] {
  const { number, id, title, body, user, state, head, base, mergedAt, mergeCommit } = pull;
  const root = `${api}/repos/${repository.owner.login}/${repository.name}`;
  const url = `${root}/pulls/${number}`;
  const issue = `${root}/issues/${number}`;
  const html = `https://github.com/${repository.owner.login}/${repository.name}/pull/${number}`;
  const end = (end: PullRequest["head"]) => ({
    label: `${end.repository.owner.login}:${end.ref}`,
    ref: end.ref,
    sha: end.sha,
    user: userShape(api, end.repository.owner),
    repo: repositoryShape(api, end.repository),
  });
  return {
    url,
    id,
    node_id: `PR_${id}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${root}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${root}/statuses/${head.sha}`,
    number,
    state,
    locked: pull.isLocked,
    title,
    user: userShape(api, user),
    body,
    labels: pull.labels.map((name, index) => ({
      id: index + 1,
      node_id: `LA_${index}`,
      url: `${root}/labels/${encodeURIComponent(name)}`,
      name,
      description: "",
      color: "ededed",
      default: false,
    })),
    milestone: null,
    created_at: zero,
    updated_at: updatedAt(pull),
    closed_at: state === "closed" ? (mergedAt ?? zero) : null,
    merged_at: mergedAt ?? null,
    merge_commit_sha: mergeCommit ?? null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    head: end(head),
    base: end(base),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${root}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: `${root}/statuses/${head.sha}` },
    },
    author_association: "MEMBER",
    auto_merge: null,
    draft: false,
  };
}

/** A single pull request, which has more than one in a list. */
export function wholePullShape(api: string, repository: StoredRepository, pull: PullRequest): Schemas["pull-request"] {
  const { mergedAt, mergedBy } = pull;
  const simple = pullShape(api, repository, pull);
  return {
    ...simple,
    state: pull.state,
    user: userShape(api, pull.user),
    head: { ...simple.head, user: userShape(api, pull.head.repository.owner) },
    base: { ...simple.base, user: userShape(api, pull.base.repository.owner) },
    merged: mergedAt !== undefined,
    mergeable: mergedAt === undefined ? true : null,
    mergeable_state: mergedAt === undefined ? "clean" : "unknown",
    merged_by: mergedBy === undefined ? null : userShape(api, mergedBy),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  };
}

export function reviewShape(
  api: string,
  repository: StoredRepository,
  pull: PullRequest,
  { id, user, state, commit, submittedAt }: Review,
): Schemas["pull-request-review"] {
  const { html_url, url } = pullShape(api, repository, pull);
  return {
    id,
    node_id: `PRR_${id}`,
    user: userShape(api, user),
    body: "",
    state,
    html_url: `${html_url}#pullrequestreview-${id}`,
    pull_request_url: url,
    _links: { html: { href: `${html_url}#pullrequestreview-${id}` }, pull_request: { href: url } },
    submitted_at: submittedAt,
    commit_id: commit,
    author_association: "MEMBER",
  };
}

export function artifactShape(
  api: string,
  repository: StoredRepository,
  { id, name, zip, isExpired, run, createdAt }: Artifact,
): Schemas["artifact"] {
  const url = `${api}/repos/${repository.owner.login}/${repository.name}/actions/artifacts/${id}`;
  return {
    id,
    node_id: `A_${id}`,
    name,
    size_in_bytes: zip.length,
    url,
    archive_download_url: `${url}/zip`,
    expired: isExpired,
    created_at: createdAt,
    expires_at: "2026-12-31T00:00:00Z",
    updated_at: createdAt,
    workflow_run: {
      id: run.id,
      repository_id: repository.id,
      head_repository_id: run.repository.id,
      head_branch: run.branch,
      head_sha: run.sha,
    },
  };
}

export function runShape(
  api: string,
  { id, repository, workflow, branch, sha, event, conclusion, actor }: Run,
): Schemas["workflow-run"] {
  const root = `${api}/repos/${repository.owner.login}/${repository.name}/actions`;
  const url = `${root}/runs/${id}`;
  const { license, ...rest } = repositoryShape(api, repository);
  const repo: Schemas["minimal-repository"] = { ...rest, license: null };
  return {
    id,
    node_id: `WFR_${id}`,
    name: "zonewright apply",
    head_branch: branch,
    head_sha: sha,
    path: ".github/workflows/apply.yml",
    run_number: id,
    event,
    status: conclusion === null ? "in_progress" : "completed",
    conclusion,
    workflow_id: workflow,
    ...(actor !== undefined && { actor: userShape(api, actor) }),
    url,
    html_url: `https://github.com/${repository.owner.login}/${repository.name}/actions/runs/${id}`,
    pull_requests: [],
    created_at: zero,
    updated_at: zero,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${api}/check-suites/${id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    workflow_url: `${root}/workflows/${workflow}`,
    head_commit: null,
    repository: repo,
    head_repository: repo,
    display_title: "Change zones",
  };
}

export function commitShape(
  api: string,
  { owner, name }: StoredRepository,
  sha: string,
  user?: User,
): Schemas["commit"] {
  const root = `${api}/repos/${owner.login}/${name}`;
  const person = { name: "Alice", email: "alice@example.com", date: zero };
  return {
    url: `${root}/commits/${sha}`,
    sha,
    node_id: `C_${sha}`,
    html_url: `https://github.com/${owner.login}/${name}/commit/${sha}`,
    comments_url: `${root}/commits/${sha}/comments`,
    commit: {
      url: `${root}/git/commits/${sha}`,
      author: person,
      committer: person,
      message: "Change zones",
      comment_count: 0,
      tree: { sha, url: `${root}/git/trees/${sha}` },
    },
    author: user === undefined ? null : userShape(api, user),
    committer: user === undefined ? null : userShape(api, user),
    parents: [],
  };
}

/** The commits of the default branch from one index to another. */
export function compareShape(
  api: string,
  repository: StoredRepository,
  { from, to }: { readonly from: number; readonly to: number },
): Schemas["commit-comparison"] {
  const { owner, name, history } = repository;
  const [base = "", head = ""] = [history[from], history[to]];
  const commits = history.slice(from + 1, to + 1).map((sha) => commitShape(api, repository, sha));
  const html = `https://github.com/${owner.login}/${name}/compare/${base}...${head}`;
  const start = commitShape(api, repository, base);
  return {
    url: `${api}/repos/${owner.login}/${name}/compare/${base}...${head}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: start,
    merge_base_commit: start,
    status: from === to ? "identical" : from < to ? "ahead" : "behind",
    ahead_by: Math.max(0, to - from),
    behind_by: Math.max(0, from - to),
    total_commits: commits.length,
    // GitHub shows 250 commits at once, or a page of them.
    commits: commits.slice(0, 250),
  };
}

/** The active rules of rulesets for a branch. */
export function rulesShape(rules: BranchRules): Schemas["repository-rule-detailed"][] {
  const { approvals, dismissesStale = false, needsLastPushApproval = false, checks, isStrict = false } = rules;
  const ruleset = { ruleset_source_type: "Repository", ruleset_source: "octo-org/zones", ruleset_id: 1 } as const;
  const ofPull = {
    dismiss_stale_reviews_on_push: dismissesStale,
    require_code_owner_review: false,
    require_last_push_approval: needsLastPushApproval,
    required_approving_review_count: approvals ?? 0,
    required_review_thread_resolution: false,
  };
  const ofChecks = {
    required_status_checks: (checks ?? []).map((context) => ({ context })),
    strict_required_status_checks_policy: isStrict,
  };
  return [
    ...(approvals === undefined ? [] : [{ type: "pull_request" as const, parameters: ofPull, ...ruleset }]),
    ...(checks === undefined ? [] : [{ type: "required_status_checks" as const, parameters: ofChecks, ...ruleset }]),
    ...(rules.hasQueue ? [{ type: "merge_queue" as const, ...ruleset }] : []),
    { type: "non_fast_forward", ...ruleset },
  ];
}

/** A branch; GitHub calls it protected by classic protection and by rulesets. */
export function branchShape(
  api: string,
  repository: StoredRepository,
  { name, sha }: { readonly name: string; readonly sha: string },
): Schemas["branch-with-protection"] {
  const url = `${api}/repos/${repository.owner.login}/${repository.name}/branches/${name}`;
  const isProtected = repository.protection !== undefined || repository.rules !== undefined;
  return {
    name,
    commit: commitShape(api, repository, sha),
    _links: { html: url, self: url },
    protected: isProtected,
    protection: { enabled: isProtected },
    protection_url: `${url}/protection`,
  };
}

/** Classic branch protection. */
export function protectionShape(
  api: string,
  repository: StoredRepository,
  { approvals, dismissesStale = false, needsLastPushApproval = false, checks, isStrict = false }: BranchRules,
): Schemas["branch-protection"] {
  const url = `${api}/repos/${repository.owner.login}/${repository.name}/branches/main/protection`;
  return {
    url,
    ...(approvals !== undefined && {
      required_pull_request_reviews: {
        dismiss_stale_reviews: dismissesStale,
        require_code_owner_reviews: false,
        required_approving_review_count: approvals,
        require_last_push_approval: needsLastPushApproval,
      },
    }),
    ...(checks && {
      required_status_checks: {
        strict: isStrict,
        contexts: [...checks],
        checks: checks.map((context) => ({ context, app_id: null })),
      },
    }),
  };
}

export function environmentShape(
  api: string,
  repository: StoredRepository,
  { name, policy }: { readonly name: string; readonly policy: readonly string[] | "protected" | null },
): Schemas["environment"] {
  const url = `${api}/repos/${repository.owner.login}/${repository.name}/environments/${name}`;
  return {
    id: 1,
    node_id: "EN_1",
    name,
    url,
    html_url: url,
    created_at: zero,
    updated_at: zero,
    protection_rules: [],
    deployment_branch_policy:
      policy === null
        ? null
        : { protected_branches: policy === "protected", custom_branch_policies: policy !== "protected" },
  };
}
