import { expect, test } from "vitest";
import type { Context } from "../../src/cli/context.ts";
import { UsageError } from "../../src/cli/exit-code.ts";
import { codeOf, tell } from "../../src/cli/tell.ts";
import { Refusal } from "../../src/diagnostics/diagnostic.ts";

/** Which exit code a rule has (docs: Exit codes). */
const codes: [rule: string, code: number][] = [
  ["cname-alone", 3],
  ["config-value", 3],
  ["token-missing", 3],
  ["zone-unknown", 3],
  ["client/base-url", 3],
  ["client/token", 3],
  ["api/token", 1],
  ["api/server", 1],
  ["transport/refused", 1],
  ["client/list-changed", 1],
  ["live-record", 1],
  ["not-rendered", 1],
  ["file-write", 1],
  ["store-open", 1],
  ["listen", 1],
  ["api/rate", 8],
  ["api/maintenance", 8],
];

test.each(codes)("%s: %i", (rule, code) => {
  expect(codeOf(new Refusal([{ severity: "error", rule, summary: "no" }]))).toBe(code);
});

test("a call that makes no sense: 64; what nobody foresaw: 1", () => {
  expect([codeOf(new UsageError("no")), codeOf(new TypeError("no")), codeOf("no")]).toEqual([64, 1, 1]);
});

test("what nobody foresaw is shown with its stack, without the token and without what a terminal obeys", () => {
  let talk = "";
  const context = {
    cwd: "/",
    env: { ZONEWRIGHT_TOKEN: "secret-for-tests" },
    talk: (text: string) => {
      talk += text;
    },
  } as unknown as Context;
  const error = new TypeError("no \u001b[2J with secret-for-tests");
  error.stack = `${error}\n    at somewhere`;
  expect(tell(context, error)).toBe(1);
  expect(talk).toBe(
    "zonewright met an error that it does not know. Please report it with this text:\nTypeError: no \\x1b[2J with [token]\n    at somewhere\n",
  );
});
