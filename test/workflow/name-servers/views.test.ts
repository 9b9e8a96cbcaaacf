import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { startUpdateServer } from "../../updates/servers.ts";

const secrets = {
  inside: Buffer.from("inside").toString("base64"),
  outside: Buffer.from("outside").toString("base64"),
};

const zone = (...records: readonly string[]) =>
  `$ORIGIN z01.example.\n$TTL 300\n@ SOA ns1 hostmaster 1 3600 600 86400 60\n@ NS ns1\nns1 A 192.0.2.53\n${records.map((line) => `${line}\n`).join("")}`;

/** A BIND with two views, which it selects by the key. */
function startViews() {
  return startUpdateServer(({ folder, port }) => {
    const view = (name: "inside" | "outside") => {
      writeFileSync(join(folder, `${name}.zone`), zone("www A 192.0.2.1"));
      return `key "${name}" { algorithm hmac-sha256; secret "${secrets[name]}"; };
view "${name}" {
  match-clients { key "${name}"; };
  zone "z01.example" { type primary; file "${name}.zone"; allow-update { key "${name}"; }; allow-transfer { key "${name}"; }; };
};
`;
    };
    writeFileSync(join(folder, "none.zone"), zone());
    const config = join(folder, "named.conf");
    writeFileSync(
      config,
      `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; dnssec-validation no;
};
controls {};
${view("inside")}${view("outside")}view "none" { match-clients { any; }; zone "z01.example" { type primary; file "none.zone"; }; };
`,
    );
    return ["named", "-g", "-n", "1", "-c", config];
  }, 1);
}

/** The records of the zone in a view, but not its SOA record, by dig. */
function transfer(port: number, view: keyof typeof secrets): string[] {
  const words = ["-y", `hmac-sha256:${view}:${secrets[view]}`, "@127.0.0.1", "-p", `${port}`];
  const text = execFileSync("dig", [...words, "+noall", "+answer", "AXFR", "z01.example"], { encoding: "utf8" });
  const records = [...text.matchAll(/^(\S+)\s+\d+\s+IN\s+(?!SOA|TSIG)(\S+)\s+(.*)$/gm)];
  return records.map(([, owner = "", type, data]) => `${owner.replace(".z01.example.", "")} ${type} ${data}`).sort();
}

test.skipIf(isMissing("named", "dig"))(
  "two views of a zone have a folder, a key and a plan each, and compare shows what differs",
  async () => {
    const server = await startViews();
    onTestFinished(() => server.stop());
    await server.untilServed("z01.example.");
    const desk = new Desk();
    for (const [name, secret] of Object.entries(secrets))
      desk.write(`${name}.key`, `key "${name}" { algorithm hmac-sha256; secret "${secret}"; };\n`);
    const target = (name: string) =>
      `  ${name}: { kind: rfc2136, server: "127.0.0.1:${server.port}", tsig_key_file: ${name}.key }\n`;
    desk.write(
      "zonewright.yaml",
      `targets:\n${target("inside")}${target("outside")}zones:\n  - { path: inside, targets: inside }\n  - { path: outside, targets: outside }\n`,
    );
    desk.write("inside/z01.example.zone", zone("www A 10.0.0.1", "db A 10.0.0.5"));
    desk.write("outside/z01.example.zone", zone("www A 192.0.2.1", "blog CNAME www"));
    const { PATH, HOME } = process.env;
    const run = (words: string) => new Program(desk.folder, words, { PATH, HOME }).end();
    const planned = await run("plan");
    expect([
      planned.code,
      planned.out.match(/^(?:on .*| +\d+ . \S+ .*)$/gm)?.map((line) => line.replace(/ {2,}/g, " ")),
    ]).toMatchInlineSnapshot(`
      [
        0,
        [
          " 1 + create db A 300 10.0.0.5 blocked by G12 inside/z01.example.zone:7",
          " 2 ~ change www A 300 192.0.2.1 → 10.0.0.1 blocked by G12 updated in place; caches may keep the old value for up to 5 minutes inside/z01.example.zone:6",
          " 1 + create blog CNAME 300 www outside/z01.example.zone:7",
          "on inside: 2 changes in 1 of 1 zone · effects 68b98915 · 2 reads · apply sends 2 writes in 1 request and 5 reads (no rate limit)",
          "on outside: 1 change in 1 of 1 zone · effects 7b2b833e · 2 reads · apply sends 1 write and 5 reads (no rate limit)",
        ],
      ]
    `);
    expect((await run("apply --yes --allow G12,G13,G01")).code).toBe(0);
    expect(["inside", "outside"].map((name) => transfer(server.port, name as keyof typeof secrets))).toEqual([
      ["db A 10.0.0.5", "ns1 A 192.0.2.53", "www A 10.0.0.1", "z01.example. NS ns1.z01.example."],
      ["blog CNAME www.z01.example.", "ns1 A 192.0.2.53", "www A 192.0.2.1", "z01.example. NS ns1.z01.example."],
    ]);
    const compared = await run("compare live:inside live:outside z01.example");
    expect([compared.code, compared.out]).toMatchInlineSnapshot(`
    [
      2,
      "A live:inside
    B live:outside
    z01.example: differs
      only in B  blog CNAME 300 www.z01.example.
      only in A  db A 300 10.0.0.5
      RDATA      www A 300
                 - 10.0.0.1
                 + 192.0.2.1
    1 zone: 0 equal, 1 different, 0 incomplete
    ",
    ]
  `);
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    const files = await run("compare inside outside");
    expect([files.code, files.out]).toMatchInlineSnapshot(`
    [
      2,
      "A inside
    B outside
    z01.example: differs
      only in B  blog CNAME 300 www.z01.example.
      only in A  db A 300 10.0.0.5
      RDATA      www A 300
                 - 10.0.0.1
                 + 192.0.2.1
    1 zone: 0 equal, 1 different, 0 incomplete
    ",
    ]
  `);
    const unknown = await run("compare live:insde live:outside z01.example");
    expect([unknown.code, unknown.talk]).toMatchInlineSnapshot(`
    [
      64,
      "error: the project has no target "insde". Did you mean "inside"?
    ",
    ]
  `);
  },
);

/** A project with two views, each on a folder of zone files of its own. */
function twoFolders(targets = "") {
  const desk = new Desk({
    "zonewright.yaml": `targets:
  inside: { kind: files, folder: srv/inside }
  outside: { kind: files, folder: srv/outside }
${targets}zones:
  - { path: inside, targets: inside }
  - { path: outside, targets: outside }
`,
  });
  for (const name of ["inside", "outside"]) mkdirSync(join(desk.folder, "srv", name), { recursive: true });
  return desk;
}

const other = (name: string, ...records: readonly string[]) =>
  `$ORIGIN ${name}.\n$TTL 300\n@ SOA ns1.example.net. hostmaster 1 3600 600 86400 60\n@ NS ns1.example.net.\n${records.map((line) => `${line}\n`).join("")}`;

test("guards, pointers and templates stay inside a view", async () => {
  const desk = twoFolders();
  desk.write("templates/mail.yaml", "records:\n  mail: { A: 192.0.2.25 }\n");
  const shared = `soa_email: hostmaster@z03.example\nttl_sec: 300\ntemplates: [mail]\nrecords:\n  "@": { NS: ns1.example.net. }\n`;
  for (const view of ["inside", "outside"]) {
    desk.write(`${view}/z02.example.zone`, other("z02.example", "db A 192.0.2.5", "spare A 192.0.2.6"));
    desk.write(`${view}/z03.example.yaml`, shared);
  }
  // Only the inside has pointers to the other zone, and only the outside has the name of one of them.
  desk.write(
    "inside/z01.example.zone",
    other("z01.example", "app CNAME db.z02.example.", "new CNAME www.z02.example."),
  );
  desk.write("outside/z01.example.zone", other("z01.example", "app A 192.0.2.9"));
  desk.write(
    "outside/z02.example.zone",
    other("z02.example", "db A 192.0.2.5", "spare A 192.0.2.6", "www A 192.0.2.8"),
  );
  expect((await desk.run("validate")).out).toMatchInlineSnapshot(`
    "warning[target-elsewhere] new CNAME points to "www.z02.example.", which does not exist in the zone "z02.example."
      inside/z01.example.zone:6:1
        6 | new CNAME www.z02.example.
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^
      The target is in another zone of this project, but does not exist there or has no address, so lookups of it fail. Add "www" to "inside/z02.example.zone", or change the target.

    valid: 6 zones, 20 records, 1 warning
    "
  `);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect(["inside", "outside"].map((view) => desk.read(`srv/${view}/z03.example.zone`).match(/^mail.*$/gm))).toEqual([
    ["mail IN A   192.0.2.25"],
    ["mail IN A   192.0.2.25"],
  ]);
  for (const view of ["inside", "outside"])
    desk.write(`${view}/z02.example.zone`, desk.read(`${view}/z02.example.zone`).replace("db A 192.0.2.5\n", ""));
  const blocks = async (view: string) => (await desk.run(`plan --target ${view}`)).out.match(/^ {2}blocked by.*$/gm);
  expect([await blocks("inside"), await blocks("outside")]).toEqual([
    ["  blocked by G08 (still referenced): db.z02.example A: app.z01.example points here"],
    null,
  ]);
});

test("a target leaves a zone that has other servers in another view", async () => {
  const desk = twoFolders(
    `  second: { kind: files, folder: srv/second, nameservers: { ns3.example.net: "127.0.0.1:1" } }\n`,
  );
  mkdirSync(join(desk.folder, "srv/second"));
  const config = desk.read("zonewright.yaml");
  desk.write("zonewright.yaml", config.replace("targets: outside }", "targets: [outside, second] }"));
  const text = (server: string, on = "") =>
    on + other("z01.example").replace("ns1.example.net.\n", `${server}.example.net.\n`);
  desk.write("inside/z01.example.zone", text("ns1"));
  desk.write("outside/z01.example.zone", text("ns2"));
  expect((await desk.run("apply --yes --wait 0s")).code).toBe(5);
  desk.write("outside/z01.example.zone", text("ns2", ";@ targets: outside\n"));
  const { out } = await desk.run("apply --yes --target second --delete-zone z01.example --allow G06");
  const [, found = ""] = /blocked by G35 \(name servers in use\):\s+([\s\S]*?)\n\s+to approve/.exec(out) ?? [];
  // The reason depends on the resolver of the machine.
  expect(found.split(/\n\s+/).map((line) => line.replace(/ \(.*/, ""))).toEqual([
    "z01.example: the parent zone could not be asked for its NS records",
    "z01.example: ns2.example.net could not be asked for its NS records",
    "z01.example: ns3.example.net could not be asked for its NS records",
  ]);
});
