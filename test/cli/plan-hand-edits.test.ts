import { expect, test } from "vitest";
import { type DriftDesk, published } from "./drift-desk.ts";
import { lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.1 }
    old: { A: 192.0.2.2 }
    api: { CNAME: www }
`;
const records = "/domains/1/records";
const at = (minute: number) => `2026-03-04T12:${minute}:00Z`;

/** A change of a setting, of a value and of a type, a deletion, and an addition. */
async function edited(): Promise<DriftDesk> {
  const desk = await published({ "zones/example.com.yaml": zone });
  await desk.as("alice", at(10), "PUT", `${records}/${await desk.idOf("www")}`, { target: "192.0.2.91" });
  await desk.as("bob", at(11), "DELETE", `${records}/${await desk.idOf("old")}`);
  await desk.as("bob", at(12), "POST", records, { type: "TXT", name: "lab", target: "hello" });
  await desk.as("alice", at(13), "DELETE", `${records}/${await desk.idOf("api", "CNAME")}`);
  await desk.as("alice", at(14), "POST", records, { type: "A", name: "api", target: "192.0.2.3" });
  await desk.as("bob", at(15), "PUT", "/domains/1", { soa_email: "bob@example.com" });
  return desk;
}

test("marks the changes that undo others made outside git, with their authors", async () => {
  const desk = await edited();
  desk.write("zones/example.com.yaml", `${zone}  new: { A: 192.0.2.4 }\n`);
  expect((await desk.run("plan")).out).toBe(lines`
    example.com                               +2 create  ~2 change  ⇄1 swap  -1 delete
      1 + create  new     A    3600  192.0.2.4                                zones/example.com.yaml:7
      2 + create  old     A    3600  192.0.2.2                                undoes a change made outside git, by "bob" at 2026-03-04T12:11:00Z  zones/example.com.yaml:5
      3 ~ change  www     A    3600  192.0.2.91 → 192.0.2.1                   undoes a change made outside git, by "alice" at 2026-03-04T12:10:00Z  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:4
      4 ⇄ swap    api     A 3600 192.0.2.3 → CNAME 3600 www                   brief gap: A of api: a resolver that asks during the change may cache "no such record" for up to 1 hour  undoes a change made outside git, by "alice" at 2026-03-04T12:14:00Z  undoes a change made outside git, by "alice" at 2026-03-04T12:13:00Z  zones/example.com.yaml:6
      5 - delete  lab     TXT  3600  "hello"                                  undoes a change made outside git, by "bob" at 2026-03-04T12:12:00Z  caches may keep it for up to 1 hour
      6 ~ change  (zone)  soa_email bob@example.com → hostmaster@example.com  undoes a change made outside git, by "bob" at 2026-03-04T12:15:00Z
    plan: 6 changes in 1 of 1 zone · effects 965804d2 · 3 reads
    apply sends 7 writes and 9 reads (no rate limit)
  `);
});

test("marks nothing without a snapshot, and reads no events if nothing was changed outside git", async () => {
  const desk = await edited();
  desk.git("update-ref", "-d", "refs/zonewright/snapshot");
  expect((await desk.run("plan")).out).not.toContain("outside git");
  const other = await published({ "zones/example.com.yaml": zone });
  other.write("zones/example.com.yaml", zone.replace("192.0.2.1 ", "192.0.2.81 "));
  const { out } = await other.run("plan");
  expect(out).toContain("· 2 reads");
  expect(out).not.toContain("outside git");
});

test("a token that cannot read events leaves the authors unknown, and the plan is made", async () => {
  const desk = await edited();
  const token = await desk.mint({ scopes: "domains:read_only" });
  const { code, out } = await desk.run("plan", { env: { ZONEWRIGHT_TOKEN: token } });
  expect({ code, marks: out.match(/undoes a.*?(?= {2}|$)/gm) }).toEqual({
    code: 0,
    marks: Array(6).fill(
      "undoes a change made outside git, author unknown: this token cannot read events (scope events:read_only)",
    ),
  });
});

test("a damaged published snapshot is a note; one that is named is an error", async () => {
  const desk = await edited();
  desk.git("update-ref", "refs/zonewright/snapshot", "HEAD");
  expect((await desk.run("plan")).out).toContain(
    'note  changes outside git are not marked: "refs/zonewright/snapshot" is not a ref that zonewright has made',
  );
  expect((await desk.run("plan --snapshot ref:refs/zonewright/snapshot")).code).toBe(3);
});

test("Markdown shows the author as code", async () => {
  const desk = await edited();
  expect((await desk.run("plan --report markdown")).out).toContain('undoes a change made outside git, by `"alice"` at');
});
