import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { key } from "../updates/servers.ts";
import { gitIn } from "./git.ts";
import { primaryDesk } from "./primary-desk.ts";

/** Changes records of z01.example with the tools of the server. */
function updateByHand(port: number, ...updates: readonly string[]): void {
  const lines = updates.map((one) => `update ${one}\n`).join("");
  const input = `server 127.0.0.1 ${port}\nzone z01.example\nkey hmac-sha256:${key.name} ${key.secret}\n${lines}send\n`;
  execFileSync("nsupdate", { input });
}

const ref = "refs/zonewright/targets/office";
const file = "zones/z01.example.yaml";

/** A project in git whose zone was applied and published. `run` is what a person sees. */
async function begin() {
  const { desk, at, port } = await primaryDesk("BIND");
  await desk.run(
    `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
  );
  const git = gitIn(desk.folder);
  git("init", "-q");
  desk.write(file, desk.read(file).replace("192.0.2.20", "192.0.2.21"));
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run(`snapshot --ref ${ref}`)).code).toBe(0);
  const run = async (command: string) => {
    const { code, out, talk } = await desk.run(command);
    // The day follows from that of the server, which checks signatures.
    return `${out}${talk}[${code}]`.replaceAll(/until: \d{4}-\d\d-\d\d/g, "until: DAY");
  };
  const update = (...updates: readonly string[]) => updateByHand(port, ...updates);
  return { desk, run, update };
}

/** The commands of zonewright in a text, in their order. */
const commandsIn = (text: string) => [...text.matchAll(/`zonewright ([^`]+)`/g)].map(([, command = ""]) => command);

const isSkipped = isMissing("named", "nsupdate");

test.skipIf(isSkipped)("the advice about other name servers loses nothing that others changed", async () => {
  const { desk, run, update } = await begin();
  update("add z01.example 300 NS ns9.example.net", "add new.z01.example 300 A 192.0.2.99");
  const before = desk.read(file);
  const refused = await run("plan");
  expect(refused).toMatchInlineSnapshot(`
    "error[primary-changed] z01.example: the name servers are ns1.z01.example, ns2.z01.example, ns9.example.net, and were ns1.z01.example, ns2.z01.example after the last run
      If git has the change, update the checkout. Otherwise \`zonewright drift z01.example\` shows the changes. If that is meant, \`zonewright drift z01.example --accept-primary\` accepts the primary and name servers; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.
    [4]"
  `);
  for (const command of ["apply --yes", "drift --write", `snapshot --ref ${ref}`])
    expect(await run(command), command).toBe(refused);
  expect(desk.read(file)).toBe(before);
  const [look = "", accept = "", ...others] = commandsIn(refused);
  expect(others).toEqual([]);
  expect(await run(look)).toMatchInlineSnapshot(`
    "last known state of 1 of 1 zone; 1 zone read, without a log of events
    z01.example
      foreign   new A  300 192.0.2.99
                author unknown: the service keeps no log of events
      foreign   @ NS  300 ns9.example.net.
                author unknown: the service keeps no log of events
    warning  z01.example: the name servers are ns1.z01.example, ns2.z01.example, ns9.example.net, and were ns1.z01.example, ns2.z01.example after the last run
      If that is meant, \`zonewright drift z01.example --accept-primary\` accepts the primary and name servers; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.
    drift: 2 additions outside git in 1 of 1 zone · 2 requests
    [0]"
  `);
  expect(await run(accept)).toMatchInlineSnapshot(`
    "last known state of 1 of 1 zone; 1 zone read, without a log of events
    z01.example
      foreign   new A  300 192.0.2.99
                author unknown: the service keeps no log of events
      foreign   @ NS  300 ns9.example.net.
                author unknown: the service keeps no log of events
    note  z01.example: accepted the primary ns1.z01.example and the name servers ns1.z01.example, ns2.z01.example, ns9.example.net
    drift: 2 additions outside git in 1 of 1 zone · 2 requests
    [0]"
  `);
  expect(await run("plan")).toMatchInlineSnapshot(`
    "z01.example                               -2 delete
      1 - delete  @    NS  300  ns9.example.net.  blocked by G04  undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      2 - delete  new  A   300  192.0.2.99        undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      blocked by G04 (delegation): z01.example NS: changes the delegation
        to approve: --allow G04, or in acks.yaml: - { guard: G04, zone: z01.example, effects: "1e272f72d19c96a6", reason: …, until: DAY }
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 2 changes in 1 of 1 zone · effects e34d8f21 · 2 reads
    apply sends 2 writes in 1 request and 5 reads (no rate limit)
    [0]"
  `);
  expect(await run("drift --write")).toMatchInlineSnapshot(`
    "last known state of 1 of 1 zone; 1 zone read, without a log of events
    z01.example
      foreign   new A  300 192.0.2.99
                author unknown: the service keeps no log of events
      foreign   @ NS  300 ns9.example.net.
                author unknown: the service keeps no log of events
    drift: 2 additions outside git in 1 of 1 zone · 2 requests
    2 changes of z01.example written to zones/z01.example.yaml
    To keep these changes, commit the files. To restore the zones, revert the files and run \`zonewright apply\`.
    [0]"
  `);
  expect(await run("plan")).toMatchInlineSnapshot(`
    "in sync: 1 zone, nothing to do
    [0]"
  `);
  desk.write(file, before);
  expect(await run("apply --yes --allow G04")).toMatchInlineSnapshot(`
    "z01.example                               -2 delete
      1 - delete  @    NS  300  ns9.example.net.  G04 approved  undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      2 - delete  new  A   300  192.0.2.99        undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      G04 (delegation) approved with --allow: z01.example NS: changes the delegation
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 2 changes in 1 of 1 zone · effects e34d8f21 · 2 reads
    apply sends 2 writes in 1 request and 5 reads (no rate limit)
    applied and verified: 1 zone is as planned
    z01.example: 2 writes
    z01.example: done
    [0]"
  `);
  expect(await run(`snapshot --ref ${ref}`)).toMatch(/^1 zone with 14 records in .*\n\[0\]$/);
});

test.skipIf(isSkipped)("without runs, a published snapshot is as good, and a new one is published", async () => {
  const { desk, run, update } = await begin();
  execFileSync("rm", ["-r", `${desk.folder}/.zonewright`]);
  update("add z01.example 300 NS ns9.example.net");
  const refused = await run("plan");
  expect(refused).toMatchInlineSnapshot(`
    "error[primary-changed] z01.example: the name servers are ns1.z01.example, ns2.z01.example, ns9.example.net, and were ns1.z01.example, ns2.z01.example in the published snapshot
      If git has the change, update the checkout, and the snapshot with \`git fetch origin +refs/zonewright/targets/office:refs/zonewright/targets/office\`. Otherwise \`zonewright drift z01.example\` shows the changes. If that is meant, \`zonewright drift z01.example --accept-primary\` accepts the primary and name servers, and \`zonewright snapshot --ref refs/zonewright/targets/office\` publishes them; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.
    [4]"
  `);
  const [look = "", accept = "", publish = ""] = commandsIn(refused);
  expect(await run(look)).toContain("drift: 1 addition outside git");
  expect(await run(accept)).toContain("accepted the primary ns1.z01.example and the name servers");
  expect(await run("drift --write")).toContain("1 change of z01.example written to zones/z01.example.yaml");
  expect(await run(publish)).toMatch(/\[0\]$/);
  expect(await run("plan")).toBe("in sync: 1 zone, nothing to do\n[0]");
});

test.skipIf(isSkipped)("name servers that git has are those of the zone, in each checkout", async () => {
  const { desk, run, update } = await begin();
  update("add z01.example 300 NS ns3", "add z01.example 300 NS ns9.example.net");
  desk.write(file, desk.read(file).replace("      - ns2\n", "      - ns2\n      - ns9.example.net.\n"));
  expect(await run("plan")).toMatch(/^error\[primary-changed\]/);
  update("delete z01.example NS ns3");
  expect(await run("plan")).toMatchInlineSnapshot(`
    "in sync: 1 zone, nothing to do
    [0]"
  `);
  expect(await run(`snapshot --ref ${ref}`)).toMatch(/\[0\]$/);
});

test.skipIf(isSkipped)("a baseline that was removed is no interruption", async () => {
  const { desk, run } = await begin();
  execFileSync("rm", ["-r", `${desk.folder}/.git`]);
  const remove = (folder: string) =>
    execFileSync("sh", ["-c", `rm -r .zonewright/targets/office/runs/*/${folder}`], { cwd: desk.folder });
  remove("after");
  expect(await run("plan"), "as before the run, with its writes").toBe("in sync: 1 zone, nothing to do\n[0]");
  remove("before");
  expect((await run("drift")).replaceAll(/\d{8}T[\d.]+Z-\w+/g, "RUN")).toMatchInlineSnapshot(`
    "last known state of 0 of 1 zone; 1 zone read, without a log of events
    note  z01.example has no baseline, so changes in git cannot be told from changes elsewhere: how run RUN left the zone is not saved: the run was interrupted or failed before, or the file was removed
      The next apply saves one.
    in sync: 1 zone · 2 requests
    [0]"
  `);
  expect(await run("plan")).toMatchInlineSnapshot(`
    "note  the primary and name servers of these zones are not known here any more: the next apply keeps them, and refuses others from then on
    in sync: 1 zone, nothing to do
    [0]"
  `);
});
