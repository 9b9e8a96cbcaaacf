import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestJson } from "../../src/planner/changes/digests.ts";
import { after, anew, before, createInPart, planned } from "./reviewed.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

/** The plan file with something else in it, and a digest that fits. */
function edit(desk: ApiDesk, change: (plan: Record<string, never>) => void): void {
  const { planDigest, ...plan } = JSON.parse(desk.read("plan.json"));
  change(plan);
  desk.write("plan.json", JSON.stringify({ ...plan, planDigest: digestJson(plan) }));
}

async function record(desk: ApiDesk, name: string): Promise<{ id: number }> {
  const { data } = await desk.call("GET", "/domains/1/records");
  return data.find((record: { name: string }) => record.name === name);
}

const advice =
  "Nothing was written. Plan these files with `zonewright plan --out FILE`, have that plan approved, and run `zonewright apply FILE`.";
const shown = lines`
  example.com                               ~1 change  -1 delete
    1 ~ change  www  A  3600  192.0.2.10 → 192.0.2.11  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
    2 - delete  old  A  3600  192.0.2.44               caches may keep it for up to 1 hour
`;
const total = lines`
  note  plan.json approves all 2 changes
  plan: 2 changes in 1 of 1 zone · effects 5c2bc4fd · 2 reads
  apply sends 2 writes and 7 reads (no rate limit)
`;

test("applies exactly the reviewed plan, once", async () => {
  const desk = await planned();
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 0,
    out: `${shown}${total}applied and verified: 1 zone is as planned\n`,
    talk: "example.com: 2 writes\nexample.com: done\n",
  });
  // They need nothing of each other, so they go side by side.
  expect([...desk.writes].sort()).toEqual(["DELETE /v4/domains/1/records/2", "PUT /v4/domains/1/records/3"]);
  expect(await desk.run("plan")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
});

interface Row {
  what: string;
  options?: string;
  meanwhile: (desk: ApiDesk) => unknown;
  args?: string;
  env?: (desk: ApiDesk) => Promise<Record<string, string>>;
  code?: number;
  talk: string;
}

const rows: Row[] = [
  {
    what: "no such file",
    meanwhile: (desk) => rmSync(join(desk.folder, "plan.json")),
    code: 3,
    talk: "error[file-read] plan.json cannot be read: it does not exist\n  Make the plan file with `zonewright plan --out plan.json`, or check its path.\n",
  },
  {
    what: "a file that was cut off",
    meanwhile: (desk) => desk.write("plan.json", desk.read("plan.json").slice(0, -20)),
    talk: `error[plan-syntax] plan.json is not valid JSON: it was truncated or edited\n${anew}`,
  },
  {
    what: "JSON that is not a plan",
    meanwhile: (desk) => desk.write("plan.json", "[]"),
    talk: `error[plan-format] plan.json is not a plan file; this zonewright reads zonewright.plan/1\n${anew}`,
  },
  {
    what: "a plan of a later version",
    meanwhile: (desk) => edit(desk, (plan) => Object.assign(plan, { format: "zonewright.plan/2" })),
    talk: `error[plan-format] plan.json is a plan of another version (zonewright.plan/2); this zonewright reads zonewright.plan/1\n${anew}`,
  },
  {
    what: "a part is missing",
    meanwhile: (desk) => edit(desk, (plan) => Object.assign(plan, { nonce: undefined })),
    talk: `error[plan-shape] plan.json is not a complete plan: nonce: Invalid input: expected string, received undefined\n${anew}`,
  },
  {
    what: "an edited file",
    meanwhile: (desk) => desk.write("plan.json", desk.read("plan.json").replace("192.0.2.11", "192.0.2.66")),
    talk: `error[plan-digest] plan.json was edited after it was written: its digest does not match\n${anew}`,
  },
  {
    what: "an edited effect, with a digest of the whole that fits",
    meanwhile: (desk) =>
      edit(desk, (plan) =>
        Object.assign(plan, JSON.parse(JSON.stringify(plan).replaceAll("192.0.2.11", "192.0.2.66"))),
      ),
    talk: `error[plan-digest] plan.json was edited after it was written: its digest does not match\n${anew}`,
  },
  {
    what: "another API",
    meanwhile: (desk) => edit(desk, ({ target }) => Object.assign(target ?? {}, { api: "https://api.example.com/v4" })),
    talk: `error[plan-target] plan.json is for the API https://api.example.com/v4, but this is http://api/v4\n${anew}`,
  },
  {
    what: "another account",
    meanwhile: () => {},
    env: async (desk) => ({ ZONEWRIGHT_TOKEN: await desk.mint({ username: "other" }) }),
    talk: `error[plan-target] plan.json is for the account (planned), but this token belongs to (other)\n${anew}`,
  },
  {
    what: "another account, with a token that may not say whose it is",
    meanwhile: () => {},
    env: async (desk) => ({
      ZONEWRIGHT_TOKEN: await desk.mint({ username: "other", scopes: "domains:read_write" }),
    }),
    talk: lines`
      error[plan-stale] domain 1 of example.com no longer exists, or is not visible to this token
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] cannot tell who changed these zones after the plan was made: this token cannot read events (scope events:read_only)
    `,
  },
  {
    what: "another value in the zone file",
    meanwhile: (desk) => desk.write("zones/example.com.yaml", after.replace("192.0.2.11", "192.0.2.12")),
    talk: lines`
      error[plan-effects] www.example.com A: changing 192.0.2.10 to 192.0.2.12 (the zone's TTL 3600) is not approved
        zones/example.com.yaml:4:13
          4 |   www: { A: 192.0.2.12 }
            |             ^^^^^^^^^^
        plan.json approves changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600). ${advice}
    `,
  },
  {
    what: "a zone file that is gone",
    meanwhile: (desk) => rmSync(join(desk.folder, "zones/example.com.yaml")),
    talk: lines`
      error[plan-files] the plan was made from zones/example.com.yaml, which does not exist
        A plan file approves changes of zone files, and does not contain them. Check out the files that the plan was made from, in the same folder, or make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
    `,
  },
  {
    what: "another config",
    meanwhile: (desk) => desk.write("zonewright.yaml", "defaults: { tags: [shop] }\n"),
    talk: lines`
      error[plan-effects] example.com tags: changing it from [] to ["shop"] is not approved
        ${advice}
    `,
  },
  {
    what: "a plan that is too old",
    options: "--expires 2h",
    meanwhile: (desk) => {
      desk.now = new Date("2026-03-04T14:00:00Z");
    },
    talk: `error[plan-expired] plan.json expired at 2026-03-04T14:00:00Z\n${anew}`,
  },
  {
    what: "a changed record that was edited since",
    meanwhile: async (desk) => {
      const { id } = await record(desk, "www");
      await desk.call("PUT", `/domains/1/records/${id}`, { target: "192.0.2.99" });
    },
    talk: lines`
      error[plan-stale] www.example.com A: 192.0.2.99 with the zone's TTL was added after the plan was made
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] example.com was changed after the plan was made: admin changed www.example.com A at 2026-03-04T12:00:00
    `,
  },
  {
    what: "another record beside a changed one",
    meanwhile: (desk) => desk.call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.99" }),
    talk: lines`
      error[plan-stale] www.example.com A: 192.0.2.99 with the zone's TTL was added after the plan was made
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] example.com was changed after the plan was made: admin created www.example.com A at 2026-03-04T12:00:00
    `,
  },
  {
    what: "the domain is another one",
    meanwhile: async (desk) => {
      await desk.call("DELETE", "/domains/1");
      await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@example.com" });
    },
    talk: lines`
      error[plan-stale] domain 1 of example.com was replaced by domain 2
        Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

      note[plan-events] example.com was changed after the plan was made: admin deleted the zone at 2026-03-04T12:00:00, admin created the zone at 2026-03-04T12:00:00
    `,
  },
  ...["record", "zone"].map((edits) => ({
    what: `--stale ${edits}, an option of version 0.1`,
    meanwhile: () => {},
    args: `--stale ${edits}`,
    code: 64,
    talk: "error: --stale was removed: leave it out. Edits of other records are kept, and edits of records that the plan file changes are refused.\n",
  })),
];

describe.each(rows)("$what", ({ options, meanwhile, args = "", env, code = 4, talk }) => {
  test("writes nothing and reports the reason", async () => {
    const desk = await planned(options);
    await meanwhile(desk);
    desk.writes.length = 0;
    const { out, ...said } = await desk.run(`apply plan.json --yes ${args}`, { env: (await env?.(desk)) ?? {} });
    const ids = /account \S+?, but this token belongs to \S+/;
    expect({
      ...said,
      talk: said.talk.replace(ids, "account (planned), but this token belongs to (other)"),
      out,
    }).toEqual({
      code,
      talk,
      out: "",
    });
    expect(desk.writes).toEqual([]);
  });
});

test("reports edits elsewhere in the zone and keeps them", async () => {
  const desk = await planned();
  await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.99" });
  await desk.call("DELETE", `/domains/1/records/${(await record(desk, "api")).id}`);
  desk.writes.length = 0;
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 0,
    out: `${shown}${total.replace("plan:", `note  example.com was changed after the plan was made: admin created new.example.com A at 2026-03-04T12:00:00, admin deleted api.example.com A at 2026-03-04T12:00:00\nwarning  example.com was changed after the plan was made: api.example.com A 192.0.2.80 was deleted, new.example.com A 192.0.2.99 was added; that change is kept\nplan:`)}applied and verified: 1 zone is as planned\n`,
    talk: "example.com: 2 writes\nexample.com: done\n",
  });
  expect((await desk.call("GET", "/domains/1/records")).data.map(({ name }: { name: string }) => name).sort()).toEqual([
    "new",
    "www",
  ]);
});

test("skips and reports changes that someone else already made", async () => {
  const desk = await planned();
  await desk.call("DELETE", `/domains/1/records/${(await record(desk, "old")).id}`);
  desk.writes.length = 0;
  const { code, out } = await desk.run("apply plan.json --yes");
  expect({ code, out }).toEqual({
    code: 0,
    out: lines`
      example.com                               ~1 change
        1 ~ change  www  A  3600  192.0.2.10 → 192.0.2.11  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
      note  plan.json approves the change; 1 other change of it is done already, or left out
      note  example.com was changed after the plan was made: admin deleted old.example.com A at 2026-03-04T12:00:00
      plan: 1 change in 1 of 1 zone · effects 87d5e69d · 2 reads
      apply sends 1 write and 6 reads (no rate limit)
      applied and verified: 1 zone is as planned
    `,
  });
  expect(desk.writes).toEqual(["PUT /v4/domains/1/records/3"]);
});

test("continues an interrupted plan of a new zone", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": before });
  await desk.run("plan --out plan.json");
  await createInPart(desk);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk }).toEqual({ code: 0, talk: "example.com: 3 writes\nexample.com: done\n" });
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  expect((await desk.call("GET", "/domains/1")).status).toBe("active");
});

test("without the project's files, a plan file says what is missing, and what to do", async () => {
  const desk = await planned();
  for (const file of ["zones", "zonewright.yaml", ".zonewright"])
    rmSync(join(desk.folder, file), { recursive: true, force: true });
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-files] the plan was made from zones/example.com.yaml, which does not exist
        A plan file approves changes of zone files, and does not contain them. Check out the files that the plan was made from, in the same folder, or make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
    `,
  });
  expect(desk.writes).toEqual([]);
});

test("an edit that a later run of this checkout made is not kept beside an older plan", async () => {
  const desk = await planned();
  desk.tick = 1000;
  desk.write("zones/example.com.yaml", before.replace("192.0.2.80", "192.0.2.81"));
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", after);
  desk.writes.length = 0;
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.split(": 2026")[0], desk.writes]).toEqual([
    4,
    "error[plan-superseded] plan.json is older than another run in the same zones",
    [],
  ]);
  desk.write("zones/example.com.yaml", after.replace("192.0.2.80", "192.0.2.81"));
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});
