// @suite long

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../src/server/server.ts";
import { examineCi as examineWorkflowsOf } from "../../src/workflow/ci-checks/examine-ci.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";
import { type CiTarget, ciFiles } from "../../src/workflow/start/ci-files.ts";
import { examine as examineAll } from "../../src/workflow/start/doctor.ts";
import { deafPort, httpServer, tlsServer } from "../client/sockets.ts";
import type { BranchRules, StoredRepository, Token } from "../github/stand-in.ts";
import { startWorld } from "../github/world.ts";
import { waitForCurrent } from "../server/nameserver/wait-for-current.ts";
import { gitIn } from "./git.ts";
import { Program } from "./process.ts";
import { type ApiDesk, apiDesk, Desk, noon, type RunOptions } from "./run.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

/** A desk whose clock agrees with the server's, which is that of this machine. */
async function newDesk(files: Record<string, string>): Promise<ApiDesk> {
  const desk = await apiDesk(files);
  desk.now = new Date();
  return desk;
}

const json = { "Content-Type": "application/json" };

/** Serves the zones of the desk by DNS; returns the address, which is shown as SERVICE. */
async function serveDns(desk: ApiDesk): Promise<string> {
  const settings = readServerSettings({ store: desk.store, clock: () => noon });
  const zones = new StoredZones(settings, () => noon, { waitForCurrent });
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host: "127.0.0.1", port: 0, zones, onError });
  onTestFinished(() => service.close());
  const address = `127.0.0.1:${service.port}`;
  desk.shown.push([address, "SERVICE"]);
  return address;
}

/** The lines of `doctor` by subject: state, text, and what to do. */
async function examine(
  desk: Desk,
  args = "",
  env: RunOptions["env"] = {},
): Promise<{ code: number; lines: Record<string, string> }> {
  const { code, out, talk } = await desk.run(`doctor --report json${args}`, { env });
  expect(talk).toBe("");
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Record<string, string>[] };
  expect(ok).toBe(code === 0);
  const lines = checks.map(({ subject, state, text, next }) => [
    subject,
    [state, text, next].filter(Boolean).join(" | "),
  ]);
  return { code, lines: Object.fromEntries(lines) };
}

test("prints a line per check, with a fix for each that fails", async () => {
  const desk = await newDesk({ "zonewright.yaml": "zones: zones\n", "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const dns = await serveDns(desk);
  const { code, out } = await desk.run(`doctor --nameserver 127.0.0.1:1 --nameserver ${dns}`);
  expect(code).toBe(0);
  expect(out.replace(/zonewright [\d.]+, Node v[\d.]+/, "VERSIONS")).toBe(`\
ok    versions      VERSIONS
ok    config        zonewright.yaml
warn  git           this folder is not in a repository
                    Run \`git init\`, so that changes of zones can be reviewed.
ok    zone files    1 zone, 1 record
ok    runs          /desk/.zonewright can be written; 1 run
ok    API           http://api/v4: 1 zone in the account
ok    token         valid, with all scopes
ok    clock         agrees with the clock of the API
warn  name servers  127.0.0.1:1: the server is unreachable (ECONNREFUSED)
                    Run \`zonewright verify\` to ask for every record.
ok    name servers  SERVICE answers for 1 zone
`);
  const [run = ""] = readdirSync(join(desk.folder, ".zonewright/runs"));
  const journal = `.zonewright/runs/${run}/journal.jsonl`;
  desk.write(journal, desk.read(journal).replace(/.*"end".*\n$/, ""));
  expect((await examine(desk, " --nameserver 127.0.0.1:1")).lines.runs).toBe(
    `warn | run ${run} was interrupted | Run \`zonewright apply --resume\`.`,
  );
});

test("an empty folder without a token: says what to run, exit code 1", async () => {
  const { code, lines } = await examine(new Desk());
  expect(code).toBe(1);
  expect(lines.config).toBe("warn | zonewright.yaml does not exist, so the defaults apply | Run `zonewright init`.");
  expect(lines["zone files"]).toMatch(/^fail \| there is no project here: .* \| Run `zonewright init`/);
  expect(lines.token).toMatch(/^fail \| no API token is set \| Set ZONEWRIGHT_TOKEN/);
});

test("without a token: tries the API, its clock and the name servers that are named", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const dns = await serveDns(desk);
  const without = await examine(desk, ` --nameserver ${dns}`, { ZONEWRIGHT_TOKEN: undefined });
  expect(without.code).toBe(1);
  expect(without.lines).toMatchObject({
    API: "ok | http://api/v4 answers",
    token: expect.stringMatching(/^fail \| no API token is set \| /),
    clock: "ok | agrees with the clock of the API",
    "name servers": "ok | SERVICE answers for 1 zone",
  });
  const unset = await examine(desk, "", { ZONEWRIGHT_TOKEN: undefined });
  expect(unset.lines["name servers"]).toBe(undefined);
});

test("asks the name servers that the API names for the first zone, by their addresses", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const port = Number((await serveDns(desk)).split(":")[1]);
  const context = createRunContext({ ...process, cwd: () => desk.folder, env: desk.env });
  const asked: string[] = [];
  const serversOf = async (resolve: (name: string) => readonly ServerAddress[]) => {
    const options = { config: "zonewright.yaml", node: "v20.19.0" };
    const found = await examineAll(context, {
      ...options,
      resolve: async (name) => {
        asked.push(name);
        return [...resolve(name)];
      },
    });
    return found.filter(({ subject }) => subject === "name servers").map(({ state, text }) => `${state} ${text}`);
  };
  expect(await serversOf((name) => (name.startsWith("ns1.") ? [{ host: "127.0.0.1", port }] : []))).toEqual([
    `ok 127.0.0.1:${port} answers for 1 zone`,
  ]);
  expect(asked).toEqual(["ns1.zonewright.invalid", "ns2.zonewright.invalid"]);
  expect(await serversOf(() => [])).toEqual([
    `warn no address found for ns1.zonewright.invalid, ns2.zonewright.invalid`,
  ]);
});

const html = { "Content-Type": "text/html" };

test.each<[what: string, serve: () => Promise<string>, line: RegExp]>([
  [
    "nobody",
    deafPort,
    /^fail \| GET \/v4\/domains: no server listens at \S+ \| .*ZONEWRIGHT_API_URL\. Start the server/,
  ],
  [
    "a server that never replies",
    () => httpServer(() => {}),
    /^fail \| .*: no complete reply from \S+ within 0\.2 s \| /,
  ],
  [
    "a self-signed certificate",
    () => tlsServer(() => {}),
    /^fail \| .* certificate of \S+ is not trusted .* \| .*NODE_EXTRA/,
  ],
  [
    "HTTP where HTTPS is expected",
    async () => (await httpServer((_, reply) => reply.end())).replace("http:", "https:"),
    /^fail \| .*cannot establish TLS with .* \| .*plain HTTP/,
  ],
  [
    "a web page",
    () => httpServer((_, reply) => reply.writeHead(200, html).end("<h1>Welcome</h1>")),
    /^fail \| .* that is not the API's: <h1>Welcome<\/h1> \| /,
  ],
  [
    "a web page that asks for a password",
    () => httpServer((_, reply) => reply.writeHead(401, html).end("<h1>Sign in</h1>")),
    /^fail \| .*401 with a body \(text\/html\) that is not the API's/,
  ],
  [
    "a redirect",
    () => httpServer((_, reply) => reply.writeHead(301, { Location: "https://example.com/" }).end()),
    /^fail \| .*301, a redirect to https:\/\/example\.com\/ \| /,
  ],
  [
    "an internal error",
    () => httpServer((_, reply) => reply.writeHead(500, json).end('{"errors": [{"reason": "Oops"}]}')),
    /^fail \| .*500 Oops \| Try again later/,
  ],
  [
    "a rate limit",
    () =>
      httpServer((_, r) => r.writeHead(429, { ...json, "Retry-After": "90" }).end('{"errors": [{"reason": "Slow"}]}')),
    /^fail \| .*429 Slow \| Try again in 1 minute 30 seconds, at /,
  ],
])("reports %s once, at once, with and without a token", async (_, serve, line) => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  const url = await serve();
  const lines = async (env: Record<string, string>) => {
    const context = createRunContext({ ...process, cwd: () => desk.folder, env: { ZONEWRIGHT_API_URL: url, ...env } });
    const found = await examineAll(context, { config: "zonewright.yaml", node: "v20.19.0", timeoutMs: 200 });
    return found
      .filter(({ subject }) => subject === "API")
      .map(({ state, text, next }) => [state, text, next].filter(Boolean).join(" | "));
  };
  for (const env of [{}, { ZONEWRIGHT_TOKEN: "0123456789abcdef" }] as Record<string, string>[])
    expect(await lines(env)).toEqual([expect.stringMatching(line)]);
});

test("sends a request for each 500 zones of the account, and asks name servers for 20", async () => {
  let domain: object = {};
  let requests = 0;
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    const url = new URL(request.url);
    requests++;
    if (request.method !== "GET" || url.pathname !== "/v4/domains") return server(request, connection);
    const [page, size] = ["page", "page_size"].map((name) => Number(url.searchParams.get(name) ?? 1)) as [
      number,
      number,
    ];
    const data = Array.from({ length: size }, (_, index) => (page - 1) * size + index + 1)
      .filter((id) => id <= 4000)
      .map((id) => ({ ...domain, id, domain: `zone-${id}.example` }));
    return Response.json({ data, page, pages: Math.ceil(4000 / size), results: 4000 });
  });
  domain = await desk.call("POST", "/domains", {
    domain: "zone-1.example",
    type: "master",
    soa_email: "a@example.com",
  });
  requests = 0;
  const { lines } = await examine(desk, ` --nameserver ${await serveDns(desk)}`);
  expect(lines.API).toBe("ok | http://api/v4: 4000 zones in the account");
  expect(lines["name servers"]).toMatch(/^warn \| SERVICE: /);
  expect(requests).toBe(8);
});

test("a config with several errors, and no git", async () => {
  const desk = new Desk({ "zonewright.yaml": "zone: zones\nrule: {}\n" });
  const { code, lines } = await examine(desk);
  expect([code, lines.config]).toEqual([
    1,
    'fail | zonewright.yaml:1: "zone" is not a setting, and 1 more error | Did you mean "zones"?',
  ]);
  const program = new Program(desk.folder, "doctor", { PATH: "" });
  expect((await program.end()).out).toContain("warn  git       git is not installed\n");
});

test("finds a wrong token, one without the scope to write, and an API that does not answer", async () => {
  const desk = await newDesk({ "zones/example.com.yaml": zone });
  desk.env.ZONEWRIGHT_TOKEN = "wrong-token";
  desk.secrets.push("wrong-token");
  const wrong = await examine(desk);
  expect([wrong.code, wrong.lines.token]).toEqual([1, expect.stringMatching(/^fail \| .*ZONEWRIGHT_TOKEN/)]);
  desk.env.ZONEWRIGHT_TOKEN = await desk.mint({ scopes: "domains:read_only" });
  expect((await examine(desk)).lines.token).toBe(
    "warn | valid, with the scopes domains:read_only | `plan` works; `apply` needs a token with domains:read_write.",
  );
  const away = await examine(desk, " --api-url http://127.0.0.1:1");
  expect([away.code, away.lines.API]).toEqual([
    1,
    expect.stringMatching(/^fail \| .* \| The base URL is from --api-url\./),
  ]);
});

test("finds a wrong clock, invalid files and schemas of another version", async () => {
  const desk = await newDesk({
    "zones/example.com.yaml": zone.replace("192.0.2.1", "300.0.2.1"),
    "schemas/zone.schema.json": "{}",
    "schemas/config.schema.json": "{}",
  });
  desk.now = new Date(desk.now.getTime() + 3_600_000);
  const { code, lines } = await examine(desk);
  expect([code, lines["zone files"]]).toEqual([
    1,
    "fail | 1 zone, 0 records, 1 error | Run `zonewright validate` to list them.",
  ]);
  expect(lines.clock).toMatch(/^warn \| 3\d\d\d seconds ahead of the clock of the API \| Set the clock/);
  expect(lines.schemas).toMatch(
    /^warn \| schemas\/zone.schema.json belongs to another version of zonewright \| Remove it/,
  );
});

const commit = "0123456789abcdef0123456789abcdef01234567";

/** A repository with the files that `init --ci` writes, and the commit of a release. */
function ciDesk(service: "github" | "gitlab", folder = "", targets: readonly CiTarget[] = []): Desk {
  const { files } = ciFiles(service, { commit, isTwoPeople: true, targets });
  const desk = new Desk(Object.fromEntries(files.map(({ file, text }) => [folder + file, text])));
  const git = gitIn(desk.folder);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  return desk;
}

/** The lines of `doctor --ci` after those of versions and git. */
async function examineCi(desk: Desk, env: RunOptions["env"] = {}): Promise<{ code: number; lines: string[] }> {
  const { code, out, talk } = await desk.run("doctor --ci --report json", { env });
  expect(talk).toBe("");
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Record<string, string>[] };
  expect([ok, checks.slice(0, 2).map(({ subject }) => subject)]).toEqual([code === 0, ["versions", "git"]]);
  const lines = checks
    .slice(2)
    .map(({ subject, state, text, next }) => [`${subject}: ${state}`, text, next].filter(Boolean).join(" | "));
  return { code, lines };
}

const workflow = (name: string) => `.github/workflows/zonewright-${name}.yml`;

/** Edits a workflow: the text has to be there. */
const edit = (name: string, before: string | RegExp, after: string) => (desk: Desk) => {
  const text = desk.read(workflow(name));
  const edited = text.replace(before, after);
  expect(edited).not.toBe(text);
  desk.write(workflow(name), edited);
};

const remove = (file: string) => (desk: Desk) => rmSync(join(desk.folder, file));

test("doctor --ci: the files of init on GitHub, without a token of GitHub", async () => {
  const { code, out } = await ciDesk("github").run("doctor --ci");
  expect(code).toBe(0);
  expect(out.replace(/zonewright [\d.]+, Node v[\d.]+/, "VERSIONS")).toBe(`\
ok    versions    VERSIONS
ok    git         this folder is in a repository
ok    check       .github/workflows/zonewright-check.yml
ok    plan        .github/workflows/zonewright-plan.yml
ok    apply       .github/workflows/zonewright-apply.yml
ok    drift       .github/workflows/zonewright-drift.yml
ok    two people  .github/workflows/zonewright-apply.yml: \`two-people: true\`
ok    signatures  none required: apply has no ZONEWRIGHT_VERIFY_KEYS
warn  settings    not checked: the protection of the main branch and of the environment
                  Set GITHUB_TOKEN to a token that may read the repository.
warn  settings    not checked: values of secrets and variables, CODEOWNERS, and who may bypass the rules
                  \`zonewright help ci\` lists the settings.
`);
});

describe("doctor --ci: a project with targets", () => {
  const config = "targets: { office: { kind: rfc2136, server: ns0.example.net } }\n";
  const read = "secrets.ZONEWRIGHT_OFFICE_READ_TSIG_KEY";
  const write = "secrets.ZONEWRIGHT_OFFICE_WRITE_TSIG_KEY";

  test.each<[what: string, change: (desk: Desk) => void, RegExp]>([
    ["as init writes it", () => {}, /^plan: ok/],
    ["on a runner that reaches the server", edit("plan", "ubuntu-latest", "[self-hosted, dns]"), /^plan: ok/],
    ["with the token of the API", edit("plan", read, "secrets.ZONEWRIGHT_READ_TOKEN"), /^plan: warn .* differs /],
    [
      "whose pull requests get the key that writes",
      edit("plan", read, write),
      /^token: fail \| .*zonewright-plan.yml: `pull_request` starts the job plan, which has ZONEWRIGHT_OFFICE_WRITE_TSIG_KEY/,
    ],
  ])("%s", async (_, change, line) => {
    const desk = ciDesk("github", "", [{ name: "office", kind: "rfc2136" }]);
    desk.write("zonewright.yaml", config);
    change(desk);
    expect((await examineCi(desk)).lines).toContainEqual(expect.stringMatching(line));
  });
});

const verifyKeys = "env:\n          ZONEWRIGHT_VERIFY_KEYS: ${{ vars.KEYS }}\n        with:\n          command: apply";
const signingKey = "env:\n          ZONEWRIGHT_SIGNING_KEY: ${{ secrets.KEY }}\n        with:\n          command: plan";

describe("doctor --ci on GitHub finds", () => {
  test.each<[what: string, change: (desk: Desk) => void, code: number, lines: readonly RegExp[]]>([
    [
      "a file that is missing",
      remove(workflow("drift")),
      0,
      [/^drift: warn \| no workflow runs the command drift \| Run `zonewright init --ci github`/],
    ],
    [
      "one that was changed since",
      edit("apply", "cancel-in-progress: false", "cancel-in-progress: true"),
      0,
      [/^apply: warn .*zonewright-apply.yml differs .* at concurrency.cancel-in-progress \| Compare it/],
    ],
    [
      "another runner than for the API",
      edit("plan", "ubuntu-latest", "self-hosted"),
      0,
      [/^plan: warn .*jobs.plan.runs-on/],
    ],
    ["a comment that was changed, which matters not", edit("apply", /#.*/, "# Ours"), 0, [/^apply: ok/]],
    [
      "one that was renamed",
      (desk) => {
        desk.write(".github/workflows/dns.yaml", desk.read(workflow("apply")));
        remove(workflow("apply"))(desk);
      },
      0,
      [/^apply: ok \| \.github\/workflows\/dns\.yaml$/],
    ],
    [
      "one that is no YAML",
      (desk) => desk.write(workflow("plan"), "uses: a/zonewright@1\n- ]"),
      1,
      [/^CI files: fail/],
    ],
    [
      "zeros instead of a commit",
      edit("plan", commit, "0".repeat(40)),
      1,
      [/^action: fail \| .*zonewright-plan.yml: `uses: .*@0{40}` names no commit/],
    ],
    [
      "a tag instead of a commit",
      edit("plan", commit, "v1"),
      0,
      [/^action: warn \| .*`uses: zonewright\/zonewright@v1`/],
    ],
    [
      "one person",
      edit("apply", "two-people: true", "two-people: false"),
      0,
      [/^apply: ok/, /^two people: warn \| .* without `two-people: true`, an author can approve alone \| /],
    ],
    [
      "an apply that asks for no plan",
      edit("apply", /plan: auto.*/, ""),
      1,
      [/^approval: fail .*apply does not require a reviewed plan \| Set `plan: auto`\.$/],
    ],
    [
      "plans that pass although a guard blocks",
      edit("plan", "fail-on: guards", "fail-on: never"),
      0,
      [/^plan: warn .* at jobs\.plan\.steps\.2\.with\.fail-on/, /^fail-on: warn .*`fail-on: never` passes plans/],
    ],
    [
      "a permission that is missing",
      edit("plan", /pull-requests: write.*/, ""),
      1,
      [
        /^permissions: fail .*plan.yml: the job lacks the permission `pull-requests: write` \| Give the job `contents: read`/,
      ],
    ],
    [
      "a permission too many",
      edit("plan", "contents: read", "contents: write"),
      0,
      [/^permissions: warn .*the job does not need the permission `contents: write`/],
    ],
    [
      "write-all",
      edit("check", /permissions:\n +contents: read.*/, "permissions: write-all"),
      0,
      [/^permissions: warn .*the job does not need the permission `write-all`/],
    ],
    [
      "no permissions at all",
      (desk) => {
        edit("check", /^permissions: {}.*\n/m, "")(desk);
        edit("check", / +permissions:\n +contents: read.*\n/, "")(desk);
      },
      0,
      [/^permissions: warn .*the job names no permissions/],
    ],
    [
      "no environment",
      edit("apply", "environment: dns", ""),
      1,
      [/^environment: fail .*apply has no environment, so any branch can use its token/],
    ],
    [
      "secrets for forks",
      edit("check", "pull_request:", "pull_request_target:"),
      1,
      [/^trigger: fail .*`pull_request_target` gives secrets to runs for forks/],
    ],
    [
      "the token that writes in a pull request",
      edit("plan", "secrets.ZONEWRIGHT_READ_TOKEN", "secrets.ZONEWRIGHT_WRITE_TOKEN"),
      1,
      [
        /^token: fail .*`pull_request` starts the job plan, which has ZONEWRIGHT_WRITE_TOKEN \| Use a token there that can only read, /,
      ],
    ],
    [
      "this token in a step without the action",
      edit(
        "plan",
        "- name: Fetch",
        "- run: make\n        env: { T: \"${{ secrets['zonewright_write_token'] }}\" }\n      - name: Fetch",
      ),
      1,
      [/^token: fail .*plan.yml: `pull_request` starts the job plan, which has ZONEWRIGHT_WRITE_TOKEN/],
    ],
    [
      "this token by another name",
      (desk) => {
        edit("apply", "secrets.ZONEWRIGHT_WRITE_TOKEN", "secrets.DNS_TOKEN")(desk);
        edit("plan", "secrets.ZONEWRIGHT_READ_TOKEN", "secrets.DNS_TOKEN")(desk);
      },
      1,
      [/^token: fail .*starts the job plan, which has DNS_TOKEN \| /],
    ],
    [
      "a workflow of one's own that applies for strangers",
      (desk) =>
        desk.write(
          ".github/workflows/preview.yml",
          `on: pull_request_target
jobs:
  preview:
    environment: dns
    steps:
      - run: |
          npx zonewright@0.2.0 \\
            apply --yes
        env:
          ZONEWRIGHT_TOKEN: \${{ secrets.ZONEWRIGHT_WRITE_TOKEN }}
`,
        ),
      1,
      [
        /^trigger: fail .*preview.yml: `pull_request_target` gives secrets/,
        /^token: fail .*preview.yml: `pull_request_target` starts the job preview, which has ZONEWRIGHT_WRITE_TOKEN/,
        /^environment: fail .*preview.yml: `pull_request_target` starts the job preview in dns, the environment of the/,
        /^approval: warn .*preview.yml: the job preview runs `zonewright apply` without a plan file/,
      ],
    ],
    [
      "a reusable workflow that a comment starts",
      (desk) => {
        const called = "on: workflow_call\njobs: { go: { env: { T: '${{ secrets.ZONEWRIGHT_WRITE_TOKEN }}' } } }\n";
        desk.write(".github/workflows/called.yml", called);
        const calling =
          "on: [issue_comment]\njobs: { go: { uses: ./.github/workflows/called.yml, secrets: inherit } }\n";
        desk.write(".github/workflows/calling.yml", calling);
      },
      1,
      [
        /^token: fail .*called.yml: `issue_comment` starts the job go, which has ZONEWRIGHT_WRITE_TOKEN/,
        /^token: warn .*calling.yml: `issue_comment` starts the job go, which passes on all secrets/,
      ],
    ],
    [
      "a workflow with secrets that cannot be read",
      (desk) => desk.write(".github/workflows/odd.yml", "jobs: [ ${{ secrets.A }}"),
      0,
      [/^CI files: warn \| not checked: .github\/workflows\/odd.yml, which cannot be read/],
    ],
    [
      "an apply without the action",
      edit("apply", /uses: zonewright[\s\S]*?WRITE_TOKEN }}.*/, "run: zonewright apply --yes"),
      0,
      [/^apply: warn \| not checked: .*zonewright-apply.yml, which runs `zonewright apply` without the action/],
    ],
    [
      "an empty environment",
      edit("apply", "environment: dns", 'environment: ""'),
      1,
      [/^environment: fail .*apply has no environment, so any branch can use its token/],
    ],
    [
      "another case of the action's name",
      (desk) => {
        edit("apply", "uses: zonewright/zonewright", "uses: ZoneWright/ZoneWright")(desk);
        edit("apply", "plan: auto", "plan: plan.json")(desk);
      },
      1,
      [/^apply: warn .*differs/, /^approval: fail /],
    ],
    [
      "a config that does not exist",
      edit("apply", "command: apply", "command: apply\n          config: dns/zonewright.yml"),
      1,
      [/^config: fail \| the config dns\/zonewright.yml of a workflow does not exist/],
    ],
    [
      "keys that no plan is signed with",
      edit("apply", "with:\n          command: apply", verifyKeys),
      1,
      [/^signatures: fail .*plan has no ZONEWRIGHT_SIGNING_KEY: apply refuses every plan/],
    ],
    [
      "signatures that are not required",
      edit("plan", "with:\n          command: plan", signingKey),
      0,
      [/^signatures: warn .*apply has no ZONEWRIGHT_VERIFY_KEYS, so/],
    ],
    [
      "signatures that are required",
      (desk) => {
        edit("apply", "with:\n          command: apply", verifyKeys)(desk);
        edit("plan", "with:\n          command: plan", signingKey)(desk);
      },
      0,
      [/^signatures: ok \| plan signs, and apply has ZONEWRIGHT_VERIFY_KEYS$/],
    ],
  ])("%s", async (_, change, code, lines) => {
    const desk = ciDesk("github");
    change(desk);
    const found = await examineCi(desk);
    for (const line of lines) expect(found.lines).toContainEqual(expect.stringMatching(line));
    expect(found.code).toBe(code);
  });

  test("options of the other checks, which it refuses", async () => {
    const { code, talk } = await ciDesk("github").run("doctor --ci --nameserver 127.0.0.1");
    expect([code, talk]).toEqual([64, expect.stringContaining("leave out --nameserver.")]);
  });

  test("no files, and files below the top folder", async () => {
    const desk = new Desk({ "zones/example.com.yaml": zone });
    gitIn(desk.folder)("init", "-q");
    expect(await examineCi(desk)).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(
          /^CI files: fail \| this repository has no CI files of zonewright \| Run `zonewright init/,
        ),
      ],
    });
    const below = ciDesk("github", "dns/");
    const context = createRunContext({ ...process, cwd: () => join(below.folder, "dns"), env: {} });
    const [, , found, ...rest] = await examineWorkflowsOf(context, { node: "v20.19.0" });
    expect([found, rest]).toEqual([
      {
        subject: "CI files",
        state: "fail",
        text: "dns/.github/workflows is not in the top folder of the repository, so no service reads it",
        next: "Move it to .github/workflows of the top folder.",
      },
      [],
    ]);
  });
});

const rules: BranchRules = {
  approvals: 1,
  dismissesStale: true,
  needsLastPushApproval: true,
  checks: ["check", "plan"],
  isStrict: true,
};
const allMet =
  "branch: ok | main requires a pull request, a review, no stale approval, an approval of the last push, the checks check and plan, an up-to-date branch";
const onlyMain = "environment: ok | only main may use dns";
const workflowToken: Token["permissions"] = { contents: "read", actions: "read" };

describe("doctor --ci with a token of GitHub, for", () => {
  test.each<
    [
      what: string,
      settings: Partial<Pick<StoredRepository, "rules" | "protection">>,
      deployers: readonly string[] | "protected" | null | undefined,
      permissions: Token["permissions"],
      code: number,
      lines: readonly (string | RegExp)[],
    ]
  >([
    ["the rules of a ruleset", { rules }, ["main"], workflowToken, 0, [allMet, onlyMain]],
    ["classic protection", { protection: rules }, ["main"], { ...workflowToken, administration: "read" }, 0, [allMet]],
    [
      "classic protection that the token may not read",
      { protection: rules },
      ["main"],
      workflowToken,
      0,
      [/^branch: warn \| not checked: whether the rules of main require a pull request; require an approval; dismiss/],
    ],
    [
      "both, each with a part",
      { rules: { approvals: 1, needsLastPushApproval: true }, protection: { ...rules, needsLastPushApproval: false } },
      ["main"],
      { ...workflowToken, administration: "read" },
      0,
      [allMet],
    ],
    [
      "a ruleset without what prevents stale approvals",
      { rules: { ...rules, dismissesStale: false, needsLastPushApproval: false } },
      ["main"],
      workflowToken,
      0,
      [
        /^branch: warn \| not checked: whether the rules of main dismiss stale .*; require approval of the most recent push/,
      ],
    ],
    [
      "classic protection without a check, and without a review",
      { protection: { ...rules, approvals: 0, checks: ["check"], isStrict: false } },
      ["main"],
      { ...workflowToken, administration: "read" },
      0,
      [
        /^branch: warn \| main does not require an approval \| Turn it on/,
        /^branch: warn \| main does not require the status check plan \| /,
        /^branch: warn \| main does not require branches to be up to date \| /,
      ],
    ],
    ["a merge queue", { rules: { ...rules, isStrict: false, hasQueue: true } }, ["main"], workflowToken, 0, [allMet]],
    [
      "no protection",
      {},
      ["main"],
      workflowToken,
      1,
      [/^branch: fail \| main does not require a pull request \| /, /^branch: fail \| main does not dismiss stale/],
    ],
    [
      "an environment of all branches",
      { rules },
      null,
      workflowToken,
      1,
      [/^environment: fail \| all branches may use dns \| Let only main use the environment dns/],
    ],
    [
      "one of protected branches",
      { rules },
      "protected",
      workflowToken,
      0,
      [/^environment: warn \| protected branches/],
    ],
    [
      "one of other branches",
      { rules },
      ["main", "release/*"],
      workflowToken,
      0,
      [/^environment: warn \| main, release/],
    ],
    [
      "no environment",
      { rules },
      undefined,
      workflowToken,
      0,
      [/^environment: warn \| dns does not exist, or the token/],
    ],
    [
      "a token that may read nothing",
      { rules },
      ["main"],
      {},
      0,
      [allMet, /^environment: warn \| dns does not exist, or the token lacks `actions: read`/],
    ],
  ])("%s", async (_, settings, deployers, permissions, code, lines) => {
    const { api, repository, clientOf } = await startWorld();
    Object.assign(repository, settings);
    if (deployers !== undefined) repository.environments.set("dns", deployers);
    const desk = ciDesk("github");
    gitIn(desk.folder)("remote", "add", "origin", "git@github.com:octo-org/zones.git");
    const env = { GITHUB_API_URL: api.url, GITHUB_TOKEN: "ghs_token-of-the-doctor" };
    clientOf(env.GITHUB_TOKEN, permissions);
    desk.secrets.push(env.GITHUB_TOKEN);
    const found = await examineCi(desk, env);
    for (const line of lines)
      expect(found.lines).toContainEqual(typeof line === "string" ? line : expect.stringMatching(line));
    expect(found.code).toBe(code);
    expect(api.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(found.lines).toContainEqual(expect.stringMatching(/^settings: warn \| not checked: values of secrets/));
  });

  test("a token that is wrong, no repository, and another default branch", async () => {
    const { api, repository, clientOf } = await startWorld();
    repository.rules = rules;
    const desk = ciDesk("github");
    const env = { GITHUB_API_URL: api.url, GH_TOKEN: "ghs_wrong-token", GITHUB_REPOSITORY: "octo-org/zones" };
    desk.secrets.push(env.GH_TOKEN);
    expect((await examineCi(desk, env)).lines).toContainEqual(
      expect.stringMatching(/^branch: warn \| not checked: GET \S+: GitHub does not accept the token/),
    );
    clientOf(env.GH_TOKEN, workflowToken);
    expect((await examineCi(desk, { ...env, GITHUB_REPOSITORY: undefined })).lines).toContainEqual(
      expect.stringMatching(/^branch: warn \| not checked: GITHUB_REPOSITORY is not set \| /),
    );
    edit("apply", "branches: [main]", "branches: [production]")(desk);
    expect((await examineCi(desk, env)).lines).toContainEqual(
      expect.stringMatching(/^branch: fail \| apply runs for production, but the default branch is main \| /),
    );
  });
});

describe("doctor --ci on GitLab finds", () => {
  const own = ".gitlab/zonewright.yml";
  const change = (before: string | RegExp, after: string) => (desk: Desk) => {
    const text = desk.read(own);
    const edited = text.replace(before, after);
    expect(edited).not.toBe(text);
    desk.write(own, edited);
  };
  test.each<[what: string, change: (desk: Desk) => void, code: number, line: RegExp]>([
    ["the files of init", () => {}, 0, /^GitLab: ok \| \.gitlab-ci\.yml includes \.gitlab\/zonewright\.yml$/],
    ["a missing file", remove(".gitlab-ci.yml"), 1, /^GitLab: fail \| \.gitlab-ci\.yml does not exist/],
    [
      "one that is not included",
      (desk) => desk.write(".gitlab-ci.yml", "test: { script: [make] }\n"),
      1,
      /^GitLab: fail \| \.gitlab-ci\.yml does not include/,
    ],
    [
      "the component",
      (desk) => {
        remove(own)(desk);
        desk.write(".gitlab-ci.yml", "include: [{ component: $CI_SERVER_FQDN/dns/zonewright/zonewright@abc }]\n");
      },
      0,
      /^GitLab: ok \| \.gitlab-ci\.yml includes the component$/,
    ],
    ["a change", change("node:22", "node:24"), 0, /^GitLab: warn \| \.gitlab\/zonewright\.yml differs/],
    [
      "a plan without its exit code",
      change("--detailed-exitcode --report text --report html=zonewright-plan", "--report html=zonewright-plan"),
      1,
      /^GitLab: fail .* the job zonewright-plan does not fail if a guard blocks a change \| Run `zonewright plan --det/,
    ],
    [
      "a plan whose failure is ignored",
      change("zonewright-plan.html || [ $? -eq 2 ]", "zonewright-plan.html || true"),
      1,
      /^GitLab: fail .* the job zonewright-plan does not fail/,
    ],
    [
      "a job that may fail",
      change("zonewright-plan-main:\n", "zonewright-plan-main:\n  allow_failure: true\n"),
      1,
      /^GitLab: fail .* the job zonewright-plan-main does not fail/,
    ],
  ])("%s", async (_, change, code, line) => {
    const desk = ciDesk("gitlab");
    change(desk);
    const found = await examineCi(desk);
    expect(found.lines).toContainEqual(expect.stringMatching(line));
    expect(found.code).toBe(code);
  });
});
