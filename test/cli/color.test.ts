import { expect, test } from "vitest";
import { Desk } from "./run.ts";

const zone = "records:\n  www: { A: nothing }\n";

/** `validate` uses the same styles as every other command. */
test.each([
  ["always", true],
  ["never", false],
  ["auto", false],
])("--color %s", async (when, isColored) => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  desk.obeys = true;
  const { code, out, talk } = await desk.run(`validate --color ${when}`);
  expect({ code, isColored: (out + talk).includes("\u001b[31m") }).toEqual({ code: 3, isColored });
});

test("rejects --color sometimes", async () => {
  expect(await new Desk().run("validate --color sometimes")).toEqual({
    code: 64,
    out: "",
    talk: "error: option '--color <when>' argument 'sometimes' is invalid. Allowed choices are always, never, auto.\n  Run `zonewright validate --help` for its usage.\n",
  });
});
