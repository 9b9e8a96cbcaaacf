import { ProblemError, problem } from "../diagnostics/problem.ts";

/**
 * Where the API begins: scheme and host, optionally with a path; `/v4` is added unless the path ends in `/v4` or
 * `/v4beta` already (first document, Versioning). The result has no trailing slash.
 * @throws {ProblemError} when it is not such an address. The text is not quoted: it may hold a password.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw baseUrlError("The base URL is not an address that begins with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw baseUrlError("The base URL holds a user name or a password");
  if (url.search !== "" || url.hash !== "") throw baseUrlError("The base URL holds a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = /\/v4(beta)?$/.test(path) ? path : `${path}/v4`;
  return url;
}

function baseUrlError(summary: string): ProblemError {
  const fix = "Give scheme and host, like http://127.0.0.1:4119.";
  return new ProblemError(problem("client/base-url", summary, { fix }));
}
