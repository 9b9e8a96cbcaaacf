import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createAsk, styleOf, widthOf } from "../../src/cli/terminal.ts";

const styles: [isTTY: boolean, env: Record<string, string>, color: boolean, unicode: boolean][] = [
  [true, {}, true, true],
  [false, {}, false, true],
  [true, { NO_COLOR: "1" }, false, true],
  [true, { NO_COLOR: "" }, true, true],
  [false, { FORCE_COLOR: "1" }, true, true],
  [true, { FORCE_COLOR: "0" }, false, true],
  [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [true, { TERM: "dumb" }, false, true],
  [true, { TERM: "linux" }, true, false],
  [true, { LANG: "C" }, true, false],
  [true, { LANG: "de_DE.UTF-8" }, true, true],
  [true, { LC_ALL: "C", LANG: "de_DE.UTF-8" }, true, false],
  [true, { LC_ALL: "de_DE.UTF-8", LANG: "C" }, true, true],
  [true, { LC_CTYPE: "POSIX" }, true, false],
];

test.each(styles)("terminal: %j, %j: colour %j, unicode %j", (isTTY, env, color, unicode) => {
  expect(styleOf({ isTTY }, env)).toEqual({ color, unicode });
});

test("terminals report their current width, pipes none", () => {
  const terminal = {
    isTTY: true,
    columns: 80,
    _refreshSize: () => {
      terminal.columns = 40;
    },
  };
  expect([widthOf(terminal), widthOf({ isTTY: true, columns: 0 }), widthOf({ columns: 80 })]).toEqual([
    40,
    80,
    undefined,
  ]);
});

/** Keys, the answer, and whether the program is to stop. */
const answers: [what: string, keys: string | undefined, answer: string | undefined, isInterrupted: boolean][] = [
  ["a line", "yes\r", "yes", false],
  ["an empty line", "\r", "", false],
  ["Ctrl-C", "y\u0003", undefined, true],
  ["Ctrl-D", "\u0004", undefined, false],
  ["Ctrl-D before the question", "\0", undefined, false],
  ["the end of the input", undefined, undefined, false],
];

test.each(answers)("%s", async (_, keys, answer, isInterrupted) => {
  const input = new PassThrough();
  const output = new PassThrough();
  let interrupted = false;
  const ask = createAsk(input, output, () => {
    interrupted = true;
  });
  const answered = ask("Apply 3 writes? [y/N] ");
  await new Promise((resolve) => output.once("data", resolve)); // the question is asked
  if (keys === undefined) input.end();
  else input.write(keys);
  expect([await answered, interrupted]).toEqual([answer, isInterrupted]);
});
