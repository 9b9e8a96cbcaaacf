import { expect, test } from "vitest";
import { published } from "./drift-desk.ts";
import { lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.1 }
    api: { A: 192.0.2.2 }
    old: { A: 192.0.2.3 }
    mail: { A: 192.0.2.4 }
    "@": { TXT: hello, MX: 10 mail }
`;

const records = "/domains/1/records";

test("reports nothing, with one request, if nothing happened since the snapshot", async () => {
  const desk = await published({ "zones/example.com.yaml": zone });
  expect(await desk.run("drift --detailed-exitcode")).toEqual({
    code: 0,
    out: lines`
      snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 0 events since then, 0 zones read
      in sync: 1 zone · 1 request
    `,
    talk: "",
  });
});

test("reports each class, and who did it", async () => {
  const desk = await published({ "zones/example.com.yaml": zone });
  await desk.as("alice", "2026-03-04T12:10:00Z", "PUT", `${records}/${await desk.idOf("www")}`, {
    target: "192.0.2.91",
  });
  await desk.as("bob", "2026-03-04T12:11:00Z", "PUT", `${records}/${await desk.idOf("api")}`, { target: "192.0.2.92" });
  await desk.as("alice", "2026-03-04T12:12:00Z", "DELETE", `${records}/${await desk.idOf("old")}`);
  await desk.as("alice", "2026-03-04T12:13:00Z", "POST", records, { type: "A", name: "lab", target: "192.0.2.99" });
  await desk.as("bob", "2026-03-04T12:14:00Z", "PUT", `${records}/${await desk.idOf("mail")}`, { ttl_sec: 300 });
  await desk.as("bob", "2026-03-04T12:15:00Z", "PUT", "/domains/1", {
    tags: ["by-hand"],
    soa_email: "bob@example.com",
  });
  desk.write(
    "zones/example.com.yaml",
    zone
      .replace("192.0.2.1 ", "192.0.2.81 ")
      .replace("192.0.2.2 ", "192.0.2.92 ")
      .replace("  old: { A: 192.0.2.3 }\n", "  new: { A: 192.0.2.5 }\n"),
  );
  expect(await desk.run("drift --detailed-exitcode")).toEqual({
    code: 2,
    out: lines`
      snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 6 events since then, 1 zone read
      example.com
        conflict  www A
                  snapshot 3600 192.0.2.1
                  git      3600 192.0.2.81
                  live     3600 192.0.2.91
                  by "alice" at 2026-03-04T12:10:00Z
        drift     soa_email  hostmaster@example.com → bob@example.com
                  by "bob" at 2026-03-04T12:15:00Z
        drift     mail A  3600 192.0.2.4 → 300 192.0.2.4
                  by "bob" at 2026-03-04T12:14:00Z
        foreign   lab A  3600 192.0.2.99
                  by "alice" at 2026-03-04T12:13:00Z
        converged api A  3600 192.0.2.2 → 3600 192.0.2.92
                  by "bob" at 2026-03-04T12:11:00Z
        removed   old A  3600 192.0.2.3 → (none)
                  by "alice" at 2026-03-04T12:12:00Z
      drift: 1 conflict, 2 changes outside git, 1 addition outside git, 1 converged change, 1 converged deletion, 1 pending change in 1 of 1 zone · 4 requests
      ${"`"}zonewright plan${"`"} lists the pending changes
    `,
    talk: "",
  });
});

test("without a snapshot, tells differences but not on which side they were made", async () => {
  const desk = await published({ "zones/example.com.yaml": zone });
  desk.git("update-ref", "-d", "refs/zonewright/snapshot");
  await desk.as("alice", "2026-03-04T12:10:00Z", "PUT", `${records}/${await desk.idOf("www")}`, {
    target: "192.0.2.91",
  });
  desk.write("zones/example.com.yaml", zone.replace("  old: { A: 192.0.2.3 }\n", "  new: { A: 192.0.2.5 }\n"));
  const { code, out, talk } = await desk.run("drift");
  expect({ code, out: out.replace(/run \S+/, "run RUN"), talk }).toEqual({
    code: 0,
    out: lines`
      no snapshot: 1 zone read, so changes in git cannot be told from changes elsewhere
      example.com
        differs   new A  git 3600 192.0.2.5, live (none)
        differs   old A  git (none), live 3600 192.0.2.3
                  by "admin" in run RUN of this project at 2026-03-04T12:00:00Z
        differs   www A  git 3600 192.0.2.1, live 3600 192.0.2.91
                  by "alice" at 2026-03-04T12:10:00Z
      drift: 3 differences in 1 of 1 zone · 4 requests
    `,
    talk: lines`
      Keep it after an apply with ${"`"}zonewright snapshot --ref refs/zonewright/snapshot${"`"}, or name a file with --snapshot.
    `,
  });
});

test("reads only the zones that events name, and all with --full", async () => {
  const desk = await published({
    "zones/example.com.yaml": zone,
    "zones/example.net.yaml": zone.replace("example.com", "example.net"),
    "zones/example.org.yaml": zone.replace("example.com", "example.org"),
  });
  await desk.as("alice", "2026-03-04T12:10:00Z", "POST", records, { type: "A", name: "lab", target: "192.0.2.99" });
  const first = (out: string) => out.split("\n")[0];
  expect(first((await desk.run("drift")).out)).toBe(
    "snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 1 event since then, 1 zone read",
  );
  expect(first((await desk.run("drift --full")).out)).toBe(
    "snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 1 event since then, all zones read (--full is given)",
  );
});

test("a zone that is created or deleted outside git is one finding", async () => {
  const desk = await published({ "zones/example.com.yaml": zone, "zones/example.net.yaml": zone });
  await desk.as("alice", "2026-03-04T12:10:00Z", "DELETE", "/domains/1");
  await desk.as("bob", "2026-03-04T12:11:00Z", "POST", "/domains", {
    domain: "example.org",
    type: "master",
    soa_email: "bob@example.org",
  });
  desk.write("zones/example.info.yaml", zone);
  expect((await desk.run("drift")).out).toBe(lines`
    snapshot ref:refs/zonewright/snapshot of 2026-03-04T12:00:00Z; 2 events since then, 0 zones read
    example.com
      drift     (zone)  deleted outside git
                by "alice" at 2026-03-04T12:10:00Z
    example.org
      foreign   (zone)  created outside git
                by "bob" at 2026-03-04T12:11:00Z
    drift: 1 change outside git, 1 addition outside git, 1 pending change in 3 of 3 zones · 3 requests
    ${"`"}zonewright plan${"`"} lists the pending changes
  `);
});
