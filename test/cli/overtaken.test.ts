import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { key } from "../updates/servers.ts";
import { primaryDesk } from "./primary-desk.ts";

/** A zone on BIND with a change of its file. `updateMeanwhile` is an answer before which others update the zone. */
async function begin() {
  const { desk, at, port } = await primaryDesk("BIND");
  await desk.run(
    `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
  );
  const file = "zones/z01.example.yaml";
  const change = (from: string, to: string) => desk.write(file, desk.read(file).replace(from, to));
  const run = async (command: string, answer?: () => string) => {
    const { code, out, talk } = await desk.run(command, answer && { answer });
    return `${out}${talk}[${code}]`.replaceAll(/\d{8}T[\d.]+Z-\w+/g, "RUN");
  };
  const updateMeanwhile = (update: string) => () => {
    const input = `server 127.0.0.1 ${port}\nzone z01.example\nkey hmac-sha256:${key.name} ${key.secret}\n${update}\nsend\n`;
    execFileSync("nsupdate", { input });
    return "y";
  };
  return { change, run, updateMeanwhile };
}

test.skipIf(isMissing("named", "nsupdate"))(
  "a run that others overtook is planned again, and not resumed over their changes",
  async () => {
    const { change, run, updateMeanwhile } = await begin();
    change("192.0.2.20", "192.0.2.21");
    const update = "update delete host.z01.example A 192.0.2.20\nupdate add host.z01.example 300 A 198.51.100.7";
    const [, end = ""] = (await run("apply", updateMeanwhile(update))).split("no rate limit)\n");
    expect(end).toMatchInlineSnapshot(`
      "z01.example: 1 write
      z01.example: failed after 0 of 1 write: host.z01.example. A 192.0.2.20 was changed or deleted by someone else after the plan was made. It was left unchanged. Run plan again and review the new plan.
      1 of 1 zone failed. Review a new plan: run \`zonewright plan --target office\`.
      [4]"
    `);
    expect(await run("apply --resume --yes")).toMatchInlineSnapshot(`
      "error[live-changed] z01.example has changes made outside git, which the run would revert: host A
        Nothing was written. Review them with \`zonewright plan --target office\`, then run \`zonewright apply --target office\` without --resume.
      [4]"
    `);
    expect(await run("plan")).toMatchInlineSnapshot(`
      "z01.example                               ~1 change
        1 ~ change  host  A  300  198.51.100.7 → 192.0.2.21  undoes a change made outside git, author unknown: the service keeps no log of events  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects ce4ea3ea · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      run RUN is not finished (0 of 1 write), because someone else changed its records: review a new plan with \`zonewright plan --target office\`, or revert the run with \`zonewright undo RUN\`
      [0]"
    `);
    expect((await run("apply --yes")).endsWith("z01.example: done\n[0]")).toBe(true);
    expect(await run("drift")).toMatchInlineSnapshot(`
      "last known state of 1 of 1 zone; 1 zone read, without a log of events
      in sync: 1 zone · 2 requests
      [0]"
    `);
  },
);

test.skipIf(isMissing("named", "nsupdate"))("a run is resumed while nobody changed what it has to write", async () => {
  const { change, run, updateMeanwhile } = await begin();
  change("192.0.2.20", "192.0.2.21");
  const update = "update delete host.z01.example A 192.0.2.20\nupdate add host.z01.example 300 A 198.51.100.7";
  const back = "update delete host.z01.example A 198.51.100.7\nupdate add host.z01.example 300 A 192.0.2.20";
  await run("apply", updateMeanwhile(update));
  updateMeanwhile(back)();
  expect(await run("apply --resume --yes")).toMatchInlineSnapshot(`
    "z01.example                               ~1 change
      1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 1 change in 1 of 1 zone · effects 96bb2922 · 2 reads
    apply sends 1 write and 5 reads (no rate limit)
    applied and verified: 1 zone is as planned
    z01.example: 1 write
    z01.example: done
    [0]"
  `);
});
