import { expect, test } from "vitest";
import { Desk } from "./run.ts";

test.each([
  ["", "message", "the label must have 1 to 64 characters."],
  [" ", "message", "the label must have 1 to 64 characters."],
  ["x".repeat(65), "message", "the label must have 1 to 64 characters."],
  ["la\ud800bel", "message", "the label contains a character that cannot be stored."],
  ["label", "\n", "the message must have 1 to 65000 characters."],
  ["label", "x".repeat(65001), "the message must have 1 to 65000 characters."],
  ["label", "a\0b", "the message contains a character that cannot be stored."],
])("refuses a notice whose texts a ticket could not have: %.10j, %.10j", async (label, message, text) => {
  expect(await new Desk().run(["server", "operator", "notice", "add", label, message])).toEqual({
    code: 64,
    out: "",
    talk: `error: ${text}\n`,
  });
});

test("accepts the longest texts, without the spaces around them", async () => {
  const desk = new Desk();
  await desk.run("server user add admin");
  const [label, message] = ["l".repeat(64), "m".repeat(65000)];
  expect(await desk.run(["server", "operator", "notice", "add", ` ${label} `, `${message}\n`])).toEqual({
    code: 0,
    out: "",
    talk: "notice 1 added for all accounts\n",
  });
  expect((await desk.run("server operator notice list")).out).toContain(`1   -        ${label}  ${message}  -\n`);
});
