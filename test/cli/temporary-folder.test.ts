import { expect, test } from "vitest";
import { cleanEnv, runProgram } from "../run-program.ts";
import { programWords } from "./process.ts";
import { Desk } from "./run.ts";

test.each(["demo", "man"])("%s names a temporary folder that is missing", async (line) => {
  const { folder } = new Desk();
  const env = { ...cleanEnv(folder), TMPDIR: `${folder}/missing` };
  const { code, out, talk } = await runProgram([...programWords, line], { cwd: folder, env });
  expect({ code, out, talk: talk.replaceAll(folder, "FOLDER") }).toEqual({
    code: 1,
    out: "",
    talk: `error[file-write] no temporary folder can be made in FOLDER/missing: it does not exist
  Set TMPDIR to a folder in which you may write.
`,
  });
});
