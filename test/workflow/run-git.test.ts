import { expect, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { runGit } from "../../src/workflow/project/run-git.ts";
import { Desk } from "../cli/run.ts";

const secret = "s3cr3t-0f-th3-r3p0s1t0ry";

test.each([
  `http://127.0.0.1:1/x.git?private_token=${secret}`,
  `http://127.0.0.1:1/x.git#${secret}`,
  `http://127.0.0.1:1/x.git?a=1&b=${secret}/x`,
  `http://user:${secret}@127.0.0.1:1/x.git`,
  `http://${secret}@127.0.0.1:1/x.git`,
  `http://x-access-token:a/${secret}/b@127.0.0.1:1/x.git`,
  `http://x-access-token:a@${secret}@127.0.0.1:1/x.git`,
  `http://x:a'${secret}@127.0.0.1:1/x.git`,
  `https://u:${secret}?x@127.0.0.1:1/x.git?t=${secret}`,
  `nosuch://u:${secret}@127.0.0.1:1/x.git?t=${secret}`,
])("the reason of git has no secret of the URL %s", (url) => {
  const { folder } = new Desk();
  runGit(folder, ["init", "--quiet"]);
  runGit(folder, ["remote", "add", "origin", url]);
  for (const words of [
    ["ls-remote", "origin"],
    ["ls-remote", url],
  ]) {
    const reason = failureOf(() => runGit(folder, words));
    expect(reason).not.toContain(secret);
    expect(reason).toMatch(/^git ls-remote failed: ./);
  }
});

function failureOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.summary;
    throw error;
  }
  throw new Error("it did not fail");
}
