import { expect, test } from "vitest";
import { commitZones } from "./git.ts";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    api: { lenient: private-address, A: 198.18.0.2 }
    www: { lenient: private-address, A: 198.18.0.2, AAAA: "2001:db8::f03c:91ff:fe00:1" }
`;

/** The benchmarking addresses of the server's nodes are no concern of these tests. */
const config = "rules: { private-address: off }\n";

const had = 'which the node "web-1" had until 2026-03-04 and no node of the account has now';
const warnings = lines`
  warning  api.example.com A points to 198.18.0.2, ${had}  zones/example.com.yaml:4
  warning  www.example.com A points to 198.18.0.2, ${had}  zones/example.com.yaml:5
  warning  www.example.com AAAA points to 2001:db8::f03c:91ff:fe00:1, ${had}  zones/example.com.yaml:5
`;
const inSync = "in sync: 1 zone, nothing to do\n";

/** The account of a zone and the node `web-1`, whose addresses it has: 198.18.0.2 and the one of its id. */
async function start(): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": zone, "zonewright.yaml": config });
  expect(await createNode(desk, "web-1")).toEqual(["198.18.0.2", "2001:db8::f03c:91ff:fe00:1"]);
  expect((await desk.run("apply --yes")).code).toBe(0);
  return desk;
}

async function createNode(desk: ApiDesk, label: string): Promise<string[]> {
  const node = await desk.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label });
  return [...node.ipv4, node.ipv6.replace("/128", "")];
}

test("records that outlive their node are warnings of plan, apply and drift; the advised changes end them", async () => {
  const desk = await start();
  expect(await desk.run("plan")).toEqual({ code: 0, out: inSync, talk: "" });
  await desk.call("DELETE", "/node/instances/1");
  for (const command of ["plan", "plan --detailed-exitcode", "apply --yes"])
    expect(await desk.run(command)).toEqual({ code: 0, out: warnings + inSync, talk: "" });
  expect(await desk.run("drift --detailed-exitcode")).toEqual({
    code: 0,
    out: lines`
      no snapshot: 1 zone read, so changes in git cannot be told from changes elsewhere
      warning  api.example.com A points to 198.18.0.2, ${had}
        Point the record to the present address of a node, or delete it.
      warning  www.example.com A points to 198.18.0.2, ${had}
        Point the record to the present address of a node, or delete it.
      warning  www.example.com AAAA points to 2001:db8::f03c:91ff:fe00:1, ${had}
        Point the record to the present address of a node, or delete it.
      in sync: 1 zone · 7 requests
    `,
    talk: expect.stringContaining("name the file with --snapshot"),
  });
  const [address] = await createNode(desk, "web-2");
  expect(address).toBe("198.18.0.3");
  desk.write("zones/example.com.yaml", zone.replace(/A: 198.18.0.2 /, "A: 198.18.0.3 ").replace(/ +www: .*\n/, ""));
  const applied = await desk.run("apply --yes --allow G03");
  expect([applied.code, applied.out.includes("warning"), applied.out.includes("blocked by")]).toEqual([
    0,
    false,
    false,
  ]);
  expect(await desk.run("plan")).toEqual({ code: 0, out: inSync, talk: "" });
});

test("G24 blocks a record that is created or changed to a freed address, until it is approved", async () => {
  const desk = await start();
  await desk.call("DELETE", "/node/instances/1");
  const more = '  new: { lenient: private-address, AAAA: "2001:DB8::f03c:91ff:fe00:1" }\n';
  desk.write("zones/example.com.yaml", zone.replace(/ +www: .*\n/, more));
  const shown = (mark: string) => lines`
    example.com                               +1 create  -2 delete
      1 + create  new  AAAA  3600  2001:db8::f03c:91ff:fe00:1  ${mark}  zones/example.com.yaml:5
  `;
  const blocked = await desk.run("plan");
  expect(blocked.out).toContain(shown("blocked by G24").split("\n")[1]);
  const text = `blocked by G24 (freed address): new.example.com AAAA: points to 2001:db8::f03c:91ff:fe00:1, ${had}`;
  expect(blocked.out.split("\n").filter((line) => line.includes("G24 ("))).toEqual([`  ${text}`]);
  // The record that stays is still only a warning.
  expect(blocked.out.split("\n").filter((line) => line.startsWith("warning"))).toEqual([warnings.split("\n")[0]]);
  const refused = await desk.run("apply --yes --allow G03,G15");
  expect([refused.code, refused.talk.split("\n")[0]]).toEqual([
    3,
    "error[guard-blocked] nothing is written: blocked by G24 (freed address)",
  ]);
  const [, ack = ""] = /(- \{ guard: G24, .*? \})/.exec(blocked.out) ?? [];
  desk.write("acks.yaml", `${ack.replace("…", "the address comes back with the next node")}\n`);
  const done = await desk.run("apply --yes --allow G03,G15");
  expect([done.code, done.out.split("\n").at(-2)]).toEqual([0, "applied and verified: 1 zone is as planned"]);
});

test("an address that another node of the account has is fine, also for new records", async () => {
  const desk = await start();
  await desk.call("DELETE", "/node/instances/1");
  await createNode(desk, "web-2");
  // As after a rest, when all other addresses of the pool are given.
  await desk.store.write((db) =>
    db.updateTable("addresses").set({ node_id: 2, freed: null }).where("node_id", "is", null).execute(),
  );
  desk.write("zones/example.com.yaml", `${zone}  new: { lenient: private-address, A: 198.18.0.2 }\n`);
  const { code, out } = await desk.run("apply --yes");
  expect([code, out.includes("warning"), out.split("\n").at(-2)]).toEqual([
    0,
    false,
    "applied and verified: 1 zone is as planned",
  ]);
});

test("a token that cannot read nodes or events says so once, and the plan does not fail", async () => {
  const desk = await start();
  await desk.call("DELETE", "/node/instances/1");
  const note =
    "note  records that point to addresses of deleted nodes may be missed: " +
    "this token cannot read events or nodes (scopes events:read_only and nodes:read_only)\n";
  for (const scopes of ["domains:read_only", "domains:read_only events:read_only"]) {
    desk.env.ZONEWRIGHT_TOKEN = await desk.mint({ scopes });
    expect(await desk.run("plan")).toEqual({ code: 0, out: note + inSync, talk: "" });
  }
});

test("records that still point to a node which a transfer gave away, and new ones", async () => {
  const desk = await start();
  const { token } = await desk.call("POST", "/account/service-transfers", { entities: { nodes: [1] } });
  const receiver = { env: { ZONEWRIGHT_TOKEN: await desk.mint({ username: "receiver" }) } };
  expect((await desk.run(`api accept-service-transfer ${token}`, receiver)).code).toBe(0);
  expect(await desk.run("plan")).toEqual({ code: 0, out: inSync, talk: "" }); // the node has not moved yet
  desk.waited += 10_000;
  const left = 'which left the account with the node "web-1" on 2026-03-04 and no node of the account has now';
  expect(await desk.run("plan")).toEqual({ code: 0, out: warnings.replaceAll(had, left) + inSync, talk: "" });
  desk.write("zones/example.com.yaml", `${zone}  "*.dev": { lenient: private-address, A: [192.0.2.1, 198.18.0.2] }\n`);
  const { out } = await desk.run("plan");
  expect(out.split("\n").filter((line) => line.includes("G24 ("))).toEqual([
    `  blocked by G24 (freed address): *.dev.example.com A: points to 198.18.0.2, ${left}`,
  ]);
  await desk.run("snapshot --out live.json");
  const { freed } = JSON.parse(desk.read("live.json"));
  const web1 = { node: "web-1", until: "2026-03-04", transferred: true };
  expect(freed).toEqual([
    { address: "198.18.0.2", ...web1 },
    { address: "2001:db8::f03c:91ff:fe00:1", ...web1 },
  ]);
  expect((await desk.run("validate --against live.json")).out).toContain(
    "Point the record to the address of a node of this account, or delete it. If it may use the node of the other account, write `lenient: [dangling-address]` at its name.",
  );
});

test("validate uses the published snapshot, if it is of the API that the project names", async () => {
  const desk = await start();
  const git = commitZones(desk.folder);
  await createNode(desk, "db-1");
  await desk.call("DELETE", "/node/instances/2");
  expect((await desk.run("snapshot --ref refs/zonewright/snapshot")).code).toBe(0);
  desk.write("zones/example.com.yaml", `${zone}  db: { AAAA: "2001:DB8:0:0:F03C:91FF:FE00:2", A: 198.18.0.3 }\n`);
  const found = async (env = {}) => {
    const { code, out } = await desk.run("validate", { env: { ZONEWRIGHT_TOKEN: "", ...env } });
    return [code, ...out.split("\n").filter((line) => /^(?:warning|note|valid)/.test(line))];
  };
  const hadDb = 'which the node "db-1" had until 2026-03-04 and no node of the account has now';
  const dangling = [
    `warning[dangling-address] db.example.com AAAA points to 2001:db8::f03c:91ff:fe00:2, ${hadDb}`,
    `warning[dangling-address] db.example.com A points to 198.18.0.3, ${hadDb}`,
    "valid: 1 zone, 5 records, 2 warnings",
  ];
  expect(await found()).toEqual([0, ...dangling]);
  expect((await desk.run("validate")).out).toContain("The snapshot is of 2026-03-04T12:00:00Z.");
  expect(await found({ ZONEWRIGHT_API_URL: "" })).toEqual([0, ...dangling]);
  expect(await found({ ZONEWRIGHT_API_URL: "https://api.example.com" })).toEqual([0, "valid: 1 zone, 5 records"]);
  git("update-ref", "refs/zonewright/snapshot", "HEAD");
  const damaged = await found();
  expect(damaged[1]).toMatch(/^note\[freed-unknown\] records that point to addresses of deleted nodes may be missed: /);
  expect([damaged[0], damaged[2]]).toEqual([0, "valid: 1 zone, 5 records, 1 note"]);
});

test("a snapshot has the freed addresses of the account, for plan and validate without a token", async () => {
  const desk = await start();
  await desk.call("DELETE", "/node/instances/1");
  await desk.run("snapshot --out live.json");
  const snapshot = JSON.parse(desk.read("live.json"));
  const web1 = { node: "web-1", until: "2026-03-04" };
  expect(snapshot.freed).toEqual([
    { address: "198.18.0.2", ...web1 },
    { address: "2001:db8::f03c:91ff:fe00:1", ...web1 },
  ]);
  const offline = { env: { ZONEWRIGHT_TOKEN: "", ZONEWRIGHT_API_URL: "http://127.0.0.1:1" } };
  expect(await desk.run("plan --against live.json", offline)).toEqual({ code: 0, out: warnings + inSync, talk: "" });
  desk.write(
    "zones/example.com.yaml",
    zone.replace(/ +www: .*\n/, "  new: { lenient: private-address, A: 198.18.0.2 }\n"),
  );
  expect((await desk.run("plan --against live.json", offline)).out).toContain(
    `blocked by G24 (freed address): new.example.com A: points to 198.18.0.2, ${had}`,
  );
  const why =
    "Once a node has lost an address, the service can give it to another customer, who then gets the traffic of the name " +
    "and can have certificates issued for it. The snapshot is of 2026-03-04T12:00:00Z. Point the record to the present address of a node, or delete it.";
  expect(await desk.run("validate --against live.json", offline)).toEqual({
    code: 0,
    out: lines`
      warning[dangling-address] api.example.com A points to 198.18.0.2, ${had}
        zones/example.com.yaml:4:39
          4 |   api: { lenient: private-address, A: 198.18.0.2 }
            |                                       ^^^^^^^^^^
        ${why}

      warning[dangling-address] new.example.com A points to 198.18.0.2, ${had}
        zones/example.com.yaml:5:39
          5 |   new: { lenient: private-address, A: 198.18.0.2 }
            |                                       ^^^^^^^^^^
        ${why}

      valid: 1 zone, 2 records, 2 warnings
    `,
    talk: "",
  });
  const { freed: _, ...old } = snapshot;
  desk.write("live.json", JSON.stringify(old));
  const note =
    "note  records that point to addresses of deleted nodes may be missed: " +
    "the snapshot does not have them. Its token could not read events and nodes, or it is old\n";
  desk.write("zones/example.com.yaml", zone);
  expect((await desk.run("plan --against live.json", offline)).out).toBe(note + inSync);
});

test("the severity is set like that of a rule: lenient at a name, off, or an error", async () => {
  const desk = await start();
  await desk.call("DELETE", "/node/instances/1");
  const lenient = zone.replace(
    "www: { lenient: private-address",
    "www: { lenient: [private-address, dangling-address]",
  );
  desk.write("zones/example.com.yaml", lenient);
  const [api = "", ...www] = warnings.split("\n");
  expect((await desk.run("plan")).out).toBe([api, ...www].join("\n").replaceAll("warning  www", "note  www") + inSync);
  desk.write("zonewright.yaml", "rules: { private-address: off, dangling-address: off }\n");
  expect((await desk.run("plan")).out).toBe(inSync);
  desk.write("zonewright.yaml", "rules: { private-address: off, dangling-address: error }\n");
  const failed = await desk.run("plan");
  expect([failed.code, failed.talk.split("\n")[0]]).toEqual([
    3,
    `error[dangling-address] api.example.com A points to 198.18.0.2, ${had}`,
  ]);
});

test.each([
  ["documentation addresses", 'www: { A: 192.0.2.1, AAAA: "2001:db8::1" }', 2],
  ["an address that a node could have", "www: { A: 8.8.8.8 }", 3],
])("requests of a plan with %s", async (_, record, reads) => {
  const desk = await apiDesk({ "zones/example.com.yaml": `soa_email: a@example.com\nrecords:\n  ${record}\n` });
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.write("zones/example.com.yaml", `soa_email: a@example.com\nrecords:\n  ${record}\n  x: { TXT: x }\n`);
  expect((await desk.run("plan")).out).toContain(`${reads} reads\n`);
});
