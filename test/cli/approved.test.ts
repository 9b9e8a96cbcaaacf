import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { after, before, createInPart, planned } from "./reviewed.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const file = "zones/example.com.yaml";
const advice =
  "Nothing was written. Plan these files with `zonewright plan --out FILE`, have that plan approved, and run `zonewright apply FILE`.";
const shown = lines`
  example.com                               ~1 change  -1 delete
    1 ~ change  www  A  3600  192.0.2.10 → 192.0.2.11  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
    2 - delete  old  A  3600  192.0.2.44               caches may keep it for up to 1 hour
  note  plan.json approves all 2 changes
  plan: 2 changes in 1 of 1 zone · effects 5c2bc4fd · 2 reads
  apply sends 2 writes and 7 reads (no rate limit)
`;

/** The records of a domain, such as `www A 192.0.2.10 0`, sorted. */
async function stored(desk: ApiDesk, id = 1): Promise<string[]> {
  const { data } = await desk.call("GET", `/domains/${id}/records`);
  return data
    .map(({ name, type, target, ttl_sec }: Record<string, unknown>) => `${name} ${type} ${target} ${ttl_sec}`)
    .sort();
}

async function recordId(desk: ApiDesk, name: string): Promise<number> {
  const { data } = await desk.call("GET", "/domains/1/records");
  return data.find((record: { name: string }) => record.name === name).id;
}

const rewrite = (change: (text: string) => string) => (desk: ApiDesk) => desk.write(file, change(desk.read(file)));

function journals(desk: ApiDesk): Record<string, unknown>[] {
  const files = Object.entries(desk.files()).filter(([name]) => name.endsWith("journal.jsonl"));
  return files.map(([, text]) => JSON.parse(text.split("\n")[0] ?? ""));
}

test("applies a new plan whose effects are approved, and records the approval", async () => {
  const desk = await planned();
  const { nonce, effectDigest, planDigest } = JSON.parse(desk.read("plan.json"));
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 0,
    out: `${shown}applied and verified: 1 zone is as planned\n`,
    talk: "example.com: 2 writes\nexample.com: done\n",
  });
  expect(await stored(desk)).toEqual(["api A 192.0.2.80 0", "www A 192.0.2.11 0"]);
  expect(journals(desk)).toMatchObject([{ kind: "begin", approvedPlans: [{ nonce, effectDigest, planDigest }] }]);
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 0,
    out: "in sync: 1 zone, nothing to do\n",
    talk: "",
  });
});

describe("keeps an approval", () => {
  test.each<[string, (desk: ApiDesk) => unknown]>([
    ["comments", rewrite((text) => `# reviewed\n${text}# end\n`)],
    ["CRLF", rewrite((text) => text.replaceAll("\n", "\r\n"))],
    ["another order of the records", rewrite((text) => text.replace(/( {2}www.*\n)( {2}api.*\n)/, "$2$1"))],
    ["another spelling", rewrite((text) => text.replace("ttl_sec: 1h", "ttl_sec: 3600").replace("www:", "WWW:"))],
    [
      "the zone as a BIND file",
      (desk) => {
        rmSync(join(desk.folder, file));
        desk.write(
          "zones/example.com.zone",
          "$TTL 3600\n;@ soa_email: hostmaster@example.com\napi A 192.0.2.80\nwww A 192.0.2.11\n",
        );
      },
    ],
    [
      "a config with the zones elsewhere",
      (desk) => {
        desk.write("dns/example.com.yaml", desk.read(file));
        desk.write("zonewright.yaml", "zones: dns\n");
      },
    ],
    [
      "a part of the approved effects: the other was made by hand",
      async (desk) => {
        await desk.call("DELETE", `/domains/1/records/${await recordId(desk, "old")}`);
      },
    ],
    ["a part of the approved effects: the files want no more", rewrite((text) => `${text}  old: { A: 192.0.2.44 }\n`)],
    [
      "another merge, already applied",
      async (desk) => {
        await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.99" });
        rewrite((text) => `${text}  new: { A: 192.0.2.99 }\n`)(desk);
      },
    ],
    [
      "another zone in sync",
      async (desk) => {
        desk.write("zones/example.net.yaml", before);
        expect((await desk.run("apply example.net --yes")).code).toBe(0);
        rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
      },
    ],
  ])("%s", async (_, meanwhile) => {
    const desk = await planned();
    await meanwhile(desk);
    const { code, talk } = await desk.run("apply plan.json --yes");
    expect({ code, talk: talk.replace("1 write\n", "2 writes\n") }).toEqual({
      code: 0,
      talk: "example.com: 2 writes\nexample.com: done\n",
    });
    expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
  });
});

interface Refusal {
  what: string;
  meanwhile: (desk: ApiDesk) => unknown;
  args?: string;
  talk: string;
}

describe("is refused, and writes nothing:", () => {
  test.each<Refusal>([
    {
      what: "another value",
      meanwhile: rewrite((text) => text.replace("192.0.2.11", "192.0.2.12")),
      talk: lines`
        error[plan-effects] www.example.com A: changing 192.0.2.10 to 192.0.2.12 (the zone's TTL 3600) is not approved
          zones/example.com.yaml:4:13
            4 |   www: { A: 192.0.2.12 }
              |             ^^^^^^^^^^
          plan.json approves changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600). ADVICE
      `,
    },
    {
      what: "another TTL",
      meanwhile: rewrite((text) => text.replace("{ A: 192.0.2.11 }", "{ A: { ttl_sec: 5m, values: 192.0.2.11 } }")),
      talk: lines`
        error[plan-effects] www.example.com A: changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600 to TTL 300) is not approved
          zones/example.com.yaml:4:36
            4 |   www: { A: { ttl_sec: 5m, values: 192.0.2.11 } }
              |                                    ^^^^^^^^^^
          plan.json approves changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600). ADVICE
      `,
    },
    {
      what: "another default TTL of the zone",
      meanwhile: rewrite((text) => text.replace("ttl_sec: 1h", "ttl_sec: 2h")),
      talk: lines`
        error[plan-effects] example.com ttl_sec: changing it from 3600 to 7200 is not approved

        error[plan-effects] www.example.com A: changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600 to the zone's TTL 7200) is not approved
          zones/example.com.yaml:4:13
            4 |   www: { A: 192.0.2.11 }
              |             ^^^^^^^^^^
          plan.json approves changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600). ADVICE
      `,
    },
    {
      what: "one more record",
      meanwhile: rewrite((text) => `${text}  new: { TXT: "v=text ${"a".repeat(90)}" }\n`),
      talk: lines`
        error[plan-effects] new.example.com TXT: creating "v=text aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… (99 characters) …aaaaaaaaa" (the zone's TTL 3600) is not approved
          zones/example.com.yaml:6:15
            6 |   new: { TXT: "v=text aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
              |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          ADVICE
      `,
    },
    {
      what: "a delete instead of a change",
      meanwhile: rewrite((text) => text.replace(/ {2}www.*\n/, "")),
      talk: lines`
        error[plan-effects] www.example.com A: deleting 192.0.2.10 (the zone's TTL 3600) is not approved
          plan.json approves changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600). ADVICE
      `,
    },
    {
      what: "an edit by hand that other files than those of the plan would revert, with its author",
      meanwhile: async (desk) => {
        await desk.call("POST", "/domains/1/records", { type: "A", name: "lab", target: "192.0.2.99" });
        rewrite((text) => `${text}  old: { A: 192.0.2.44 }\n`)(desk);
      },
      talk: lines`
        error[plan-effects] lab.example.com A: deleting 192.0.2.99 (the zone's TTL 3600) is not approved
          ADVICE

        note[plan-events] example.com was changed after the plan was made: admin created lab.example.com A at 2026-03-04T12:00:00
      `,
    },
    {
      what: "many changes, of which the first are listed",
      meanwhile: rewrite(
        (text) =>
          `${text.replace(/ {2}api.*\n/, "")}  n: { A: [${Array.from({ length: 12 }, (_, n) => `192.0.2.1${n}`).join(", ")}] }\n`,
      ),
      talk: lines`
        error[plan-effects] api.example.com A: deleting 192.0.2.80 (the zone's TTL 3600) is not approved
        CREATES
        error[plan-effects] 3 more changes in 1 zone are not approved: 3 creates
          ADVICE
      `,
    },
    {
      what: "a plan that has expired",
      meanwhile: (desk) => {
        desk.now = new Date("2026-03-05T12:00:00Z");
      },
      talk: lines`
        error[plan-expired] plan.json expired at 2026-03-05T12:00:00Z
          Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
      `,
    },
    {
      what: "a domain that was replaced",
      meanwhile: async (desk) => {
        await desk.call("DELETE", "/domains/1");
        await desk.call("POST", "/domains", {
          domain: "example.com",
          type: "master",
          soa_email: "hostmaster@example.com",
          ttl_sec: 3600,
        });
        for (const [name, target] of [
          ["www", "192.0.2.10"],
          ["old", "192.0.2.44"],
          ["api", "192.0.2.80"],
        ])
          await desk.call("POST", "/domains/2/records", { type: "A", name, target });
      },
      talk: lines`
        error[plan-stale] domain 1 of example.com was replaced by domain 2
          Nothing was written. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.

        note[plan-events] example.com was changed after the plan was made: 2 earlier events, then admin created www.example.com A at 2026-03-04T12:00:00, admin created old.example.com A at 2026-03-04T12:00:00, admin created api.example.com A at 2026-03-04T12:00:00
      `,
    },
    {
      what: "a change that was made and reverted by hand",
      meanwhile: async (desk) => {
        const id = await recordId(desk, "www");
        await desk.call("PUT", `/domains/1/records/${id}`, { target: "192.0.2.11" });
        await desk.call("PUT", `/domains/1/records/${id}`, { target: "192.0.2.10" });
      },
      talk: lines`
        error[plan-rolled-back] www.example.com A was changed after the plan was made and then changed back: admin changed www.example.com A at 2026-03-04T12:00:00, admin changed www.example.com A at 2026-03-04T12:00:00
          Nothing was written. Ask who reverted it and why. Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
      `,
    },
  ])("$what", async ({ meanwhile, talk }) => {
    const desk = await planned();
    await meanwhile(desk);
    desk.writes.length = 0;
    const refused = await desk.run("apply plan.json --yes");
    const creates = /(?:error\[plan-effects\] n\.example\.com A: creating 192\.0\.2\.\d+ .*\n(?: .*\n)+\n){9}/;
    expect({ ...refused, talk: refused.talk.replace(creates, "CREATES\n").replaceAll(advice, "ADVICE") }).toEqual({
      code: 4,
      out: "",
      talk: talk.replace("approved\nCREATES", "approved\n\nCREATES"),
    });
    expect(desk.writes).toEqual([]);
  });
});

test("half of an approved swap is refused, with its other half", async () => {
  const zone = (www: string) =>
    `soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n  api: { A: 192.0.2.80 }\n${www}`;
  const desk = await apiDesk({ [file]: zone("  www: { CNAME: api }\n") });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write(file, zone("  www: { A: 192.0.2.10 }\n"));
  expect((await desk.run("plan --out plan.json --allow G03")).code).toBe(0);
  desk.write(file, zone(""));
  desk.writes.length = 0;
  expect(await desk.run("apply plan.json --yes")).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-effects] www.example.com CNAME: deleting api.example.com. (the zone's TTL 3600) is not approved
        plan.json approves it only together with creating 192.0.2.10 (the zone's TTL 3600) at www.example.com A. ${advice}
    `,
  });
  expect(desk.writes).toEqual([]);
});

test("the advice of a refusal: a further approved plan", async () => {
  const desk = await planned();
  rewrite((text) => `${text}  new: { A: 192.0.2.99 }\n`)(desk);
  expect((await desk.run("apply plan.json --yes")).talk).toContain(advice);
  await desk.run("plan --out more.json");
  const { code, out } = await desk.run("apply plan.json more.json --yes");
  expect({ code, notes: out.match(/^note .*$/gm) }).toEqual({
    code: 0,
    notes: ["note  plan.json approves 2 of 3 changes", "note  more.json approves 1 of 3 changes"],
  });
});

test("several plans approve together, each its own effects", async () => {
  const desk = await planned();
  desk.write(file, before.replace("192.0.2.80", "192.0.2.81"));
  await desk.run("plan --out api.json");
  desk.write(file, after.replace("192.0.2.80", "192.0.2.81"));
  const alone = await desk.run("apply api.json --yes");
  expect({ code: alone.code, errors: alone.talk.match(/^error.*$/gm) }).toEqual({
    code: 4,
    errors: [
      "error[plan-effects] old.example.com A: deleting 192.0.2.44 (the zone's TTL 3600) is not approved",
      "error[plan-effects] www.example.com A: changing 192.0.2.10 to 192.0.2.11 (the zone's TTL 3600) is not approved",
    ],
  });
  const both = await desk.run("apply plan.json api.json --yes");
  expect({ code: both.code, notes: both.out.match(/^note .*$/gm) }).toEqual({
    code: 0,
    notes: ["note  plan.json approves 2 of 3 changes", "note  api.json approves 1 of 3 changes"],
  });
  expect(await stored(desk)).toEqual(["api A 192.0.2.81 0", "www A 192.0.2.11 0"]);
});

test("an applied plan approves nothing more in the zones of its run, and still does in others", async () => {
  const desk = await apiDesk({ [file]: before, "zones/example.net.yaml": before });
  await desk.run("apply --yes");
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  for (const name of [file, "zones/example.net.yaml"]) desk.write(name, after);
  await desk.run("plan --out plan.json");
  expect((await desk.run("apply example.com plan.json --yes")).code).toBe(0);
  expect(await stored(desk, 1)).toEqual(["api A 192.0.2.80 0", "www A 192.0.2.11 0"]);
  expect(await stored(desk, 2)).toEqual(["api A 192.0.2.80 0", "old A 192.0.2.44 0", "www A 192.0.2.10 0"]);
  await desk.call("PUT", `/domains/1/records/${await recordId(desk, "www")}`, { target: "192.0.2.10" });
  const again = await desk.run("apply plan.json --yes");
  expect({ ...again, talk: again.talk.replace(/run \S+ of \S+/, "run ID of TIME") }).toEqual({
    code: 4,
    out: "",
    talk: lines`
      error[plan-consumed] plan.json was already applied: run ID of TIME
        Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
    `,
  });
  expect((await desk.run("apply example.net plan.json --yes")).code).toBe(0);
  expect(await stored(desk, 2)).toEqual(["api A 192.0.2.80 0", "www A 192.0.2.11 0"]);
});

describe("guards", () => {
  const risky = before.replace(/ {2}(?:www|old|api).*\n/g, "");
  const allowing = async (options: string) => {
    const desk = await apiDesk({ [file]: before });
    await desk.run("apply --yes");
    rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
    desk.write(file, risky.replace("records:", "records: {}"));
    await desk.run(`plan --out plan.json ${options}`);
    return desk;
  };

  test("are approved by the plan file that allowed them", async () => {
    const desk = await allowing("--allow G03");
    expect((await desk.run("apply plan.json --yes")).code).toBe(0);
    expect(await stored(desk)).toEqual([]);
  });

  test("block a plan without --allow, although its effects are approved", async () => {
    const desk = await allowing("");
    const { code, talk } = await desk.run("apply plan.json --yes");
    expect({ code, talk }).toEqual({
      code: 3,
      talk: lines`
        error[guard-blocked] nothing is written: blocked by G03 (last records)
          The plan above shows each reason, and the entry for acks.yaml that approves it. To approve for this run: ${"`"}zonewright apply plan.json --allow G03${"`"}.
      `,
    });
    expect((await desk.run("apply plan.json --yes --allow G03")).code).toBe(0);
  });

  test("approvals of two plans do not add up to one of their union", async () => {
    const records = Array.from({ length: 12 }, (_, n) => `  n${n}: { A: 192.0.2.${n} }\n`);
    const zone = (count: number, from = 0) =>
      `soa_email: hostmaster@example.com\nrecords:\n${records.filter((_, n) => n < from || n >= from + count).join("")}`;
    const desk = await apiDesk({ [file]: zone(0) });
    await desk.run("apply --yes");
    rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
    desk.write(file, zone(4));
    await desk.run("plan --out a.json --allow G01");
    desk.write(file, zone(4, 4));
    await desk.run("plan --out b.json --allow G01");
    desk.write(file, zone(8));
    const { code, talk } = await desk.run("apply a.json b.json --yes");
    expect([code, talk.split("\n")[0]]).toEqual([
      3,
      "error[guard-blocked] nothing is written: blocked by G01 (many deletions)",
    ]);
    desk.write(file, zone(4));
    expect((await desk.run("apply a.json --yes")).code).toBe(0);
  });
});

describe("the deletion of a domain", () => {
  const deleting = async () => {
    const desk = await apiDesk({ [file]: before, "zones/example.net.yaml": before });
    await desk.run("apply --yes");
    rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
    rmSync(join(desk.folder, "zones/example.net.yaml"));
    expect((await desk.run("plan --delete-zone example.net --allow G06 --out plan.json")).code).toBe(0);
    return desk;
  };

  test("is approved for the domain as it was", async () => {
    const desk = await deleting();
    const { code, out } = await desk.run("apply plan.json --yes");
    expect([code, out]).toEqual([0, expect.stringContaining("note  plan.json approves the change\n")]);
    expect((await desk.call("GET", "/domains")).data).toHaveLength(1);
  });

  test.each<[string, (desk: ApiDesk) => Promise<unknown>, string]>([
    [
      "a changed one",
      async (desk) => {
        const { data } = await desk.call("GET", "/domains/2/records");
        await desk.call("PUT", `/domains/2/records/${data[0].id}`, { target: "192.0.2.99" });
      },
      "error[plan-stale] example.net, which the plan deletes, was changed after the plan was made",
    ],
    [
      "one with more records",
      (desk) => desk.call("POST", "/domains/2/records", { type: "A", name: "more", target: "192.0.2.99" }),
      "error[plan-effects] example.net: deleting the zone (active, records: 4) is not approved",
    ],
  ])("is refused for %s", async (_, meanwhile, error) => {
    const desk = await deleting();
    await meanwhile(desk);
    const { code, talk } = await desk.run("apply plan.json --yes");
    expect([code, talk.split("\n")[0]]).toEqual([4, error]);
    expect((await desk.call("GET", "/domains")).data).toHaveLength(2);
  });
});

test("continues a new zone that was created in part", async () => {
  const desk = await apiDesk({ [file]: before });
  await desk.run("plan --out plan.json");
  await createInPart(desk);
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect({ code, talk }).toEqual({ code: 0, talk: "example.com: 3 writes\nexample.com: done\n" });
  expect((await desk.call("GET", "/domains/1")).status).toBe("active");
});

test("an interrupted run is resumed with the same approvals", async () => {
  const desk = await planned();
  desk.write(
    ".zonewright/runs/20260304T120500Z-1/journal.jsonl",
    `${JSON.stringify({
      kind: "begin",
      format: "zonewright.journal/1",
      run: "20260304T120500Z-1",
      at: "2026-03-04T12:05:00.000Z",
      zones: [{ zone: "example.com.", writes: 2 }],
      approvedPlans: [{ nonce: JSON.parse(desk.read("plan.json")).nonce, effectDigest: "2", planDigest: "3" }],
    })}\n`,
  );
  expect(await desk.run("apply --resume --yes")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[run-unknown] the last run, 20260304T120500Z-1, applied plan files: --resume alone would apply changes that were not reviewed
        To continue it, apply the same files: ${"`"}zonewright apply FILE${"`"}.
    `,
  });
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
});

test.each([
  ["apply --approved plan.json", "apply plan.json"],
  ["apply example.com --approved plan.json", "apply example.com plan.json"],
  ["apply --resume --approved plan.json", "apply plan.json"],
])("%s, of version 0.1, is %s with a note", async (old, now) => {
  const desk = await planned();
  const { code, talk } = await desk.run(`${old} --yes`);
  expect([code, talk]).toEqual([
    0,
    `note: plan files are arguments now: \`zonewright ${now}\`; the option --approved ends with the next version\nexample.com: 2 writes\nexample.com: done\n`,
  ]);
  expect((await desk.run("apply --help")).out).not.toMatch(/--approved|--stale/);
});

test("zones beside a plan file limit it to them", async () => {
  const desk = await apiDesk({ [file]: before, "zones/example.net.yaml": before });
  await desk.run("apply --yes");
  for (const name of [file, "zones/example.net.yaml"]) desk.write(name, after);
  await desk.run("plan --out plan.json");
  expect((await desk.run("apply plan.json example.net --yes")).code).toBe(0);
  expect((await desk.run("plan example.net --detailed-exitcode")).code).toBe(0);
  expect((await desk.run("plan example.com --detailed-exitcode")).code).toBe(2);
});

test("zones that are not in the plan file are left alone", async () => {
  const desk = await planned();
  desk.write("zones/example.net.yaml", "soa_email: a@example.net\nrecords: { www: { A: 192.0.2.1 } }\n");
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect((await desk.call("GET", "/domains")).data).toHaveLength(1);
  const { code, talk } = await desk.run("apply plan.json example.net --yes");
  expect([code, talk.split("\n")[0]]).toEqual([
    4,
    "error[plan-effects] example.net: creating the zone (master, active) is not approved",
  ]);
});

test("a plan of another account or API approves nothing", async () => {
  const desk = await planned();
  const other = await desk.mint({ username: "other" });
  const { code, talk } = await desk.run("apply plan.json --yes", { env: { ZONEWRIGHT_TOKEN: other } });
  expect({
    code,
    talk: talk.replace(/account \S+?, but this token belongs to \S+/, "account A, but this token belongs to B"),
  }).toEqual({
    code: 4,
    talk: lines`
      error[plan-target] plan.json is for the account A, but this token belongs to B
        Make a new plan with ${"`"}zonewright plan --out FILE${"`"}.
    `,
  });
});

test("a run that fails names the command that continues it with the same approvals", async () => {
  let isFailing = false;
  const desk = await apiDesk(
    { [file]: before },
    (server) => async (request, connection) =>
      isFailing && request.method === "DELETE"
        ? new Response(JSON.stringify({ errors: [{ reason: "No" }] }), { status: 400 })
        : server(request, connection),
  );
  await desk.run("apply --yes");
  desk.tick = 1;
  desk.write(file, after);
  await desk.run("plan --out plan.json");
  isFailing = true;
  const { code, talk } = await desk.run("apply plan.json --yes");
  expect([code, talk.split("\n").at(-2)]).toEqual([
    5,
    "1 of 1 zone failed. Fix the error above, then run `zonewright apply plan.json`.",
  ]);
  isFailing = false;
  expect((await desk.run("apply plan.json --yes")).code).toBe(0);
  expect(await stored(desk)).toEqual(["api A 192.0.2.80 0", "www A 192.0.2.11 0"]);
});
