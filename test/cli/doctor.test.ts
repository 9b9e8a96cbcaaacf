import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listenDns } from "../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../src/server/nameserver/stored-zones.ts";
import { readSettings } from "../../src/server/server.ts";
import { waitForCurrent } from "../server/nameserver/patience.ts";
import { type ApiDesk, apiDesk, Desk, noon } from "./run.ts";

const zone = "soa_email: a@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

/** A desk whose clock agrees with the server's, which is that of this machine. */
async function newDesk(files: Record<string, string>): Promise<ApiDesk> {
  const desk = await apiDesk(files);
  desk.now = new Date();
  return desk;
}

/** The lines of `doctor` by subject: state, text, and what to do. */
async function examine(desk: Desk, args = ""): Promise<{ code: number; lines: Record<string, string> }> {
  const { code, out, talk } = await desk.run(`doctor --report json${args}`);
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
  const settings = readSettings({ store: desk.store, clock: () => noon });
  const zones = new StoredZones(settings, () => noon, { patience: waitForCurrent });
  const service = await listenDns({
    host: "127.0.0.1",
    port: 0,
    zones,
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => service.close());
  desk.shown.push([`127.0.0.1:${service.port}`, "SERVICE"]);
  const { code, out } = await desk.run(`doctor --nameserver 127.0.0.1:1 --nameserver 127.0.0.1:${service.port}`);
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
  expect(lines["zone files"]).toMatch(/^fail \| the zones folder zones cannot be read: it does not exist \| /);
  expect(lines.token).toMatch(/^fail \| no API token is set \| Set ZONEWRIGHT_TOKEN/);
  expect(lines.API).toBe(undefined);
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
