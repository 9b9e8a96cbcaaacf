import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { openGitHub } from "../../src/action/github.ts";
import { readInputs, readSecretInputs } from "../../src/action/inputs.ts";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { Desk } from "../cli/run.ts";
import { runStep } from "./step.ts";

const envOf = (inputs: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));

function problemsOf(inputs: Readonly<Record<string, string>>): string[] {
  try {
    readInputs(envOf(inputs));
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ id, summary }) => `${id}: ${summary}`);
  }
}

test("inputs that are not set have their defaults", () => {
  expect(readInputs(envOf({ command: "plan" }))).toEqual({
    command: "plan",
    config: "zonewright.yaml",
    zones: [],
    target: [],
    "api-url": undefined,
    token: undefined,
    against: "live",
    "github-token": undefined,
    plan: undefined,
    expires: "7d",
    comment: "sticky",
    summary: true,
    annotations: true,
    sarif: undefined,
    junit: undefined,
    html: undefined,
    "fail-on": "guards",
    allow: [],
    "delete-zones": [],
    "skip-invalid": false,
    "two-people": false,
    verify: "off",
    nameservers: [],
    wait: "1m",
    snapshot: undefined,
    base: undefined,
    write: false,
    "open-pr": false,
    source: [],
    ref: "refs/zonewright/snapshot",
  });
});

test("values are trimmed, and lists are separated by any white space", () => {
  const inputs = readInputs(
    envOf({
      command: " plan ",
      zones: "example.com\n  example.net\texample.org ",
      summary: "False",
      config: " dns.yaml\n",
    }),
  );
  expect(inputs).toMatchObject({
    command: "plan",
    zones: ["example.com", "example.net", "example.org"],
    summary: false,
    config: "dns.yaml",
  });
});

const wrong: readonly (readonly [inputs: Record<string, string>, problems: string[]])[] = [
  [{}, ['the input "command" is missing: it must be validate, plan, apply, verify, drift, import or snapshot']],
  [
    { command: "deploy" },
    ['the input "command" is "deploy": it must be validate, plan, apply, verify, drift, import or snapshot'],
  ],
  [{ command: "plan", comment: "on" }, ['the input "comment" is "on": it must be sticky, new, off or on-change']],
  [
    { command: "plan", "fail-on": "Changes" },
    ['the input "fail-on" is "Changes": it must be changes, guards, drift or never'],
  ],
  [{ command: "plan", summary: "yes" }, ['the input "summary" is "yes": it must be true or false']],
  [
    { command: "plan", annotations: "0", summary: "1" },
    [
      'the input "summary" is "1": it must be true or false',
      'the input "annotations" is "0": it must be true or false',
    ],
  ],
  [
    { command: "verify", verify: "dns\u001b[2J\n::error::x" },
    ['the input "verify" is "dns\\x1b[2J\\x0a::error::x": it must be off, api, rendered or auth'],
  ],
  [
    { command: "validate", token: "secret-token", against: "live.json" },
    [
      'the input "token" does not apply to the command validate, only to plan, apply, verify, drift, import, snapshot',
      'the input "against" does not apply to the command validate, only to plan',
    ],
  ],
  [
    { command: "plan", wait: "5m", source: "api" },
    [
      'the input "wait" does not apply to the command plan, only to apply, verify',
      'the input "source" does not apply to the command plan, only to import',
    ],
  ],
  [
    { command: "apply", "two-people": "true" },
    ['the input "two-people" is "true", which needs the input "plan" to be "auto"'],
  ],
  [
    { command: "apply", "two-people": "true", plan: "plan.json", nameservers: "192.0.2.53" },
    [
      'the input "two-people" is "true", which needs the input "plan" to be "auto"',
      'the input "nameservers" needs the input "verify" to be "auth"',
    ],
  ],
  [
    { command: "verify", verify: "rendered", nameservers: "192.0.2.53" },
    ['the input "nameservers" needs the input "verify" to be "auth"'],
  ],
];

test.each(wrong)("%j is rejected with the names of the inputs", (inputs, problems) => {
  expect(problemsOf(inputs)).toEqual(problems.map((text) => `action-input: ${text}`));
});

test("two-people with plan auto, and nameservers with verify auth, are accepted", () => {
  expect(problemsOf({ command: "apply", "two-people": "true", plan: "auto" })).toEqual([]);
  expect(problemsOf({ command: "apply", "two-people": "false", plan: "plan.json" })).toEqual([]);
  expect(problemsOf({ command: "apply", verify: "auth", nameservers: "192.0.2.53" })).toEqual([]);
  expect(problemsOf({ command: "verify", nameservers: "192.0.2.53" })).toEqual([]);
});

test("a default that is set for a command that does not read it is accepted", () => {
  expect(problemsOf({ command: "validate", against: "live", comment: "sticky", wait: "1m" })).toEqual([]);
});

test("secrets are the two tokens, also those of the environment", () => {
  const env = { ...envOf({ token: "one", "github-token": "two" }), ZONEWRIGHT_TOKEN: "three" };
  expect(readSecretInputs(env)).toEqual(["one", "two", "three"]);
});

test("a step with wrong inputs fails before it reads files, and names each", async () => {
  const desk = new Desk({ "zonewright.yaml": "no: [config" });
  const { code, outputs, annotations, summary, log } = await runStep(desk, {
    command: "plan",
    comment: "on",
    wait: "5m",
  });
  const first = 'the input "comment" is "on": it must be sticky, new, off or on-change';
  const second = 'the input "wait" does not apply to the command plan, only to apply, verify';
  const fix = "docs/action.md lists the inputs and their values.";
  expect(code).toBe(64);
  expect(outputs.result).toBe("invalid");
  expect(annotations).toEqual([`error action-input: ${first}. ${fix}`, `error action-input: ${second}. ${fix}`]);
  expect(log).toBe(`error[action-input] ${first}\n  ${fix}\n\nerror[action-input] ${second}\n  ${fix}\n`);
  expect(summary).toContain("### zonewright: stopped");
});

test.each([
  [{ nameservers: "ns1.example.com 192.0.2.53:99999" }, 'the input "nameservers" is "192.0.2.53:99999": '],
  [{ wait: "soon" }, 'the input "wait" is "soon": '],
] as const)("verify with %j fails with the name of the input", async (inputs, message) => {
  const desk = new Desk({ "zones/example.com.yaml": "soa_email: h@example.com\nrecords: { www: { A: 192.0.2.1 } }\n" });
  const { code, annotations } = await runStep(desk, { command: "verify", ...inputs });
  expect(code).toBe(64);
  expect(annotations).toEqual([expect.stringContaining(`error action-input: ${message}`)]);
});

test("allow and api-url name themselves when they are wrong", async () => {
  const desk = new Desk({ "zones/example.com.yaml": "soa_email: h@example.com\nrecords: { www: { A: 192.0.2.1 } }\n" });
  const guard = await runStep(desk, { command: "plan", allow: "G99", "api-url": "http://127.0.0.1:1", token: "t" });
  expect([guard.code, guard.annotations]).toEqual([
    64,
    [expect.stringMatching(/^error action-input: the input "allow" is "G99": this guard does not exist/)],
  ]);
  const url = await runStep(desk, { command: "plan", "api-url": "ftp://x", token: "t" });
  expect([url.code, url.annotations]).toEqual([
    3,
    [expect.stringContaining("The base URL is from the input `api-url`.")],
  ]);
  const token = await runStep(desk, { command: "plan", "api-url": "http://127.0.0.1:1" });
  expect([token.code, token.annotations]).toEqual([
    3,
    [expect.stringMatching(/^error token-missing: no API token is set\. Pass it as the input `token`/)],
  ]);
});

test("a misspelt variable is named, with the one that was meant", async () => {
  const desk = new Desk({ "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords: {}\n" });
  const env = { ZONEWRIGHT_VERIFY_KEY: "key", ZONEWRIGHT_READ_TOKEN: "of the workflow" };
  const text =
    "the variable ZONEWRIGHT_VERIFY_KEY is set, but zonewright does not read it. Did you mean ZONEWRIGHT_VERIFY_KEYS?";
  const step = await runStep(desk, { command: "validate" }, { env });
  expect(step.annotations.filter((one) => one.includes("variable"))).toEqual([expect.stringContaining(text)]);
  const quiet = await runStep(desk, { command: "validate", annotations: "false" }, { env });
  expect([quiet.annotations, quiet.log]).toEqual([[], expect.stringContaining(`warning: ${text}\n`)]);
});

test.each([
  ["zonewright.yaml", "default"],
  ["./zonewright.yaml", "default"],
  ["dns/zonewright.yaml", "dns/zonewright.yaml"],
  ["./dns/zonewright.yaml", "dns/zonewright.yaml"],
  ["dns/../dns//zonewright.yaml", "dns/zonewright.yaml"],
  ["/repository/dns/zonewright.yaml", "dns/zonewright.yaml"],
])("the config %s has the comment %s", (config, key) => {
  const env = { GITHUB_REPOSITORY: "octo-org/zones" };
  const context = createRunContext({ env, cwd: () => "/repository", pid: 1, kill: () => true });
  expect(openGitHub({ context, inputs: readInputs(envOf({ command: "apply", config })) }, "ghs_token").key).toBe(key);
});

test("apply without a plan is refused where signatures are required, with the input to set", async () => {
  const desk = new Desk({ "zones/example.com.yaml": "soa_email: hostmaster@example.com\nrecords: {}\n" });
  const { publicKey } = generateKeyPairSync("ed25519");
  const env = { ZONEWRIGHT_VERIFY_KEYS: publicKey.export({ type: "spki", format: "pem" }).toString() };
  const step = await runStep(desk, { command: "apply", token: "token", "api-url": "http://127.0.0.1:1" }, { env });
  expect([step.code, step.outputs.result]).toEqual([64, "invalid"]);
  expect(step.annotations[0]).toContain('set the input "plan" to "auto" or to a signed plan file');
  expect(step.annotations[0]).not.toContain("--");
});
