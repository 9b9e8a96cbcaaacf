// @suite long

import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type DriftDesk, published } from "./drift-desk.ts";
import { lines } from "./run.ts";

const yaml = lines`
  # The shop. Ask Ann before you change anything.
  soa_email: hostmaster@example.com # who reads it
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.1 } # the load balancer
    api:
      # two addresses, on purpose
      A: [192.0.2.2, 192.0.2.3]
    old: { A: 192.0.2.4 }
    "@": { TXT: hello }
`;

const bind = lines`
  ; The shop. Ask Ann before you change anything.
  $TTL 1h
  @    SOA ns1.example.com. hostmaster.example.com. 1 4h 1h 2w 1h
  www  A   192.0.2.1 ; the load balancer
  api  A   192.0.2.2
  api  A   192.0.2.3
  old  A   192.0.2.4
  @    TXT hello
`;

const records = "/domains/1/records";

/** Changes of each kind by two users. */
async function change(desk: DriftDesk): Promise<void> {
  await desk.as("alice", "2026-03-04T12:10:00Z", "PUT", `${records}/${await desk.idOf("www")}`, {
    target: "192.0.2.91",
  });
  await desk.as("bob", "2026-03-04T12:11:00Z", "DELETE", `${records}/${await desk.idOf("old")}`);
  await desk.as("bob", "2026-03-04T12:12:00Z", "POST", records, { type: "A", name: "lab", target: "192.0.2.99" });
  await desk.as("alice", "2026-03-04T12:13:00Z", "PUT", "/domains/1", { soa_email: "alice@example.com" });
}

test("writes drift into a YAML file, keeps its comments, and leaves a plan of nothing", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  const { code, talk } = await desk.run("drift --write");
  expect({ code, talk, text: desk.read("zones/example.com.yaml") }).toEqual({
    code: 0,
    talk: lines`
      4 changes of example.com written to zones/example.com.yaml
      To keep these changes, commit the files. To restore the zones, revert the files and run ${"`"}zonewright apply${"`"}.
    `,
    text: lines`
      # The shop. Ask Ann before you change anything.
      soa_email: alice@example.com # who reads it
      ttl_sec: 1h
      records:
        www: { A: 192.0.2.91 } # the load balancer
        api:
          # two addresses, on purpose
          A: [192.0.2.2, 192.0.2.3]
        lab:
          A: 192.0.2.99
        "@": { TXT: hello }
    `,
  });
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test("writes drift into a BIND file", async () => {
  const desk = await published({ "zones/example.com.zone": bind });
  await change(desk);
  expect((await desk.run("drift --write")).code).toBe(0);
  expect(desk.read("zones/example.com.zone")).toBe(lines`
    ; The shop. Ask Ann before you change anything.
    $TTL 1h
    @    SOA ns1.example.com. alice.example.com. 1 4h 1h 2w 1h
    www  A   192.0.2.91 ; the load balancer
    api  A   192.0.2.2
    api  A   192.0.2.3
    lab  A   192.0.2.99
    @    TXT hello
  `);
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test("keeps changes that are pending in git, and leaves conflicts to a person", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  desk.write("zones/example.com.yaml", `${yaml.replace("192.0.2.1 ", "192.0.2.81 ")}  new: { A: 192.0.2.5 }\n`);
  const { talk } = await desk.run("drift --write");
  expect(talk).toBe(lines`
    3 changes of example.com written to zones/example.com.yaml
    not written: example.com www A: it was changed in git and outside, in different ways
    To keep these changes, commit the files. To restore the zones, revert the files and run ${"`"}zonewright apply${"`"}.
  `);
  expect((await desk.run("drift")).out).toContain(
    "drift: 1 conflict, 2 converged changes, 1 converged deletion, 1 pending change in 1 of 1 zone · 4 requests\n",
  );
  expect((await desk.run("plan")).out).toBe(lines`
    example.com                               +1 create  ~1 change
      1 + create  new  A  3600  192.0.2.5                zones/example.com.yaml:12
      2 ~ change  www  A  3600  192.0.2.91 → 192.0.2.81  undoes a change made outside git, by "alice" at 2026-03-04T12:10:00Z  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:5
    plan: 2 changes in 1 of 1 zone · effects ab26bcd4 · 3 reads
    apply sends 2 writes and 6 reads (no rate limit)
  `);
});

test("commits drift on one branch for each zone, with trailers, and leaves a dirty work tree alone", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml, "zones/example.net.yaml": yaml });
  await change(desk);
  await desk.as("bob", "2026-03-04T12:20:00Z", "POST", "/domains/2/records", { type: "TXT", name: "x", target: "y" });
  desk.write("zones/example.org.yaml", "soa_email: a@example.org\n");
  desk.write("notes.txt", "not committed\n");
  const before = [desk.git("status", "--porcelain=v2", "--branch"), desk.files()[".git/index"]];
  const { code, talk } = await desk.run("drift --write --branch auto");
  expect({ code, talk: talk.replaceAll(/[0-9a-f]{12}/g, "COMMIT") }).toEqual({
    code: 0,
    talk: lines`
      4 changes of example.com committed as COMMIT on the new branch zonewright/drift/example.com
      1 change of example.net committed as COMMIT on the new branch zonewright/drift/example.net
      To keep these changes, merge. To restore the zones as they are in git, run ${"`"}zonewright apply${"`"}.
    `,
  });
  expect([desk.git("status", "--porcelain=v2", "--branch"), desk.files()[".git/index"]]).toEqual(before);
  expect(
    desk.git("log", "-1", "--format=%B", "zonewright/drift/example.com").replace(/[0-9a-f]{64}/, "DIGEST"),
  ).toBe(lines`
    Adopt changes of example.com made outside git

    - soa_email: hostmaster@example.com -> alice@example.com, by "alice" at 2026-03-04T12:13:00Z
    - lab A: 3600 192.0.2.99, by "bob" at 2026-03-04T12:12:00Z
    - old A: 3600 192.0.2.4 -> (none), by "bob" at 2026-03-04T12:11:00Z
    - www A: 3600 192.0.2.1 -> 3600 192.0.2.91, by "alice" at 2026-03-04T12:10:00Z

    To keep these changes, merge this commit. To restore the zones as they are
    in git, drop it and run ${"`"}zonewright apply${"`"}.

    Changed-by: "alice"
    Changed-by: "bob"
    Drift-digest: DIGEST

  `);
  expect(desk.git("diff", "--stat", "main", "zonewright/drift/example.net")).toBe(
    " zones/example.net.yaml | 2 ++\n 1 file changed, 2 insertions(+)\n",
  );
  expect((await desk.run("drift --write --branch auto")).talk.replaceAll(/[0-9a-f]{12}/g, "COMMIT")).toContain(
    "4 changes of example.com committed as COMMIT on the unchanged branch zonewright/drift/example.com",
  );
  desk.git("checkout", "-q", "zonewright/drift/example.com");
  expect((await desk.run("plan example.com")).out).toBe("in sync: 1 zone, nothing to do\n");
});

const branch = "zonewright/drift/example.com";

test("keeps a commit of drift that someone amended, which keeps its message", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  expect((await desk.run("drift --write --branch auto")).code).toBe(0);
  desk.git("checkout", "-q", branch);
  desk.write("zones/example.com.yaml", desk.read("zones/example.com.yaml").replace("192.0.2.99", "192.0.2.98"));
  desk.git("commit", "-qa", "--amend", "--no-edit");
  const theirs = desk.git("rev-parse", branch);
  desk.git("checkout", "-q", "main");
  const { code, talk } = await desk.run("drift --write --branch auto");
  expect({ code, talk }).toEqual({
    code: 3,
    talk: lines`
      error[git-branch] the branch "${branch}" has commits that zonewright did not make
        Merge or delete the branch, or name another one with --branch.
    `,
  });
  expect(desk.git("rev-parse", branch)).toBe(theirs);
});

test("keeps the names of other files in the tree, also those that are not UTF-8", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  const name = Buffer.concat([Buffer.from(`${desk.folder}/zones/caf`), Buffer.from([0xe9]), Buffer.from(".txt")]);
  writeFileSync(name, "coffee\n");
  desk.git("add", "zones");
  desk.git("commit", "-qm", "A name in Latin-1");
  expect((await desk.run("drift --write --branch auto")).code).toBe(0);
  expect(desk.git("diff", "--name-status", "main", branch)).toBe("M\tzones/example.com.yaml\n");
});

test.each([
  [
    "main",
    "is checked out, and zonewright does not change the work tree",
    "Check out another branch, or name another one",
  ],
  ["a..b", "does not have a name that git accepts", "Name another one"],
])("does not write to the branch %s", async (name, why, fix) => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  const { code, talk } = await desk.run(`drift --write --branch ${name}`);
  expect({ code, talk }).toEqual({
    code: 3,
    talk: lines`
      error[git-branch] the branch "${name}" ${why}
        ${fix} with --branch.
    `,
  });
});

test("says how to get a snapshot that --write needs", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  desk.git("update-ref", "-d", "refs/zonewright/snapshot");
  expect(await desk.run("drift --write")).toEqual({
    code: 64,
    out: "",
    talk: lines`
      error: --write needs a snapshot, which tells changes made in git from others. Keep it after an apply with ${"`"}zonewright snapshot --ref refs/zonewright/snapshot${"`"}, or name a file with --snapshot.
    `,
  });
});

test("leaves a branch alone that is checked out in another work tree", async () => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  desk.git("worktree", "add", "-q", "-b", branch, ".git/other");
  const { code, talk } = await desk.run("drift --write --branch auto");
  expect({ code, talk }).toEqual({
    code: 3,
    talk: lines`
      error[git-branch] the branch "${branch}" is checked out, and zonewright does not change the work tree
        Check out another branch, or name another one with --branch.
    `,
  });
});

test.each([
  ["zonewright", 'rename or delete "zonewright"'],
  ["zonewright/drift", 'rename or delete "zonewright/drift"'],
  [`${branch}/old`, `rename or delete "${branch}/old"`],
])("names the branch %s, beside which git cannot store the branch of drift", async (other, advice) => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  desk.git("branch", other);
  // These are in no way.
  desk.git("branch", "zonewright-other");
  if (!other.startsWith(branch)) desk.git("branch", "drift/example.com");
  const { code, talk } = await desk.run("drift --write --branch auto");
  expect({ code, talk }).toEqual({
    code: 3,
    talk: lines`
      error[git-branch] the branch "${branch}" cannot exist beside the branch "${other}": git stores one name as a folder of the other
        ${advice.replace("r", "R")}, or name another one with --branch.
    `,
  });
  desk.git("branch", "-m", other, "theirs");
  expect((await desk.run("drift --write --branch auto")).code).toBe(0);
});

test.each(["-q", "--all", "a..b", "HEAD", "a b"])("refuses the name %s for a branch", async (name) => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  const before = desk.git("for-each-ref");
  const { code, talk } = await desk.run(["drift", "--write", `--branch=${name}`]);
  expect([code, talk]).toEqual([
    3,
    expect.stringContaining(`the branch "${name}" does not have a name that git accepts`),
  ]);
  expect(desk.git("for-each-ref")).toBe(before);
});

test.each<[string, (desk: DriftDesk) => void, string, string]>([
  [
    "a conflict",
    (desk) => desk.write("zones/example.com.yaml", yaml.replace("192.0.2.1 ", "192.0.2.81 ")),
    "--write",
    "not written: example.com www A: it was changed in git and outside, in different ways",
  ],
  [
    "a file with changes that are not committed",
    (desk) => desk.write("zones/example.com.yaml", `${yaml}# mine\n`),
    "--write --branch auto",
    "not written: zones/example.com.yaml has changes that are not committed; commit or revert them first",
  ],
  [
    "more changes than the limit",
    () => {},
    "--write --most-changes 1",
    "nothing was written: 4 changes in 1 zone outside git exceed the limits of 1 change and 20 zones",
  ],
])("ends with exit code 5 if it leaves %s unwritten", async (_, prepare, flags, line) => {
  const desk = await published({ "zones/example.com.yaml": yaml });
  await change(desk);
  prepare(desk);
  const { code, talk } = await desk.run(`drift ${flags}`);
  expect([code, talk.split("\n").includes(line)]).toEqual([5, true]);
});
