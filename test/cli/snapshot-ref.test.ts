// @suite long

import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commitZones } from "./git.ts";
import { Program } from "./process.ts";
import { apiDesk, lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www: { A: 192.0.2.1 }\n";
const snapshot = "refs/zonewright/snapshot";

/** A repository with a zone that is applied, and an account with a second zone that no file describes. */
async function repository(files: Record<string, string> = {}) {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, ...files });
  const git = commitZones(desk.folder);
  expect((await desk.run("apply --yes")).code).toBe(0);
  await desk.call("POST", "/domains", { domain: "private.example", type: "master", soa_email: "a@example.com" });
  return Object.assign(desk, { git });
}

function withoutCommit<T extends { talk: string }>(result: T): T {
  return { ...result, talk: result.talk.replace(/\([0-9a-f]{12}\)/, "(COMMIT)") };
}

test("publishes only the project's zones, and leaves branch, index and work tree alone", async () => {
  const desk = await repository();
  desk.write("zones/example.com.yaml", `${zone}  # a change that nobody has committed\n`);
  const before = [desk.git("status", "--porcelain=v2", "--branch"), desk.files()[".git/index"]];
  expect(withoutCommit(await desk.run(`snapshot --ref ${snapshot}`))).toEqual({
    code: 0,
    out: "",
    talk: `1 zone with 1 record in ${snapshot} (COMMIT)\n`,
  });
  expect([desk.git("status", "--porcelain=v2", "--branch"), desk.files()[".git/index"]]).toEqual(before);
  const saved = JSON.parse(desk.git("show", `${snapshot}:snapshot.json`));
  expect({ ...saved, domains: saved.domains.map(({ domain }: { domain: string }) => domain) }).toEqual({
    format: "zonewright.snapshot/1",
    time: "2026-03-04T12:00:00Z",
    target: { api: `${desk.url}/v4`, account: saved.target.account },
    lastEvent: 4,
    zones: ["example.com."],
    domains: ["example.com"],
    freed: [],
  });
  expect(desk.git("log", "--format=%an <%ae> %cI%n%s", snapshot)).toBe(
    "zonewright <zonewright@localhost> 2026-03-04T12:00:00+00:00\nSave the live zones of 2026-03-04T12:00:00Z\n",
  );
});

test("says that polls read every zone if the token cannot read events", async () => {
  const desk = await repository();
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_only" }) };
  expect(withoutCommit(await desk.run(`snapshot --ref ${snapshot}`, { env })).talk).toBe(lines`
    1 zone with 1 record in ${snapshot} (COMMIT)
    note  this token cannot read events (scope events:read_only): each ${"`"}drift${"`"} with this snapshot reads every zone
  `);
});

test("replaces the published snapshot by a commit without history", async () => {
  const desk = await repository();
  await desk.run(`snapshot --ref ${snapshot}`);
  await desk.call("POST", "/domains/1/records", { type: "A", name: "lab", target: "192.0.2.7" });
  await desk.run(`snapshot --ref ${snapshot}`);
  expect(desk.git("rev-list", "--count", snapshot)).toBe("1\n");
  expect(JSON.parse(desk.git("show", `${snapshot}:snapshot.json`)).domains[0].records).toHaveLength(2);
});

test("a snapshot with names is limited to them", async () => {
  const desk = await repository({ "zones/example.net.yaml": zone });
  const { out } = await desk.run("snapshot example.net");
  const { zones, domains } = JSON.parse(out);
  expect({ zones, domains: domains.length }).toEqual({ zones: ["example.net."], domains: 1 });
});

test("a clone plans against the ref that it has fetched, without a token", async () => {
  const desk = await repository();
  const origin = mkdtempSync(join(tmpdir(), "zonewright-origin-"));
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  desk.git("init", "-q", "--bare", origin);
  desk.git("remote", "add", "origin", origin);
  expect(withoutCommit(await desk.run(`snapshot --ref ${snapshot} --push`)).talk).toBe(
    `1 zone with 1 record in ${snapshot} (COMMIT), pushed to origin\n`,
  );
  desk.git("update-ref", "-d", snapshot);
  const offline = { env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_API_URL: "http://127.0.0.1:1" } };
  expect(await desk.run(`plan --against ref:${snapshot}`, offline)).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[git-ref] git has no ref "${snapshot}" here
        Fetch it with ${"`"}git fetch origin +${snapshot}:${snapshot}${"`"}, or create it with ${"`"}zonewright snapshot --ref ${snapshot}${"`"}.
    `,
  });
  desk.git("fetch", "-q", "origin", `${snapshot}:${snapshot}`);
  expect((await desk.run(`plan --against ref:${snapshot}`, offline)).out).toBe("in sync: 1 zone, nothing to do\n");
});

test("drift reads a snapshot under the former ref, and a push keeps that ref up to date if origin has it", async () => {
  const desk = await repository();
  const origin = mkdtempSync(join(tmpdir(), "zonewright-origin-"));
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  desk.git("init", "-q", "--bare", origin);
  desk.git("remote", "add", "origin", origin);
  const former = "refs/zonewright/base";
  const refsOfOrigin = () => desk.git("ls-remote", "origin").replaceAll(/^\w+\t/gm, "");
  expect((await desk.run(`snapshot --ref ${snapshot} --push`)).code).toBe(0);
  expect(refsOfOrigin()).toBe(`${snapshot}\n`);
  desk.git("update-ref", "-d", snapshot);
  expect((await desk.run(`snapshot --ref ${former} --push`)).code).toBe(0);
  expect((await desk.run("drift")).out).toMatch(/^snapshot ref:refs\/zonewright\/base of /);
  desk.now = new Date("2026-03-04T13:00:00Z");
  expect((await desk.run(`snapshot --ref ${snapshot} --push`)).code).toBe(0);
  expect((await desk.run("drift")).out).toMatch(/^snapshot ref:refs\/zonewright\/snapshot of /);
  desk.git("fetch", "-q", "origin", `+${former}:${former}`);
  expect(desk.git("rev-parse", former)).toBe(desk.git("rev-parse", snapshot));
});

test("--base is the former name of --snapshot, with a note, and not in the help", async () => {
  const desk = await repository();
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  const note = "note: --base is now --snapshot; the old form ends with the next version\n";
  for (const command of ["drift", "plan"]) {
    const present = await desk.run(`${command} --snapshot live.json`);
    expect(await desk.run(`${command} --base live.json`)).toEqual({ ...present, talk: note + present.talk });
    expect((await desk.run(`${command} --help`)).out).not.toContain("--base");
  }
});

const advice = `Name another ref, such as ${snapshot}.`;

test.each<[string, string, string]>([
  [
    "refs/heads/main",
    'error[git-ref] "refs/heads/main" is not the full name of a git ref, or it is a branch or tag',
    `Name a ref such as ${snapshot}.`,
  ],
  [
    "snapshot",
    'error[git-ref] "snapshot" is not the full name of a git ref, or it is a branch or tag',
    `Name a ref such as ${snapshot}.`,
  ],
  [
    "refs/a..b",
    'error[git-ref] "refs/a..b" is not the full name of a git ref, or it is a branch or tag',
    `Name a ref such as ${snapshot}.`,
  ],
  [
    "refs/foreign/one",
    'error[git-ref] "refs/foreign/one" is not a ref that zonewright has made: its commit does not consist of a file snapshot.json',
    advice,
  ],
])("writes nothing to %s", async (ref, summary, fix) => {
  const desk = await repository();
  desk.git("update-ref", "refs/foreign/one", "HEAD");
  const before = desk.git("for-each-ref");
  expect(await desk.run(`snapshot --ref ${ref}`)).toEqual({ code: 3, out: "", talk: `${summary}\n  ${fix}\n` });
  expect(desk.git("for-each-ref")).toBe(before);
});

test("rejects a ref with an invalid snapshot, and says how to replace it", async () => {
  const desk = await repository();
  desk.write("snapshot.json", "{");
  desk.git("add", "snapshot.json");
  desk.git("rm", "-q", "--cached", "zones/example.com.yaml");
  desk.git("commit", "-qm", "broken");
  desk.git("update-ref", snapshot, "HEAD");
  expect(await desk.run(`plan --against ref:${snapshot}`)).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[snapshot-read] ref:${snapshot} is not a valid snapshot: it is not valid JSON and may be truncated
        Create a new one with ${"`"}zonewright snapshot --ref ${snapshot}${"`"}.
    `,
  });
});

test("a zone file that is removed or renamed orphans its zone, which a plan says", async () => {
  const desk = await repository();
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run(`snapshot --ref ${snapshot}`)).code).toBe(0);
  expect((await desk.run("plan")).out).not.toContain("orphan");
  desk.git("mv", "zones/example.com.yaml", "zones/example.net.yaml");
  for (const command of ["plan", `plan --against ref:${snapshot}`]) {
    const { out } = await desk.run(command);
    expect(out).toContain("example.net");
    expect(out).toMatch(
      /^warning {2}this change orphans example\.com: it had a zone file at 2026-03-04 12:\d\d:\d\d UTC, and/m,
    );
    expect(out).toContain("unless --delete-zone example.com deletes it");
  }
  // It is not for others to say that they lost a file, nor if a person deletes the zone.
  expect((await desk.run("plan example.net")).out).not.toContain("orphan");
  expect((await desk.run("plan --delete-zone example.com")).out).not.toContain("orphan");
});

test("a removed zone file is told beside a change by hand of another zone", async () => {
  const desk = await repository({ "zones/example.org.yaml": zone });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run(`snapshot --ref ${snapshot}`)).code).toBe(0);
  rmSync(join(desk.folder, "zones/example.org.yaml"));
  const { id } = (await desk.call("GET", "/domains")).data.find(
    (one: { domain: string }) => one.domain === "example.com",
  );
  await desk.call("POST", `/domains/${id}/records`, { type: "A", name: "byhand", target: "192.0.2.99" });
  const { out } = await desk.run("plan");
  expect(out).toContain("this change orphans example.org");
  expect(out).toContain("byhand");
});

test("says why nothing was pushed", async () => {
  const desk = await repository();
  const { code, talk } = await desk.run(`snapshot --ref ${snapshot} --push`);
  expect({ code, talk: talk.split("\n")[0]?.replace(/failed: .*/, "failed: …") }).toEqual({
    code: 1,
    talk: "error[git-write] git push failed: …",
  });
});

test("needs a repository, and --push needs --ref", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run(`snapshot --ref ${snapshot}`)).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[git-missing] "${snapshot}" is a git ref, but this folder is not in a git repository
        Run the command in a clone of the zones' repository, or use a file.
    `,
  });
  expect((await desk.run("snapshot --push")).code).toBe(64);
});

test("refuses a snapshot that is too large to read, before it reads it", async () => {
  const desk = await repository();
  desk.write("large", "");
  truncateSync(join(desk.folder, "large"), 2 ** 28 + 1);
  const blob = desk.git("-c", "core.compression=1", "hash-object", "-w", "large").trim();
  desk.git("update-index", "--add", "--cacheinfo", `100644,${blob},snapshot.json`);
  desk.git("update-ref", snapshot, desk.git("commit-tree", "-m", "x", desk.git("write-tree").trim()).trim());
  const { code, talk } = await desk.run(`plan --against ref:${snapshot}`);
  expect({ code, talk }).toEqual({
    code: 3,
    talk: lines`
      error[git-ref] the file snapshot.json of "${snapshot}" has 268435457 octets; the limit is 268435456
        Create a new one with ${"`"}zonewright snapshot --ref ${snapshot}${"`"}, or name another ref.
    `,
  });
});

test.each([
  [
    "--against ref:refs/zonewright/snapshot",
    '"refs/zonewright/snapshot" is a git ref, but git is not installed',
    "or use a file.",
  ],
  ["--since main", "--since needs git, but it is not installed", "or leave out --since."],
])("plan %s says that git is not installed", async (flags, summary, fix) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  const program = new Program(desk.folder, `plan ${flags}`, { PATH: "" });
  expect(await program.end()).toMatchObject({
    code: 3,
    out: "",
    talk: `error[git-missing] ${summary}\n  Install git, ${fix}\n`,
  });
});
