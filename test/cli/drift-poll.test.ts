// @suite long

import { expect, test } from "vitest";
import type { DriftDesk } from "./drift-desk.ts";
import { published } from "./drift-desk.ts";
import { lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n  www: { A: 192.0.2.1 }\n";
const files = { "zones/example.com.yaml": zone, "zones/example.net.yaml": zone };
const records = "/domains/1/records";
const first = ({ out }: { out: string }) => out.split("\n")[0];
const snapshot = "snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z;";

async function add(desk: DriftDesk, user: string, minute: number, zoneId = 1): Promise<void> {
  const body = { type: "A", name: `${user}${minute}`, target: "192.0.2.99" };
  await desk.as(user, `2026-03-04T12:${minute}:00Z`, "POST", `/domains/${zoneId}/records`, body);
}

test("with a state, earlier findings are reported again, and their zones are not read again", async () => {
  const desk = await published(files);
  await add(desk, "alice", 10);
  expect((await desk.run("drift --state poll.json")).out).toBe(lines`
    ${snapshot} 1 event since then, 1 zone read
    example.com
      foreign   alice10 A  3600 192.0.2.99
                by "alice" at 2026-03-04T12:10:00Z
    drift: 1 addition outside git in 1 of 2 zones · 4 requests
  `);
  expect((await desk.run("drift --state poll.json")).out).toBe(lines`
    ${snapshot} 0 events since then, 0 zones read
    example.com
      foreign   alice10 A  3600 192.0.2.99
                by "alice" at 2026-03-04T12:10:00Z
    drift: 1 addition outside git in 1 of 2 zones · 2 requests
  `);
  await add(desk, "bob", 20, 2);
  expect((await desk.run("drift --state poll.json")).out).toBe(lines`
    ${snapshot} 1 event since then, 1 zone read
    example.com
      foreign   alice10 A  3600 192.0.2.99
                by "alice" at 2026-03-04T12:10:00Z
    example.net
      foreign   bob20 A  3600 192.0.2.99
                by "bob" at 2026-03-04T12:20:00Z
    drift: 2 additions outside git in 2 of 2 zones · 4 requests
  `);
});

test("a state ends with its snapshot", async () => {
  const desk = await published(files);
  await add(desk, "alice", 10);
  await desk.run("drift --state poll.json");
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("snapshot --ref refs/zonewright/snapshot")).code).toBe(0);
  expect((await desk.run("drift --state poll.json")).out).toContain("in sync: 2 zones");
});

test("a file that is no state is an error, and stays", async () => {
  const desk = await published(files);
  expect(await desk.run("drift --state zones/example.com.yaml")).toMatchObject({ code: 3, out: "" });
  expect(desk.read("zones/example.com.yaml")).toBe(zone);
  expect((await desk.run("drift example.com --state poll.json")).code).toBe(64);
});

test("a snapshot older than the kept events is said, and every zone is read", async () => {
  const desk = await published(files);
  await add(desk, "alice", 10);
  desk.now = new Date("2026-06-03T12:00:00Z");
  const result = await desk.run("drift");
  expect(first(result)).toBe(
    `${snapshot} 1 event since then, all zones read (the snapshot is older than the 90 days for which the service keeps events)`,
  );
  expect(result.out).toContain("author unknown: the snapshot is older than the 90 days");
});

test("a token that cannot read events reads every zone, and knows no author", async () => {
  const desk = await published(files);
  await add(desk, "alice", 10);
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_only" }) };
  expect(await desk.run("drift", { env })).toEqual({
    code: 0,
    out: lines`
      ${snapshot} 0 events since then, all zones read (this token cannot read events (scope events:read_only))
      example.com
        foreign   alice10 A  3600 192.0.2.99
                  author unknown: this token cannot read events (scope events:read_only)
      drift: 1 addition outside git in 1 of 2 zones · 4 requests
    `,
    talk: "",
  });
});

test("a snapshot of another API is an error", async () => {
  const desk = await published(files);
  const { talk, code } = await desk.run("drift --api-url http://127.0.0.1:9");
  expect({ code, talk: talk.split("\n")[0] }).toEqual({
    code: 3,
    talk: "error[snapshot-target] ref:refs/zonewright/snapshot is a snapshot of http://api/v4, not of http://127.0.0.1:9/v4",
  });
});

test("own runs are told from others; a write by the token's user that no journal contains is an alarm", async () => {
  const desk = await published(files);
  desk.now = new Date("2026-03-04T12:00:30Z"); // the clock of the service stands at noon
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1 ", "192.0.2.2 "));
  expect((await desk.run("apply --yes")).code).toBe(0);
  await desk.call("POST", records, { type: "A", name: "stolen", target: "192.0.2.66" });
  desk.now = new Date("2026-03-04T13:00:00Z"); // the log cannot lag any more
  const { out } = await desk.run("drift");
  expect(out.replaceAll(/run \S{10,}/g, "run RUN")).toBe(lines`
    ${snapshot} 2 events since then, 1 zone read
    example.com
      foreign   stolen A  3600 192.0.2.66
                by "admin" at 2026-03-04T12:00:00Z
      converged www A  3600 192.0.2.1 → 3600 192.0.2.2
                by "admin" in run RUN of this project at 2026-03-04T12:00:00Z
    warning  1 change was made as this user, but not by a run of this checkout: admin created stolen.example.com A at 2026-03-04T12:00:00
      If you did not make them, revoke the token. If another checkout made them, they are in its journals.
    drift: 1 addition outside git, 1 converged change in 1 of 2 zones · 5 requests
  `);
});
