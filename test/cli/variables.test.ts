import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { variables } from "../../src/workflow/project/variables.ts";
import { readPage } from "../docs/page.ts";
import { Desk } from "./run.ts";

const files = { "zones/example.com.yaml": "soa_email: a@example.com\nrecords: {}\n" };

test.each([
  ["ZONEWRIGHT_URL", " Did you mean ZONEWRIGHT_API_URL?"],
  ["ZONEWRIGHT_API_TOKEN", " Did you mean ZONEWRIGHT_TOKEN?"],
  ["ZONEWRIGHT_TOKENFILE", " Did you mean ZONEWRIGHT_TOKEN_FILE?"],
  ["zonewright_token", " Did you mean ZONEWRIGHT_TOKEN?"],
  ["ZONEWRIGHT_VERIFY_KEY", " Did you mean ZONEWRIGHT_VERIFY_KEYS?"],
  ["ZONEWRIGHT_TOKNE", " Did you mean ZONEWRIGHT_TOKEN?"],
  ["ZONEWRIGHT_TOKEN_FIEL", " Did you mean ZONEWRIGHT_TOKEN_FILE?"],
  ["ZONEWRIGHT_CONFIG", " Set --config instead."],
  ["ZONEWRIGHT_ZONES", " Set --zones instead."],
  ["ZONEWRIGHT_SOMETHING_ELSE", ""],
  ["ZONEWRIGHT_FOO", ""],
  ["ZONEWRIGHT_KEY", ""],
  ["ZONEWRIGHT_HOME", ""],
])("a command says that %s is not read", async (name, hint) => {
  const { code, talk } = await new Desk(files).run("validate", { env: { [name]: "x" } });
  expect([code, talk]).toEqual([0, `warning: the variable ${name} is set, but zonewright does not read it.${hint}\n`]);
});

test("variables that are read, empty ones and those of the workflows are not told, and completion is silent", async () => {
  const desk = new Desk(files);
  const read = Object.fromEntries([...variables.keys()].map((name) => [name, "x"]));
  const others = { ZONEWRIGHT_URL: "", ZONEWRIGHT_READ_TOKEN: "x", ZONEWRIGHT_WRITE_TOKEN: "x" };
  expect((await desk.run("validate", { env: { ...read, ...others } })).talk).toBe("");
  expect((await desk.run("__complete zones", { env: { ZONEWRIGHT_URL: "x" } })).talk).toBe("");
});

test("the variables are those of the documentation and of the manual page", async () => {
  const documented = [...readPage("docs/configuration.md").matchAll(/^\| `(ZONEWRIGHT_\w+)` \| /gm)].map(
    ([, name]) => name,
  );
  expect(documented.sort()).toEqual([...variables.keys()].sort());
  const { out } = await new Desk().run("man --source");
  for (const name of variables.keys()) expect(out).toContain(`.B ${name}\n`);
});

test("no file of the workflows passes on a variable that is told", () => {
  const texts = ["templates/zonewright.yml", "docs/ci.md", "action.yml"]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const names = new Set(texts.match(/ZONEWRIGHT_[A-Z_]+/g));
  const ofTarget = ["ZONEWRIGHT_OFFICE_TOKEN", "ZONEWRIGHT_OFFICE_TSIG_KEY"]; // of projects with the target `office`
  const secret = "ZONEWRIGHT_OFFICE_READ_TSIG_KEY"; // of GitHub, from which a step gets a variable of another name
  const known = [...variables.keys(), "ZONEWRIGHT_READ_TOKEN", "ZONEWRIGHT_WRITE_TOKEN", ...ofTarget, secret];
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
});
