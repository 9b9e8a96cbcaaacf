import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { apiDesk } from "./run.ts";

const files = { "zones/a.test.yaml": 'soa_email: h@a.test\nrecords: { "@": { A: 192.0.2.1 } }\n' };

/** A desk whose service reports this status, and has these records besides its own. */
async function deskWith(status: string, records: readonly object[] = []) {
  const change = (data: object[], path: string) =>
    path.endsWith("/records") ? [...data, ...records] : data.map((domain) => ({ ...domain, status }));
  let isOn = false;
  const between =
    (server: Server): Server =>
    async (request, connection) => {
      const reply = await server(request, connection);
      const { pathname } = new URL(request.url);
      if (!isOn || request.method !== "GET" || !/\/domains(?:\/\d+\/records)?$/.test(pathname)) return reply;
      const page = (await reply.json()) as { data: object[] };
      const data = change(page.data, pathname);
      return Response.json(
        { ...page, data, results: data.length },
        { headers: { "content-type": "application/json" } },
      );
    };
  const desk = await apiDesk(files, between);
  expect((await desk.run("apply --yes")).code).toBe(0);
  isOn = true;
  return desk;
}

const record = { id: 900, name: "www", target: "1 2 ab", priority: 0, weight: 0, port: 0, ttl_sec: 0 };
const times = { created: "2026-01-01T00:00:00", updated: "2026-01-01T00:00:00" };
const unknown = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...record,
    ...times,
    id: 900 + index,
    name: index === 0 ? "" : `h${index}`,
    type: "SSHFP",
    service: null,
    protocol: null,
    tag: null,
  }));

test.each([
  ["has_errors", "the service found errors in the zone, and may serve an older version of it or none"],
  ["edit_mode", "someone is editing the zone there, and the service may not serve changes before that ends"],
  ["paused", "zonewright does not know it"],
])("plan and drift name a zone with the status %s", async (status, meaning) => {
  const desk = await deskWith(status);
  const warning = `warning  a.test has the status "${status}" in the account: ${meaning}`;
  const planned = await desk.run("plan --detailed-exitcode");
  expect([planned.code, planned.out.match(/^warning.*/gm)]).toEqual([0, [`${warning}  zones/a.test.yaml:1`]]);
  expect((await desk.run("drift")).out).toContain(`a.test has the status "${status}" in the account: ${meaning}`);
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  expect((await desk.run("plan --against live.json")).out).toContain(warning);
});

test("plan names records of unknown types", async () => {
  const desk = await deskWith("active", unknown(7));
  const { code, out } = await desk.run("plan --detailed-exitcode");
  const list = "@ SSHFP, h1 SSHFP, h2 SSHFP, h3 SSHFP, h4 SSHFP and 2 more";
  expect([code, out.match(/^warning.*/gm)]).toEqual([
    0,
    [`warning  a.test has 7 records, neither compared nor changed: ${list}  zones/a.test.yaml:1`],
  ]);
});
