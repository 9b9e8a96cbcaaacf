import { type ProblemError, problemError } from "../diagnostics/problem.ts";

/**
 * Reads the base URL of the API: scheme and host, optionally with a path; `/v4` is added unless the path already ends
 * in `/v4` or `/v4beta` (decisions/documents#versions). The result has no trailing slash. @throws {ProblemError} if it
 * is invalid. The text is not quoted, because it may contain a password.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    const [, port = ""] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
    if (Number(port) > 65_535) throw baseUrlError(`the base URL has the port ${port}, and ports end at 65535`);
    throw baseUrlError("the base URL does not start with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw baseUrlError("the base URL contains a user name or a password");
  if (url.search !== "" || url.hash !== "") throw baseUrlError("the base URL contains a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = /\/v4(beta)?$/.test(path) ? path : `${path}/v4`;
  return url;
}

function baseUrlError(summary: string): ProblemError {
  const fix = 'Write scheme and host, such as "http://127.0.0.1:4119".';
  return problemError("client/base-url", summary, { fix });
}
