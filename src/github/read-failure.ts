import type { Redactor } from "../client/secret.ts";
import { momentText } from "../diagnostics/quantities.ts";
import type { GitHubFailure } from "./github-error.ts";

/** An error reply of GitHub. */
interface ErrorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The call that failed. */
interface CallFacts {
  /** The permission that the call needs, such as `pull-requests: write`. */
  readonly needs: string;
  readonly isWrite: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The reason in an error reply. GitHub's own words are quoted, escaped and without the token. */
export function readFailure(reply: ErrorReply, facts: CallFacts, redactor: Redactor): GitHubFailure {
  const { status, headers } = reply;
  const said = redactor.quote(messageOf(reply.text), 300);
  const quoted = said === "" ? `${status}` : `${status} "${said}"`;
  const { needs } = facts;

  if (status === 429 || (status === 403 && isRateLimit(headers, said))) return rateFailure(headers, facts, quoted);
  if (status === 401)
    return {
      id: "github/token",
      what: `GitHub does not accept the token (${quoted})`,
      fix: "Set the GitHub token to one that is valid and has not expired; in a workflow, pass `${{ github.token }}`.",
      status,
    };
  if (status === 403 && /\blocked\b/i.test(said))
    return {
      id: "github/locked",
      what: `the conversation is locked (${quoted})`,
      fix: "Unlock the conversation, or read the plan in the summary of the job.",
      status,
    };
  if (status === 403 && /\bnot permitted to create\b/i.test(said))
    return {
      id: "github/permission",
      what: `the settings of the repository forbid it (${quoted})`,
      fix: "Allow GitHub Actions to create pull requests (Settings, Actions, General), or use the token of a GitHub App.",
      status,
    };
  if (status === 403)
    return {
      id: "github/permission",
      what: `the token lacks the permission \`${readAcceptedPermissions(headers, redactor) ?? needs}\` (${quoted})`,
      fix: `Add \`${needs}\` to the permissions of the job or of the token. In a pull request from a fork, the token can only read.`,
      status,
    };
  if (status === 404 || status === 410)
    return {
      id: "github/not-found",
      what: `not found on GitHub (${quoted})`,
      fix: `Check the repository and the number. GitHub gives the same reply if the token lacks \`${needs}\`.`,
      status,
    };
  if (status === 422) return { id: "github/invalid", what: `GitHub rejects the request (${quoted})`, status };
  if (status >= 500)
    return {
      id: "github/server",
      what: `GitHub failed (${quoted})`,
      fix: facts.isWrite ? "The request may have taken effect: check before you run it again." : "Run it again later.",
      status,
      isAmbiguous: facts.isWrite,
      waitMs: secondsIn(headers, "retry-after"),
    };
  if (status >= 300 && status < 400)
    return {
      id: "github/reply",
      what: `GitHub redirects to ${redactor.quote(headers.get("location") ?? "nowhere")} (${status})`,
      fix: "Use the current name of the repository; it may have been renamed or moved.",
      status,
    };
  return {
    id: "github/reply",
    what: `unexpected status (${quoted})`,
    fix: "Check GITHUB_API_URL, and any proxy between.",
    status,
  };
}

function messageOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return text;
    const { message, errors } = value as { message?: unknown; errors?: unknown };
    const details = Array.isArray(errors) ? errors.map(detailOf).filter((detail) => detail !== "") : [];
    return [typeof message === "string" ? message : "", ...details].filter((part) => part !== "").join(": ");
  } catch {
    return text;
  }
}

/** An entry of `errors`: a text, or an object with a message or a code. */
function detailOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  const { message, resource, field, code } = error as Record<string, unknown>;
  if (typeof message === "string") return message;
  return [resource, field, code].filter((part) => typeof part === "string").join(" ");
}

/** `pull_requests=write` in GitHub's header is `pull-requests: write` in a workflow. */
function readAcceptedPermissions(headers: Headers, redactor: Redactor): string | undefined {
  const accepted = headers.get("x-accepted-github-permissions");
  if (accepted === null || accepted === "") return undefined;
  const sets = accepted.split(";").map((set) =>
    set
      .split(",")
      .map((one) => one.trim().replaceAll("_", "-").replace("=", ": "))
      .join(" and "),
  );
  return redactor.quote(sets.join("` or `"), 200);
}

function isRateLimit(headers: Headers, said: string): boolean {
  return (
    headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after") || /\brate limit\b|\babuse\b/i.test(said)
  );
}

/** GitHub: without a header, wait for at least a minute. */
const secondaryWaitMs = 60_000;

function rateFailure(headers: Headers, { now }: CallFacts, quoted: string): GitHubFailure {
  const reset = headers.get("x-ratelimit-remaining") === "0" ? secondsIn(headers, "x-ratelimit-reset") : undefined;
  const waitMs =
    secondsIn(headers, "retry-after") ?? (reset === undefined ? secondaryWaitMs : Math.max(0, reset - now));
  return {
    id: "github/rate",
    what: `the token has reached a rate limit of GitHub until ${momentText(now + waitMs)} (${quoted})`,
    fix: "Run it again after that time.",
    status: 429,
    waitMs,
  };
}

/** A header with a number of seconds, in milliseconds. */
function secondsIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)?.trim() ?? "";
  return /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined;
}
