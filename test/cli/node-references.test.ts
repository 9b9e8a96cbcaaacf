import { expect, onTestFinished, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { serveNames } from "../../src/server/serve-names.ts";
import { dig } from "../dns/transfer/dig.ts";
import { isMissing } from "../judges.ts";
import { published } from "./drift-desk.ts";
import { type ApiDesk, apiDesk, Desk, lines, noon } from "./run.ts";

const file = "zones/example.com.yaml";
/** The addresses of simulated nodes are special-purpose ones, hence `lenient`. */
const zone = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www:
      lenient: private-address
      A: { node: web-1 } # the front
      AAAA: { ttl_sec: 5m, values: { node: WEB-1 } }
    int:
      lenient: private-address
      A: [ { node: web-1, private: true }, 192.0.2.1 ]
`;
const place = { region: "us-east", type: "g6-nanode-1" };

/** A desk whose account has the node web-1, with addresses of all kinds. */
async function openDesk(files: Record<string, string> = { [file]: zone }): Promise<ApiDesk> {
  const desk = await apiDesk(files);
  await desk.call("POST", "/node/instances", { ...place, label: "web-1", private_ip: true });
  return desk;
}

/** Deletes the node web-1, and creates another one with its label. */
async function replaceNode(desk: ApiDesk): Promise<void> {
  await desk.call("DELETE", "/node/instances/1");
  desk.waited += 60_000;
  await desk.call("POST", "/node/instances", { ...place, label: "web-1", private_ip: true });
}

const notes = lines`
  note  web-1 = 198.18.0.2 (node 1)  zones/example.com.yaml:6
  note  web-1 = 2001:db8::f03c:91ff:fe00:1 (node 1)  zones/example.com.yaml:7
  note  web-1 = 192.168.128.2 (node 1)  zones/example.com.yaml:10
  note  www A publishes the benchmarking address 198.18.0.2  zones/example.com.yaml:6
  note  int A publishes the private address 192.168.128.2  zones/example.com.yaml:10
`;
const created = lines`
  example.com                               +5 create
    1 + create  (zone)  master; soa_email hostmaster@example.com; ttl_sec 3600  disabled until its records are written
    2 + create  int     A     3600  192.0.2.1                                   zones/example.com.yaml:10
    3 + create  int     A     3600  192.168.128.2                               zones/example.com.yaml:10
    4 + create  www     A     3600  198.18.0.2                                  zones/example.com.yaml:6
    5 + create  www     AAAA  300   2001:db8::f03c:91ff:fe00:1                  zones/example.com.yaml:7
`;

test("validate checks references without a connection", async () => {
  const desk = await openDesk();
  expect(await desk.run("validate", { env: { ZONEWRIGHT_TOKEN: undefined } })).toEqual({
    code: 0,
    out: lines`
      note[private-address] int A publishes the private address of the node web-1  zones/example.com.yaml:10

      valid: 1 zone, 4 records, 1 note
    `,
    talk: "",
  });
});

test("rules about names and RRsets apply to references as to addresses", async () => {
  const text = lines`
    soa_email: hostmaster@example.com
    records:
      www: { A: { node: web-1 }, CNAME: shop.example.net. }
      mail: { A: [ { node: web-1 }, { node: Web-1 } ] }
      "@": { MX: 10 mail, A: { node: web-2 } }
      sub: { NS: [ns1.sub, ns2.sub] }
      ns1.sub: { A: { node: web-3 } }
      ns2.sub: { AAAA: { node: web-3 } }
  `;
  const { code, out } = await new Desk({ [file]: text }).run("validate");
  const found = out.split("\n").filter((line) => /^(?:error|warning|note)\[/.test(line));
  expect([code, found]).toEqual([
    3,
    [
      "error[cname-alone] www has a CNAME and other records (A)",
      "warning[duplicate-record] mail A node web-1 is listed twice",
    ],
  ]);
});

/** References and addresses that name the same address, in several spellings. */
const repeated = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www:
      lenient: private-address
      A: [ { node: web-1 }, 198.18.0.2 ]
      AAAA: [ 2001:DB8:0:0:F03C:91FF:FE00:1, { node: web-1 }, { node: WEB-1 } ]
    v6:
      AAAA: [ "2001:DB8:0::1", "2001:db8::0.0.0.1" ]
`;

test("an address that is named twice is one record in validate, plans, snapshots, comparisons and exports", async () => {
  const desk = await openDesk({ [file]: repeated });
  const { out } = await desk.run("validate");
  expect(out.split("\n").filter((line) => /^(?:error|warning|note)\[/.test(line))).toEqual([
    "warning[duplicate-record] www AAAA node web-1 is listed twice",
    "warning[duplicate-record] v6 AAAA 2001:db8::1 is listed twice",
    "note[private-address] www A publishes the benchmarking address 198.18.0.2  zones/example.com.yaml:6",
  ]);
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      example.com                               +4 create
        1 + create  (zone)  master; soa_email hostmaster@example.com; ttl_sec 3600  disabled until its records are written
        2 + create  v6      AAAA  3600  2001:db8::1                                 zones/example.com.yaml:9
        3 + create  www     A     3600  198.18.0.2                                  zones/example.com.yaml:6
        4 + create  www     AAAA  3600  2001:db8::f03c:91ff:fe00:1                  zones/example.com.yaml:7
      note  web-1 = 198.18.0.2 (node 1)  zones/example.com.yaml:6
      note  web-1 = 2001:db8::f03c:91ff:fe00:1 (node 1)  zones/example.com.yaml:7
      warning  www A 198.18.0.2 is listed twice  zones/example.com.yaml:6
      warning  www AAAA 2001:db8::f03c:91ff:fe00:1 is listed twice  zones/example.com.yaml:7
      warning  v6 AAAA 2001:db8::1 is listed twice  zones/example.com.yaml:9
      note  www A publishes the benchmarking address 198.18.0.2  zones/example.com.yaml:6
      plan: 4 changes in 1 of 1 zone · effects 2ae4ca0a · 3 reads
      apply sends 5 writes and 6 reads (no rate limit)
    `,
    talk: "",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  expect((await desk.run("snapshot --out live.json")).talk).toBe("1 zone with 3 records in live.json\n");
  for (const other of ["live", "live.json"])
    expect((await desk.run(`compare zones ${other}`)).out).toContain("example.com: equal\n");
  const addresses = ["198.18.0.2", "2001:db8::1", "2001:db8::f03c:91ff:fe00:1"];
  for (const form of ["bind", "records", "octodns", "dns-zonefile"]) {
    const { out } = await desk.run(`export --to ${form}`);
    expect(out.match(/198\.18\.0\.2|2001:[\da-f:]+/g)?.sort(), form).toEqual(addresses);
  }
  const { out: yaml } = await desk.run("export --to yaml");
  expect(yaml).toContain(
    lines`
      www:
        lenient: [private-address]
        A:
          - 198.18.0.2
          - node: web-1
        AAAA:
          - 2001:db8::f03c:91ff:fe00:1
          - node: web-1
  `
      .replace(/^/gm, "  ")
      .trimEnd(),
  );
  // The service stores a record twice, of which a name server answers one.
  await desk.call("POST", "/domains/1/records", { type: "AAAA", name: "v6", target: "2001:0db8::1" });
  const { out: live } = await desk.run("export --live --to bind");
  expect(live.match(/^v6 .*$/gm)).toEqual(["v6  IN AAAA 2001:db8::1"]);
  const { out: drift } = await desk.run("plan");
  expect(drift).toContain("1 - delete  v6  AAAA  3600  2001:db8::1");
});

test("plan asks for all nodes once, before the zones, and notes their addresses; a new plan is in sync", async () => {
  const requests: string[] = [];
  const desk = await apiDesk({ [file]: zone }, (server) => (request, connection) => {
    requests.push(`${new URL(request.url).pathname} ${request.headers.get("X-Filter") ?? ""}`);
    return server(request, connection);
  });
  await desk.call("POST", "/node/instances", { ...place, label: "web-1", private_ip: true });
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      ${created.trimEnd()}
      ${notes.trimEnd()}
      plan: 5 changes in 1 of 1 zone · effects 2ceb192f · 3 reads
      apply sends 6 writes and 6 reads (no rate limit)
    `,
    talk: "",
  });
  expect(requests.slice(0, 2)).toEqual(['/v4/node/instances {"label":"WEB-1"}', "/v4/domains "]);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test.each([
  ["markdown", "- note: `web-1` `=` `198.18.0.2` (node 1) · `zones/example.com.yaml:6`"],
  ["html", "web-1 = 198.18.0.2 (node 1)"],
  [
    "json",
    `{
      "severity": "note",
      "rule": "node-addresses",
      "summary": "web-1 = 198.18.0.2 (node 1)",
      "at": {
        "file": "zones/example.com.yaml",
        "line": 6,
        "column": 16,
        "length": 5
      }
    }`,
  ],
])("the report %s shows the addresses of nodes", async (format, shown) => {
  const desk = await openDesk();
  expect((await desk.run(`plan --report ${format}`)).out).toContain(shown);
});

test("many labels are read in few requests", async () => {
  const filters: string[] = [];
  const labels = Array.from({ length: 51 }, (_, n) => `web-${n}`);
  const text = `soa_email: a@example.com\nrecords:\n  www: { A: [${labels.map((label) => `{ node: ${label} }`).join(", ")}] }\n`;
  const desk = await apiDesk({ [file]: text }, (server) => (request, connection) => {
    filters.push(request.headers.get("X-Filter") ?? "");
    return server(request, connection);
  });
  await desk.run("plan");
  const ofLabels = (some: readonly string[]) => JSON.stringify({ "+or": some.map((label) => ({ label })) });
  // The last request is for the labels to suggest.
  expect(filters).toEqual([ofLabels(labels.slice(0, 50)), '{"label":"web-50"}', ""]);
});

test("unknown labels, and nodes without such an address, are errors with their places, each once", async () => {
  const web = "records:\n  web: { A: { node: wep-1 }, AAAA: { node: web-1 } }\n";
  const desk = await openDesk({
    [file]: lines`
      soa_email: hostmaster@example.com
      templates: [web]
      records:
        www: { A: [ { node: bare, private: true }, { node: other-1 } ] }
    `,
    "zones/example.net.yaml": "soa_email: hostmaster@example.net\ntemplates: [web]\n",
    "templates/web.yaml": web,
  });
  await desk.call("POST", "/node/instances", { ...place, label: "bare" });
  expect(await desk.run("plan")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[node-address] www A: the node bare (2) has no private IPv4 address
        zones/example.com.yaml:4:23
          4 |   www: { A: [ { node: bare, private: true }, { node: other-1 } ] }
            |                       ^^^^
        Add one with ${"`"}zonewright api create-node-address 2 --set type=ipv4 --set public=false${"`"}, or remove ${"`"}private${"`"}.

      error[node-label-unknown] www A: no node has the label "other-1", or this token may not see it
        zones/example.com.yaml:4:54
          4 |   www: { A: [ { node: bare, private: true }, { node: other-1 } ] }
            |                                                      ^^^^^^^
        Check the label: ${"`"}zonewright api list-nodes${"`"} lists the nodes that this token may see. A restricted user sees those with a grant.

      error[node-label-unknown] web A: no node has the label "wep-1", or this token may not see it
        templates/web.yaml:2:21
          2 |   web: { A: { node: wep-1 }, AAAA: { node: web-1 } }
            |                     ^^^^^
        included in zones/example.com.yaml:2
        The same applies to 1 other zone that uses this file. Did you mean "web-1"? Check the label: ${"`"}zonewright api list-nodes${"`"} lists the nodes that this token may see. A restricted user sees those with a grant.
    `,
  });
  await desk.call("POST", "/node/instances/2/ips", { type: "ipv4", public: false });
  expect((await desk.run("plan example.com")).talk).not.toContain("node-address");
});

test("a node that is missing, or lacks an address, is one error with the places of all references", async () => {
  const missing = ["a", "b", "c", "d", "e", "f"].map(
    (name) => `  ${name}: { A: { node: ${name}-1 }, AAAA: { node: WEB-9 } }`,
  );
  const desk = await openDesk({
    [file]: lines`
      soa_email: hostmaster@example.com
      templates: [web]
      records:
        www: { A: [ { node: web-9 }, { node: Bare, private: true } ], AAAA: { node: web-9 } }
        int: { A: { node: bare, private: true } }
    `,
    "zones/example.net.yaml": lines`
      soa_email: hostmaster@example.net
      templates: [web]
      records:
        "@": { A: { node: web-9, private: true } }
    `,
    "zones/example.org.yaml": `soa_email: hostmaster@example.org\nrecords:\n${missing.join("\n")}\n`.replace(
      /\w-1/g,
      "web-1",
    ),
    "templates/web.yaml": "records:\n  web: { A: { node: web-9 } }\n",
  });
  await desk.call("POST", "/node/instances", { ...place, label: "bare" });
  const list =
    "Check the label: `zonewright api list-nodes` lists the nodes that this token may see. A restricted user sees those with a grant.";
  expect(await desk.run("plan")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[node-label-unknown] www A: no node has the label "web-9", or this token may not see it
        zones/example.com.yaml:4:23
          4 |   www: { A: [ { node: web-9 }, { node: Bare, private: true } ], AAAA: { node: web-9 } }
            |                       ^^^^^
        Also at zones/example.com.yaml:4:79, templates/web.yaml:2:21, zones/example.net.yaml:4:21, zones/example.org.yaml:3:42, zones/example.org.yaml:4:42 and 4 other places. ${list}

      error[node-address] www A: the node bare (2) has no private IPv4 address
        zones/example.com.yaml:4:40
          4 |   www: { A: [ { node: web-9 }, { node: Bare, private: true } ], AAAA: { node: web-9 } }
            |                                        ^^^^
        Also at zones/example.com.yaml:5:21. Add one with ${"`"}zonewright api create-node-address 2 --set type=ipv4 --set public=false${"`"}, or remove ${"`"}private${"`"}.
    `,
  });
  await desk.call("POST", "/node/instances", { ...place, label: "web-9", private_ip: true });
  await desk.call("POST", "/node/instances/2/ips", { type: "ipv4", public: false });
  expect((await desk.run("plan")).code).toBe(0);
});

test("a token without the scope gets the reason, at the first reference", async () => {
  const desk = await openDesk();
  const token = await desk.mint({ scopes: "domains:read_only" });
  const denied = lines`
    error[node-access] the token may not read the nodes that zone files refer to
      zones/example.com.yaml:6:16
        6 |     A: { node: web-1 } # the front
          |                ^^^^^
      The token is from ZONEWRIGHT_TOKEN. It needs the scope nodes:read_only; it has domains:read_only. Replace it with one that has it.
  `;
  const env = { ZONEWRIGHT_TOKEN: token };
  for (const command of ["plan", "apply --yes", "drift", "verify", "export --to bind", "compare zones live"])
    expect(await desk.run(command, { env }), command).toEqual({ code: 1, out: "", talk: denied });
  expect((await desk.run("doctor", { env })).out).toContain(
    "fail  nodes       zones/example.com.yaml:6: the token may not read the nodes that zone files refer to\n",
  );
});

test("a restricted user sees the nodes with a grant", async () => {
  const desk = await openDesk();
  await addUser(desk.store, { username: "ci", account: "admin", restricted: true, now: noon });
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ username: "ci" }) };
  const { code, talk } = await desk.run("plan", { env });
  expect([code, talk.split("\n")[0]]).toEqual([
    3,
    'error[node-label-unknown] www A: no node has the label "web-1", or this token may not see it',
  ]);
  await setGrant(desk.store, "ci", "web-1", "read_only", noon, "node");
  expect((await desk.run("plan", { env })).out).toContain("note  web-1 = 198.18.0.2 (node 1)");
});

test.skipIf(isMissing("dig"))(
  "a moved address is a planned change, and no drift; a plan file from before is refused",
  async () => {
    const desk = await published({ [file]: "soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords: {}\n" });
    await desk.call("POST", "/node/instances", { ...place, label: "web-1", private_ip: true });
    desk.write(file, zone);
    expect((await desk.run("plan --out old.json")).code).toBe(0);
    const [{ nodes }] = JSON.parse(desk.read("old.json")).source.zones;
    expect(nodes).toEqual([
      { label: "web-1", type: "A", address: "198.18.0.2" },
      { label: "WEB-1", type: "AAAA", address: "2001:db8::f03c:91ff:fe00:1" },
      { label: "web-1", type: "A", private: true, address: "192.168.128.2" },
    ]);
    expect((await desk.run("apply --yes")).code).toBe(0);
    expect((await desk.run("snapshot --ref refs/zonewright/snapshot")).code).toBe(0);
    const names = await serveNames(
      { store: desk.store, clock: () => new Date(noon.getTime() + desk.waited) },
      { port: 0 },
    );
    onTestFinished(names.close);
    const server = { host: "127.0.0.1", port: names.port };
    const expectAnswer = async (address: string, address6: string) => {
      desk.waited += 60_000; // the service renders changed zones after a while
      expect(await dig(server, "www.example.com.", "A")).toEqual([`www.example.com. 3600 IN A ${address}`, ""]);
      expect(await dig(server, "www.example.com.", "AAAA")).toEqual([`www.example.com. 300 IN AAAA ${address6}`, ""]);
    };
    await expectAnswer("198.18.0.2", "2001:db8::f03c:91ff:fe00:1");
    const snapshot =
      "snapshot ref:refs/zonewright/snapshot of 2026-03-04T13:00:00Z; 0 events since then, 0 zones read\n";
    expect((await desk.run("drift")).out).toBe(`${snapshot}in sync: 1 zone · 3 requests\n`);

    await replaceNode(desk);
    expect(await desk.run("drift")).toEqual({
      code: 0,
      out: `${snapshot}drift: none, 3 pending changes in 1 of 1 zone · 5 requests\n${"`"}zonewright plan${"`"} lists the pending changes\n`,
      talk: "",
    });
    expect((await desk.run("drift --write")).code).toBe(0);
    expect(desk.read(file)).toBe(zone);
    expect((await desk.run("apply old.json --yes")).talk.match(/^error.*/gm)).toEqual([
      "error[plan-effects] int.example.com A: changing 192.168.128.2 to 192.168.128.3 (the zone's TTL 3600) is not approved",
      "error[plan-effects] www.example.com A: changing 198.18.0.2 to 198.18.0.3 (the zone's TTL 3600) is not approved",
      "error[plan-effects] www.example.com AAAA: changing 2001:db8::f03c:91ff:fe00:1 to 2001:db8::f03c:91ff:fe00:2 (TTL 300) is not approved",
    ]);
    expect(await desk.run("plan --out new.json")).toEqual({
      code: 0,
      out: lines`
      example.com                               ~3 change
        1 ~ change  int  A     3600  192.168.128.2 → 192.168.128.3                            updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:10
        2 ~ change  www  A     3600  198.18.0.2 → 198.18.0.3                                  updated in place; caches may keep the old value for up to 1 hour  zones/example.com.yaml:6
        3 ~ change  www  AAAA  300   2001:db8::f03c:91ff:fe00:1 → 2001:db8::f03c:91ff:fe00:2  updated in place; caches may keep the old value for up to 5 minutes  zones/example.com.yaml:7
      note  web-1 = 198.18.0.3 (node 2)  zones/example.com.yaml:6
      note  web-1 = 2001:db8::f03c:91ff:fe00:2 (node 2)  zones/example.com.yaml:7
      note  web-1 = 192.168.128.3 (node 2)  zones/example.com.yaml:10
      note  www A publishes the benchmarking address 198.18.0.3  zones/example.com.yaml:6
      note  int A publishes the private address 192.168.128.3  zones/example.com.yaml:10
      plan: 3 changes in 1 of 1 zone · effects 67d9cb7e · 8 reads
      apply sends 3 writes and 8 reads (no rate limit)
      next: zonewright apply new.json
    `,
      talk: "",
    });
    expect((await desk.run("plan --against ref:refs/zonewright/snapshot")).out).toContain(
      "in sync: 1 zone, nothing to do\n",
    );
    expect((await desk.run("apply new.json --yes")).code).toBe(0);
    await expectAnswer("198.18.0.3", "2001:db8::f03c:91ff:fe00:2");
    expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
    expect((await desk.run("verify --wait 0s")).out).toContain(
      "pass          example.com  API: 4 records as in the file\n",
    );
    // The old address rests, so that G24 blocks it.
    expect((await desk.run("undo last --yes --allow G12,G24")).code).toBe(0);
    await expectAnswer("198.18.0.2", "2001:db8::f03c:91ff:fe00:1");
  },
);

/** A desk whose zone is applied, and whose snapshot is in live.json. */
async function appliedDesk(files?: Record<string, string>): Promise<ApiDesk> {
  const desk = await openDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("snapshot --out live.json")).code).toBe(0);
  return desk;
}

test("changes by hand beside a reference are written into the file, and the reference stays", async () => {
  const desk = await appliedDesk();
  const { data } = await desk.call("GET", "/domains/1/records");
  const idOf = (target: string) => data.find((record: { target: string }) => record.target === target).id;
  await desk.call("PUT", `/domains/1/records/${idOf("192.0.2.1")}`, { target: "192.0.2.9" });
  await desk.call("PUT", `/domains/1/records/${idOf("2001:db8::f03c:91ff:fe00:1")}`, { ttl_sec: 3600 });
  await desk.call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.80" });
  expect((await desk.run("drift --snapshot live.json --write")).code).toBe(0);
  const written = zone
    .replace("192.0.2.1", "192.0.2.9")
    .replace("ttl_sec: 5m, values", "ttl_sec: 1h, values")
    .replace("{ node: web-1 } # the front", "[{ node: web-1 }, 192.0.2.80] # the front");
  expect(desk.read(file)).toBe(written);
  expect((await desk.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  desk.write(file, zone);
  expect((await desk.run("import api --yes")).code).toBe(0);
  expect(desk.read(file)).toBe(written);
});

test("a change by hand of the record itself is drift, and its address replaces the reference", async () => {
  const desk = await appliedDesk();
  const { data } = await desk.call("GET", "/domains/1/records");
  const { id } = data.find((record: { target: string }) => record.target === "198.18.0.2");
  await desk.call("PUT", `/domains/1/records/${id}`, { target: "192.0.2.80" });
  expect((await desk.run("drift --snapshot live.json")).out).toContain("\ndrift: 1 change outside git in 1 of 1 zone");
  expect((await desk.run("drift --snapshot live.json --write")).code).toBe(0);
  expect(desk.read(file)).toBe(zone.replace("{ node: web-1 } # the front", "192.0.2.80 # the front"));
});

test("a snapshot contains nodes if zone files refer to some, and the token may list them", async () => {
  const desk = await appliedDesk();
  expect(JSON.parse(desk.read("live.json")).nodes).toEqual([
    {
      id: 1,
      label: "web-1",
      ipv4: ["198.18.0.2", "192.168.128.2"],
      ipv6: "2001:db8::f03c:91ff:fe00:1/128",
    },
  ]);
  const offline = { env: { ZONEWRIGHT_TOKEN: undefined } };
  expect(await desk.run("plan --against live.json", offline)).toEqual({
    code: 0,
    out: "in sync: 1 zone, nothing to do\n",
    talk: "",
  });
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_only events:read_only" }) };
  expect((await desk.run("snapshot --out bare.json", { env })).talk).toBe(lines`
    note  this token cannot list nodes (scope nodes:read_only): plans against the snapshot do not know the addresses of the nodes that zone files refer to
    1 zone with 4 records in bare.json
  `);
  expect(JSON.parse(desk.read("bare.json"))).not.toHaveProperty("nodes");
  expect(await desk.run("plan --against bare.json", offline)).toEqual({
    code: 0,
    out: lines`
      note  www A: the address of the node "web-1" is not in the snapshot of 2026-03-04T12:00:00Z, less than 1 hour old; the plan of the live zones decides  zones/example.com.yaml:6
      in sync: 1 zone, nothing to do
    `,
    talk: "",
  });
  desk.write(file, zone.replaceAll(/\{ node.*?\}/g, "192.0.2.1"));
  await desk.run("snapshot --out other.json");
  expect(JSON.parse(desk.read("other.json"))).not.toHaveProperty("nodes");
});

test("a node that a snapshot does not know is a note with its age, and the live plan decides", async () => {
  const desk = await appliedDesk();
  await desk.call("POST", "/node/instances", { ...place, label: "web-2" });
  desk.now = new Date("2026-03-04T15:00:00Z");
  const more = `${zone}  api: { lenient: private-address, A: { node: web-2 } }\n`;
  desk.write(file, more);
  const offline = { env: { ZONEWRIGHT_TOKEN: undefined } };
  const { code, out, talk } = await desk.run("plan --against live.json", offline);
  expect([code, talk]).toEqual([0, ""]);
  expect(out).toMatch(/\+ create {2}api {2}A {2}3600 {2}node web-2 /);
  expect(out).toMatch(
    /note {2}api A: the address of the node "web-2" is not in the snapshot of 2026-03-04T12:00:00Z, 3 hours old; the plan of the live zones decides {2}zones\/example\.com\.yaml:11/,
  );
  expect((await desk.run("plan")).out).toContain("web-2 = 198.18.0.3 (node 2)");

  // The live plan refuses what no node has.
  desk.write(file, more.replace("web-2", "wep-2"));
  expect((await desk.run("plan --against live.json", offline)).code).toBe(0);
  expect((await desk.run("plan")).talk).toContain('no node has the label "wep-2"');
});

test("a snapshot without nodes shows the changes besides them, and no guard blocks what it does not know", async () => {
  const desk = await appliedDesk();
  const env = { ZONEWRIGHT_TOKEN: await desk.mint({ scopes: "domains:read_only events:read_only" }) };
  await desk.run("snapshot --out bare.json", { env });
  desk.write(file, zone.replace("192.0.2.1", "192.0.2.9").replace("AAAA: {", "TXT: hello\n    AAAA: {"));
  const offline = { env: { ZONEWRIGHT_TOKEN: undefined } };
  const { code, out } = await desk.run("plan --against bare.json --detailed-exitcode", offline);
  expect(code).toBe(2);
  expect(out).toMatch(/^example\.com +\+1 create {2}~1 change\n/);
  expect(out).toContain("192.0.2.1 → 192.0.2.9");
  for (const address of ["198.18.0.2", "192.168.128.2", "2001:db8::"]) expect(out).not.toContain(address);
  expect(out.match(/is not in the snapshot of/g)?.length).toBeGreaterThan(0);
});

test("a plan that a snapshot does not know the nodes of is not applied", async () => {
  const desk = await appliedDesk();
  await desk.call("POST", "/node/instances", { ...place, label: "web-2" });
  desk.write(file, `${zone}  api: { lenient: private-address, A: { node: web-2 } }\n`);
  await desk.run("plan --against live.json --out plan.json");
  desk.writes.length = 0;
  expect((await desk.run("apply plan.json --yes")).code).toBe(4);
  expect(desk.writes).toEqual([]);
});

const hostile = "<img src=x>`@evil`](http://evil.example) ::error::\u202e\u001b[31m";

test("a hostile label in a file is no label", async () => {
  const desk = await appliedDesk();
  desk.write(file, `${zone}  api: { A: { node: ${JSON.stringify(hostile)} } }\n`);
  const { code, talk } = await desk.run("plan --against live.json");
  expect(code).toBe(3);
  expect(talk).toMatch(/^error\[[\w-]+\] .*<img/);
  expect(talk.replaceAll("\u001b", "ESC")).not.toMatch(/\u202e|ESC|^::/m);
});

test.each(["text", "markdown", "github", "gitlab", "html", "sarif", "junit"])(
  "a hostile label of a deleted node in a snapshot stays text in a plan as %s",
  async (format) => {
    const desk = await appliedDesk();
    const freed = [{ address: "192.0.2.77", node: hostile }];
    desk.write("live.json", JSON.stringify({ ...JSON.parse(desk.read("live.json")), freed }));
    desk.write(file, `${zone}  api: { A: 192.0.2.77 }\n`);
    const { code, out } = await desk.run(`plan --against live.json --report ${format}`);
    expect(code).toBe(0);
    expect(out).toContain("evil");
    expect(out.replaceAll("\u001b", "ESC")).not.toMatch(/\u202e|ESC|^::/m);
    if (format === "html" || format === "junit") expect(out).not.toContain("<img");
  },
);

test("exports contain addresses, and YAML keeps the references", async () => {
  const desk = await openDesk();
  const { out } = await desk.run("export --to records");
  expect(out).toBe(lines`
    int.example.com. 3600 IN A 192.0.2.1
    int.example.com. 3600 IN A 192.168.128.2
    www.example.com. 300 IN AAAA 2001:db8::f03c:91ff:fe00:1
    www.example.com. 3600 IN A 198.18.0.2
  `);
  expect((await desk.run("export --to bind")).out).toContain("www     IN A    198.18.0.2\n");
  expect((await desk.run("export --to octodns")).out).toContain("    value: 198.18.0.2\n");
  const offline = { env: { ZONEWRIGHT_TOKEN: undefined } };
  for (const command of ["expand example.com", "export --to yaml"])
    expect((await desk.run(command, offline)).out).toContain("    A:\n      node: web-1\n");
  expect(await desk.run("expand example.com --to bind", offline)).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[node-unresolved] zones/example.com.yaml refers to nodes, so it cannot be written in this form without their addresses
        zones/example.com.yaml:6:16
          6 |     A: { node: web-1 } # the front
            |                ^^^^^
        Use ${"`"}zonewright export${"`"}, which asks the service for them, or --to yaml, which keeps the references.
    `,
  });
  expect(await desk.run("fmt --to bind", offline)).toEqual({
    code: 0,
    out: "",
    talk: lines`
      warning[fmt-skipped] zones/example.com.yaml is skipped: a BIND zone file cannot refer to nodes
        To write their addresses: ${"`"}zonewright export --to bind${"`"}.
      0 files written, 1 left as they were
    `,
  });
});

test("records of another source are not merged into a file with references", async () => {
  const desk = await openDesk();
  desk.write("db.example.com", "$ORIGIN example.com.\n$TTL 1h\nwww A 192.0.2.80\n");
  const { code, talk } = await desk.run("import file db.example.com --origin example.com");
  expect([code, talk]).toEqual([
    1,
    expect.stringContaining("zones/example.com.yaml refers to nodes, so nothing can be merged into it"),
  ]);
  expect(desk.read(file)).toBe(zone);
});
