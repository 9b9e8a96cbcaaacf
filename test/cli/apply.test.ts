import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { apiDesk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www:
      A: 192.0.2.10
    shop:
      CNAME: www
`;

const plan = lines`
  example.com                               +3 create
    1 + create  (zone)  master; soa_email hostmaster@example.com  disabled until its records are written
    2 + create  www     A      86400  192.0.2.10                  zones/example.com.yaml:4
    3 + create  shop    CNAME  86400  www                         zones/example.com.yaml:6
  plan: 3 changes in 1 of 1 zone · effects 5e945333 · 1 read
  apply sends 4 writes and 6 reads (no rate limit)
`;

test("--yes writes, verifies, and leaves nothing to do", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run("apply --yes")).toEqual({
    code: 0,
    out: `${plan}applied and verified: 1 zone is as planned\n`,
    talk: "example.com: 4 writes\nexample.com: done\n",
  });
  expect(desk.writes).toEqual([
    "POST /v4/domains",
    "POST /v4/domains/1/records",
    "POST /v4/domains/1/records",
    "PUT /v4/domains/1",
  ]);
  expect(await desk.run("plan")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
  expect(await desk.run("apply --yes")).toEqual({ code: 0, out: "in sync: 1 zone, nothing to do\n", talk: "" });
  expect(desk.writes.length).toBe(4);
});

test("--verbose prints each write", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  // Steps that need nothing of each other run side by side.
  const sorted = async () => (await desk.run("apply --yes --verbose")).talk.split("\n").sort();
  expect(await sorted()).toEqual([
    "",
    "  example.com: created as domain 1",
    "  example.com: created shop CNAME www",
    "  example.com: created www A 192.0.2.10",
    "  example.com: set status",
    "example.com: 4 writes",
    "example.com: done",
  ]);
  desk.write("zones/example.com.yaml", zone.replace("CNAME: www", "A: 192.0.2.20").replace("192.0.2.10", "192.0.2.11"));
  expect(await sorted()).toEqual([
    "",
    "  example.com: changed www A 192.0.2.10 to 192.0.2.11",
    "  example.com: created shop A 192.0.2.20",
    "  example.com: deleted shop CNAME www",
    "example.com: 3 writes",
    "example.com: done",
  ]);
});

test.each(["y", "Y", "yes", " YES "])("asks, and accepts %j as yes", async (answer) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect((await desk.run("apply", { answer })).code).toBe(0);
  expect(desk.questions).toEqual(["Apply 4 writes? [y/N] "]);
  expect(desk.writes.length).toBe(4);
});

test.each(["n", "", "no", "yeah", "j"])("asks, and takes %j as no", async (answer) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run("apply", { answer })).toEqual({ code: 1, out: plan, talk: "nothing was written\n" });
  expect(desk.questions).toEqual(["Apply 4 writes? [y/N] "]);
  expect(desk.writes).toEqual([]);
});

test("Ctrl-C at the question ends without writes", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run("apply", { answer: "Ctrl-C" })).toEqual({
    code: 130,
    out: plan,
    talk: "nothing was written\n",
  });
  expect(desk.writes).toEqual([]);
});

test("does not ask when nothing changes", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  await desk.run("apply --yes");
  expect((await desk.run("apply", { answer: "y" })).code).toBe(0);
  expect(desk.questions).toEqual([]);
});

const conflict = (name: string) =>
  new Response(JSON.stringify({ errors: [{ reason: `No ${name} today`, field: "name" }] }), { status: 400 });

/** A server that refuses the record of a name. */
const refusing =
  (name: string) =>
  (server: Server): Server =>
  async (request, connection) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    return body.includes(`"name":"${name}"`) ? conflict(name) : server(request, connection);
  };

test("a failed zone does not stop the others: exit code 5, and the next run does the rest", async () => {
  const other = zone.replace("shop", "store");
  const desk = await apiDesk({ "zones/a.example.yaml": zone, "zones/b.example.yaml": other }, refusing("shop"));
  const { code, talk } = await desk.run("apply --yes");
  expect(code).toBe(5);
  expect(talk.split("\n").sort().join("\n").trim()).toBe(
    lines`
    1 of 2 zones failed. Fix the error above, then run ${"`"}zonewright apply --resume${"`"}.
    a.example: 4 writes
    a.example: failed after 2 of 4 writes: POST /v4/domains/1/records: 400 name: No shop today
    b.example: 4 writes
    b.example: done
  `.trim(),
  );
  expect((await desk.run("plan")).out).toBe(lines`
    a.example                                 +1 create  ~1 change
      1 + create  shop    CNAME  86400  www         zones/a.example.yaml:6
      2 ~ change  (zone)  status disabled → active  is served from now on
    1 zone in sync
    plan: 2 changes in 1 of 2 zones · effects 8cba3905 · 3 reads
    apply sends 2 writes and 6 reads (no rate limit)
  `);
});

test("exits with 1 when nothing was written", async () => {
  const down = async () => new Response(JSON.stringify({ errors: [{ reason: "Closed" }] }), { status: 400 });
  const desk = await apiDesk(
    { "zones/example.com.yaml": zone },
    (server) => (request, connection) => (request.method === "POST" ? down() : server(request, connection)),
  );
  expect(await desk.run("apply --yes")).toEqual({
    code: 1,
    out: plan,
    talk: lines`
      example.com: 4 writes
      example.com: failed after 0 of 4 writes: POST /v4/domains: 400 Closed
      1 of 1 zone failed. Fix the error above, then run ${"`"}zonewright apply --resume${"`"}.
    `,
  });
});

test("reports concurrent writes of others found after apply, exit code 6", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, (server) => async (request, connection) => {
    const reply = await server(request, connection);
    if (request.method === "PUT")
      await desk.call("POST", "/domains/1/records", { type: "A", name: "api", target: "192.0.2.66" });
    return reply;
  });
  expect(await desk.run("apply --yes")).toEqual({
    code: 6,
    out: plan,
    talk: lines`
      example.com: 4 writes
      example.com: differs from the plan when read back
      applied, but example.com differs from the plan when read back: someone else may be writing. Run ${"`"}zonewright plan${"`"} to see what differs.
    `,
  });
});
