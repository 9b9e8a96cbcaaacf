import { expect, test } from "vitest";
import { createClient, readBaseUrl } from "../../src/client/client.ts";
import { formatProblem } from "../../src/diagnostics/frame.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";

test.each([
  ["http://127.0.0.1:4119", "http://127.0.0.1:4119/v4"],
  ["http://127.0.0.1:4119/", "http://127.0.0.1:4119/v4"],
  ["http://[::1]:4119", "http://[::1]:4119/v4"],
  ["https://api.example.com/v4", "https://api.example.com/v4"],
  ["https://api.example.com/v4/", "https://api.example.com/v4"],
  ["https://api.example.com/v4beta", "https://api.example.com/v4beta"],
  ["https://api.example.com/dns", "https://api.example.com/dns/v4"],
  ["https://api.example.com/dns/v4", "https://api.example.com/dns/v4"],
  ["https://api.example.com/v45", "https://api.example.com/v45/v4"],
])("%s → %s", (text, expected) => {
  expect(readBaseUrl(text).href).toBe(expected);
});

const scheme = "the base URL does not start with http:// or https://";
const secret = "the base URL contains a user name or a password";
const more = "the base URL contains a query or a fragment";

test.each([
  ["", scheme],
  ["127.0.0.1:4119", scheme],
  ["localhost:4119", scheme],
  ["ftp://api.example.com", scheme],
  ["http://", scheme],
  ["https://user:hunter2@api.example.com", secret],
  ["https://api.example.com/?token=hunter2", more],
  ["https://api.example.com/#top", more],
])("rejects %s", (baseUrl, summary) => {
  expect(refusal(() => createClient({ baseUrl }))).toBe(
    `error[client/base-url] ${summary}\n  Write scheme and host, such as "http://127.0.0.1:4119".`,
  );
});

test.each(["", "two words", "with a line break\n", "café"])("rejects token %j without quoting it", (token) => {
  expect(refusal(() => createClient({ baseUrl: "http://api", token }))).toBe(
    "error[client/token] the token is empty, or contains a space, a line break or a character outside ASCII\n" +
      "  Replace it with the token only.",
  );
});

function refusal(create: () => unknown): string {
  try {
    create();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map((found) => formatProblem(found)).join("\n");
  }
  return "nothing refused";
}

test.each(["http://127.0.0.1:99999", "https://api.example.com:65536/v4", "HTTP://localhost:123456?x"])(
  "names the port of %s",
  (text) => {
    const [, port] = /:(\d+)/.exec(text) ?? [];
    expect(() => readBaseUrl(text)).toThrow(`the base URL has the port ${port}, and ports end at 65535`);
  },
);
