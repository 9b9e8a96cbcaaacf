import { expect, test } from "vitest";
import { guards } from "../../src/planner/blocks/guards.ts";
import { type ApiDesk, apiDesk, Desk, lines } from "../cli/run.ts";
import { actionsToken, head, startWorld } from "../github/world.ts";
import { hostileTexts } from "../report/hostile-texts.ts";
import { runStep, type StepResult } from "./step.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.1 }
`;

/** Texts that runners, and those who read their outputs, might obey. */
const commands: readonly string[] = [
  "::error::x",
  "  ::error file=a,line=1::x",
  "a\n::add-mask::example\nb",
  "a\r::set-output name=result::applied\rb",
  "::stop-commands::end",
  "::set-env name=PATH::/tmp",
  "::add-path::/tmp",
  "::save-state name=x::y",
  "::group::x",
  "::endgroup::",
  "::echo::on",
  "::debug::x",
  "::add-matcher::x.json",
  "##[error]x",
  "a ##[set-output name=result]applied",
  "##[add-mask]example",
  "##vso[task.complete result=Succeeded]",
  "\u2028::error::x",
  "\u0085::error::x",
  "\u000b::error::x",
  "\ufeff::error::x",
  "result<<EOF\napplied\nEOF",
  "x\nresult=applied\nundo-id<<x\n1\nx",
  "%0A::error::x",
  "</details></summary><script>alert(1)</script>",
];

const defaultOutputs = [
  "result",
  "legacy-result",
  "effect-digest",
  "artifact-name",
  "plan-path",
  "creates",
  "changes",
  "deletes",
].concat(["zones", "needs-approval", "report-path", "undo-id"]);

/** Asserts that a step obeys no command besides its own, and adds no output. */
function expectHarmless(step: StepResult, own: readonly string[]): void {
  expect([...new Set(step.commands.map(({ name }) => name))].sort()).toEqual([...own].sort());
  expect(Object.keys(step.outputs)).toEqual(defaultOutputs);
  for (const value of Object.values(step.outputs)) expect(value).toMatch(/^[\w./:-]{0,200}$/);
  for (const { properties } of step.commands.filter(({ name }) => name !== "add-mask")) {
    const { file = "zones/example.com.yaml", line = "1", col = "1", endColumn = "2", title = "", ...rest } = properties;
    expect([file, line, col, endColumn].join(" ")).toMatch(/^zones\/[\w.]+ \d+ \d+ \d+$/);
    expect([title.includes("\n"), rest]).toEqual([false, {}]);
  }
  expect(step.log).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
}

/** An account whose live zone has hostile values, in records, settings and names. */
async function attacked(): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  // The API stores neither NUL nor halves of surrogate pairs, and no empty text.
  const texts = [...commands, ...hostileTexts].filter((text) => !/[\0\p{Surrogate}]|^$/u.test(text));
  expect(texts.length).toBeGreaterThan(120);
  const settings = { soa_email: "hostmaster@example.com", description: commands.join("\n").slice(0, 200) };
  await desk.call("POST", "/domains", { domain: "example.com", type: "master", ...settings });
  for (const target of texts) await desk.call("POST", "/domains/1/records", { type: "TXT", name: "", target });
  await desk.call("POST", "/domains/1/records", { type: "TXT", name: "::error::name", target: "x" });
  desk.writes.length = 0;
  return desk;
}

test("hostile live values reach no command, no output and no comment as more than text", async () => {
  const [desk, world] = await Promise.all([attacked(), startWorld()]);
  desk.secrets.push(actionsToken);
  const env = { GITHUB_API_URL: world.api.url, GITHUB_REPOSITORY: "octo-org/zones", GITHUB_RUN_ID: "7" };
  const repo = { full_name: "octo-org/zones" };
  const event = { pull_request: { number: 1, head: { sha: head, repo }, base: { repo } } };
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url, "github-token": actionsToken };
  const step = await runStep(desk, { ...inputs, "fail-on": "never" }, { env, event });
  expect([step.code, step.outputs.result]).toEqual([0, "blocked"]);
  expectHarmless(step, ["add-mask", "error", "notice", "stop-commands"]);
  expect(step.log).toContain("::error::x");
  for (const text of [step.summary, ...world.api.commentsOf(world.pull).map(({ body }) => body.replace(/^.*\n/, ""))]) {
    expect(text).toContain("::error::x");
    expect(text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/gs, "")).not.toMatch(/<script|evil\.example|::error|@octocat/);
  }
});

const hostileFiles = commands.map((text): [string, string] => [
  JSON.stringify(text),
  `soa_email: hostmaster@example.com\nrecords:\n  ${JSON.stringify(text)}: { A: nonsense, TXT: ${JSON.stringify(text)} }\n${JSON.stringify(text)}: x\n`,
]);

test("hostile zone files reach no command and no output", async () => {
  const files = hostileFiles.map(([, text], index) => [`zones/z${index}.example.yaml`, text]);
  const desk = new Desk(Object.fromEntries(files));
  const step = await runStep(desk, { command: "validate", sarif: "x.sarif", junit: "x.xml" });
  expect([step.code, step.outputs.result]).toEqual([3, "invalid"]);
  expectHarmless(step, ["error", "stop-commands"]);
});

test("hostile inputs and names of files reach no command and no output", async () => {
  for (const text of commands) {
    const desk = new Desk();
    const step = await runStep(desk, { command: "validate", zones: `zones/${text}`, config: text.replaceAll("/", "") });
    expect(step.code).not.toBe(0);
    const names = new Set(step.commands.map(({ name }) => name));
    expect([...names].sort()).toEqual(["error", "stop-commands"]);
    expect(Object.keys(step.outputs)).toEqual(defaultOutputs);
  }
});

test("apply shows hostile values of others as text, too", async () => {
  const desk = await attacked();
  const inputs = {
    command: "apply",
    token: desk.token,
    "api-url": desk.url,
    allow: guards.map(({ guard }) => guard).join(" "),
  };
  const step = await runStep(desk, inputs);
  expect([step.code, step.outputs.result]).toEqual([0, "applied"]);
  expectHarmless(step, ["add-mask", "stop-commands"]);
});

/** An account with the zone, behind a server that fails every method but GET. */
async function readOnlyDesk(): Promise<{ desk: ApiDesk; methods: string[] }> {
  const methods: string[] = [];
  let isReadOnly = false;
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    if (!isReadOnly) return server(request, connection);
    methods.push(request.method);
    return request.method === "GET" ? server(request, connection) : new Response("no", { status: 500 });
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  isReadOnly = true;
  return { desk, methods };
}

const reading: readonly (readonly [inputs: Record<string, string>, result: string])[] = [
  [{ command: "plan" }, "changes"],
  [{ command: "verify", verify: "api" }, "verify-failed"],
  [{ command: "import" }, "imported"],
];

test.each(reading)("%j needs no method but GET", async (inputs, result) => {
  const { desk, methods } = await readOnlyDesk();
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1 ", "192.0.2.2 "));
  const step = await runStep(desk, { token: desk.token, "api-url": desk.url, ...inputs });
  expect(step.outputs.result).toBe(result);
  expect([...new Set(methods)]).toEqual(["GET"]);
});

test("validate sends no request at all", async () => {
  const { desk, methods } = await readOnlyDesk();
  const step = await runStep(desk, { command: "validate" }, { env: { ZONEWRIGHT_API_URL: desk.url } });
  expect([step.code, methods]).toEqual([0, []]);
});

test("an internal error shows its stack without the tokens", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  // A folder in the place of the runner's file makes the action fail where it does not expect it.
  const env = { GITHUB_OUTPUT: desk.folder };
  const inputs = { command: "plan", token: desk.token, "api-url": desk.url };
  const step = await runStep(desk, inputs, { env });
  expect(step.code).toBe(1);
  expect(step.log).toContain("internal error in zonewright; please report it with this text:\nError: EISDIR");
});
