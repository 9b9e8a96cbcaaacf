import { join } from "node:path";
import { expect, test } from "vitest";
import { listRuns } from "../../src/executor/journal/runs.ts";
import { type ApiDesk, apiDesk, lines, noon } from "./run.ts";

const kept = lines`
  soa_email: hostmaster@example.com
  records:
    www: { CNAME: www.example.org. }
`;
const going = lines`
  soa_email: hostmaster@example.org
  ttl_sec: 1h
  tags: [web]
  records:
    "@": { A: 192.0.2.10 }
    www: { A: 192.0.2.11 }
`;
const config = "rules: { target-elsewhere: off }\n";

/** Both zones are live, and only one has a file. */
async function desk(): Promise<ApiDesk> {
  const desk = await apiDesk({
    "zones/example.com.yaml": kept,
    "more/example.org.yaml": going,
    "zonewright.yaml": config,
  });
  expect((await desk.run("apply --yes --zones zones --zones more")).code).toBe(0);
  desk.writes.length = 0;
  desk.now = new Date(noon.getTime() + 60_000);
  return desk;
}

const shown = lines`
  example.org                               -1 delete
    1 - delete  (zone)  master with 2 records  blocked by G06  blocked by G08  last of all, after it is saved as a zone file
`;

function constant<T extends { out: string; talk: string }>(result: T): T {
  const hide = (text: string) =>
    text.replace(/effects: "[0-9a-f]{16}"/g, 'effects: "DIGEST"').replace(/effects [0-9a-f]{8}/g, "effects DIGEST");
  return { ...result, out: hide(result.out), talk: hide(result.talk) };
}

test("keeps a domain without a file, and plans its deletion only by name", async () => {
  const at = await desk();
  expect(await at.run("plan")).toEqual({
    code: 0,
    out: "1 zone of the account not in git, left alone: example.org\nin sync: 1 zone, nothing to do\n",
    talk: "",
  });
  expect(constant(await at.run("plan --delete-zone example.org --detailed-exitcode"))).toEqual({
    code: 3,
    out: `${shown}  ${lines`
      blocked by G06 (domain): example.org: deletes the domain and its 2 records
          to approve: --allow G06, or in acks.yaml: - { guard: G06, zone: example.org, effects: "DIGEST", reason: …, until: 2026-04-03 }
        blocked by G08 (still referenced): example.org: www.example.com points to www.example.org
          to approve: --allow G08, or in acks.yaml: - { guard: G08, zone: example.org, effects: "DIGEST", reason: …, until: 2026-04-03 }
      1 zone in sync
      plan: 1 change in 1 of 2 zones · effects DIGEST · 3 reads
      apply sends 1 write and 3 reads (no rate limit)
    `}`,
    talk: "",
  });
  expect((await at.run("apply --delete-zone example.org --yes")).code).toBe(3);
  expect(at.writes).toEqual([]);
});

test("deletes the domain last, after records that point into it, and saves it first; undo restores it", async () => {
  const at = await desk();
  at.write("zones/example.com.yaml", kept.replace("www.example.org.", "www.example.net."));
  at.waited += 1_000; // runs of one second have no order
  const { code, talk } = await at.run("apply --delete-zone example.org --allow G06,G32 --yes --verbose");
  expect({ code, talk }).toEqual({
    code: 0,
    talk: lines`
      example.com: 1 write
        example.com: changed www CNAME www.example.org. to www.example.net.
      example.com: done
      example.org: 1 write
        example.org: deleted domain 1
      example.org: done
    `,
  });
  expect(at.writes).toEqual(["PUT /v4/domains/2/records/3", "DELETE /v4/domains/1"]);
  expect([...(listRuns(join(at.folder, ".zonewright")).at(-1)?.deletions ?? [])]).toEqual([["example.org.", true]]);
  const saved = Object.keys(at.files()).filter((file) => file.endsWith("example.org.zone"));
  expect(saved.length).toBe(1);
  expect((await at.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  const runs = (await at.run("runs")).out.match(/^\d{8}T\d{6}\.\d{3}Z-\w+/gm) ?? [];
  const run = runs.sort().at(-1);
  const undone = constant(await at.run(`undo ${run} --allow G06 --yes`));
  expect(undone).toEqual({
    code: 0,
    out: lines`
      example.com                               ~1 change
        4 ~ change  www  CNAME  86400  www.example.net. → www.example.org.  updated in place; caches may keep the old value for up to 1 day
      example.org                               +3 create
        1 + create  (zone)  master; soa_email hostmaster@example.org; tags web; ttl_sec 3600; refresh_sec 0; retry_sec 0; expire_sec 0  disabled until its records are written
        2 + create  @       A  3600  192.0.2.10
        3 + create  www     A  3600  192.0.2.11
      note  example.org: it was deleted; it is created again from the journal of the run
      plan: 4 changes in 2 of 2 zones · effects DIGEST · 2 reads
      apply sends 5 writes and 11 reads (no rate limit)
      applied and verified: 2 zones are as planned
    `,
    talk: lines`
      example.org: 4 writes
      example.org: done
      example.com: 1 write
      example.com: done
    `,
  });
  expect((await at.run("plan --zones more")).out).toBe(
    "1 zone of the account not in git, left alone: example.com\nin sync: 1 zone, nothing to do\n",
  );
});

test("a plan file lists deleted domains, and is refused when one changed since", async () => {
  const at = await desk();
  expect((await at.run("plan --delete-zone example.org --allow G06,G08 --out plan.json")).code).toBe(0);
  await at.run("apply --zones more --yes");
  at.write("more/example.org.yaml", going.replace("192.0.2.11", "192.0.2.12"));
  expect((await at.run("apply --zones more --yes")).code).toBe(0);
  expect(await at.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-stale] example.org, which the plan deletes, was changed after the plan was made
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] example.org was changed after the plan was made: admin changed www.example.org A at 2026-03-04T12:00:00
    `,
  });
});

test("deletes the domains of a plan file, and reports those that are already deleted", async () => {
  const at = await desk();
  await at.run("plan --delete-zone example.org --allow G06,G08 --out plan.json");
  await at.run("plan --delete-zone example.org --allow G06,G08 --out other.json");
  expect((await at.run("apply plan.json --yes")).code).toBe(0);
  expect(at.writes).toEqual(["DELETE /v4/domains/1"]);
  expect(await at.run("apply other.json --yes")).toEqual({
    code: 0,
    out: "in sync: 1 zone, nothing to do\n",
    talk: "",
  });
});

test.each([
  [
    "example.com",
    "delete-zone-file",
    "example.com is described by zones/example.com.yaml, so it is not deleted",
    "Remove the file, or leave out --delete-zone for this zone.",
  ],
  [
    "example.net",
    "delete-zone-unknown",
    "example.net cannot be deleted: the account has no such domain, or it is not visible to this token",
    "Name a domain of the account. `zonewright plan` lists those without a zone file.",
  ],
])("refuses --delete-zone %s", async (name, rule, summary, fix) => {
  const at = await desk();
  const talk = `error[${rule}] ${summary}\n  ${fix}\n`;
  expect(await at.run(`plan --delete-zone ${name}`)).toEqual({ code: 3, out: "", talk });
});

test.each([1, 2, 3])("an undo that restores a domain and stops after %d of 4 writes is continued", async (writes) => {
  let left = Number.POSITIVE_INFINITY;
  const files = { "zones/example.com.yaml": going, "more/example.org.yaml": going };
  const at = await apiDesk(files, (server) => async (request, connection) => {
    const isRefused = request.method !== "GET" && --left < 0;
    return isRefused ? Response.json({ errors: [{ reason: "No" }] }, { status: 400 }) : server(request, connection);
  });
  expect((await at.run("apply --zones zones --zones more --yes")).code).toBe(0);
  at.waited += 1_000;
  expect((await at.run("apply --delete-zone example.org --allow G06 --yes")).code).toBe(0);
  at.waited += 1_000;
  left = writes;
  expect((await at.run("undo last --yes")).code).toBe(5);
  left = Number.POSITIVE_INFINITY;
  at.waited += 1_000;
  expect((await at.run("undo last --yes")).code).toBe(0);
  expect(await at.run("plan --zones zones --zones more")).toEqual({
    code: 0,
    out: "in sync: 2 zones, nothing to do\n",
    talk: "",
  });
});
