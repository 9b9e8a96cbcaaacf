import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { primaryDesk } from "./primary-desk.ts";

/** A desk with the zone z01.example of a server that also has z02.example; `run` is what a person sees. */
async function begin() {
  const { desk, at } = await primaryDesk("BIND");
  await desk.run(
    `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
  );
  const change = () =>
    desk.write("zones/z01.example.yaml", desk.read("zones/z01.example.yaml").replace("192.0.2.20", "192.0.2.21"));
  const run = async (command: string) => {
    const { code, out, talk } = await desk.run(command);
    return `${out}${talk}[${code}]`.replaceAll(/ of [\d-]+T[\d:]+Z/g, " of TIME");
  };
  return { desk, change, run };
}

test.skipIf(isMissing("named"))("zones that the server lacks are named together, or left out", async () => {
  const { desk, change, run } = await begin();
  change();
  desk.write("zones/z08.example.yaml", "records: { www: { A: 192.0.2.8 } }\n");
  desk.write("zones/z09.example.yaml", "records: { www: { CNAME: www.z08.example. } }\n");
  expect(await run("plan")).toMatchInlineSnapshot(`
    "error[zone-not-creatable] z08.example and z09.example do not exist on the name server, where zones cannot be created
      Have the operator of the service add the zones, or use a key of the view that has them. Then plan again. To take the other zone, use --skip-invalid.
    [3]"
  `);
  expect(await run("plan --skip-invalid")).toMatchInlineSnapshot(`
    "z01.example                               ~1 change
      1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
    note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
    warning  z08.example is left out: it does not exist on the name server
    warning  z09.example is left out: it does not exist on the name server
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 1 change in 1 of 1 zone · 2 zones left out · effects 96bb2922 · 6 reads
    apply sends 1 write and 5 reads (no rate limit)
    error[zone-not-creatable] z08.example does not exist on the name server, where zones cannot be created
      Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.

    error[zone-not-creatable] z09.example does not exist on the name server, where zones cannot be created
      Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.
    [5]"
  `);
  expect(await run("apply --skip-invalid --yes")).toMatchInlineSnapshot(`
    "z01.example                               ~1 change
      1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
    note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
    warning  z08.example is left out: it does not exist on the name server
    warning  z09.example is left out: it does not exist on the name server
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 1 change in 1 of 1 zone · 2 zones left out · effects 96bb2922 · 6 reads
    apply sends 1 write and 5 reads (no rate limit)
    applied and verified: 1 zone is as planned
    error[zone-not-creatable] z08.example does not exist on the name server, where zones cannot be created
      Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.

    error[zone-not-creatable] z09.example does not exist on the name server, where zones cannot be created
      Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.
    z01.example: 1 write
    z01.example: done
    [5]"
  `);
  expect(await run("plan z08.example --skip-invalid")).toMatchInlineSnapshot(`
    "error[zone-not-creatable] z08.example does not exist on the name server, where zones cannot be created
      Have the operator of the service add the zone, or use a key of the view that has it. Then plan again.
    [3]"
  `);
});

test.skipIf(isMissing("named"))("a zone that is newer than the snapshot is left out", async () => {
  const { desk, change, run } = await begin();
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  change();
  desk.write("zones/z02.example.yaml", "records: { www: { A: 192.0.2.10 } }\n");
  expect(await run("plan --against live.json --out plan.json")).toMatchInlineSnapshot(`
    "z01.example                               ~1 change
      1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
    note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
    warning  z02.example is left out: it is not in the snapshot of TIME, less than 1 hour old: save a new snapshot, or plan without one
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    plan: 1 change in 1 of 1 zone · 1 zone left out · effects 96bb2922 · 0 reads
    apply sends 1 write and 5 reads
    next: zonewright apply plan.json
    [5]"
  `);
  expect(await run("apply plan.json --yes")).toMatchInlineSnapshot(`
    "z01.example                               ~1 change
      1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
    note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
    note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
    note  plan.json approves the change
    warning  z02.example is left out: it is not in the snapshot of TIME, less than 1 hour old: save a new snapshot, or plan without one
    plan: 1 change in 1 of 1 zone · 1 zone left out · effects 96bb2922 · 4 reads
    apply sends 1 write and 5 reads (no rate limit)
    applied and verified: 1 zone is as planned
    z01.example: 1 write
    z01.example: done
    [5]"
  `);
  expect(await run("plan z02.example --against live.json")).toMatchInlineSnapshot(`
    "error[zone-not-creatable] z02.example does not exist in the snapshot of TIME, less than 1 hour old
      Save a new snapshot, or plan without one.
    [3]"
  `);
});
