import { problemError } from "../diagnostics/problem.ts";

/** A repository on GitHub. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** Reads `owner/name`, as in GITHUB_REPOSITORY. @throws {ProblemError} `github/repository` */
export function readRepository(text: string): Repository {
  const [, owner, name] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(text) ?? [];
  if (owner === undefined || name === undefined || [owner, name].some((part) => /^\.+$/.test(part))) {
    const fix = "Set GITHUB_REPOSITORY to OWNER/NAME, such as octo-org/zones.";
    const summary = text === "" ? "GITHUB_REPOSITORY is not set" : `"${text}" is not the name of a repository`;
    throw problemError("github/repository", summary, { fix });
  }
  return { owner, name };
}

/** The path of the repository in the API, and of what is inside it. */
export function repositoryApiPath(
  { owner, name }: Repository,
  ...rest: readonly (string | number)[]
): (string | number)[] {
  return ["repos", owner, name, ...rest];
}
