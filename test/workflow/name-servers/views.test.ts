import { writeFileSync } from "node:fs";
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

test.skipIf(isMissing("named"))(
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
          "on inside: 2 changes in 1 of 1 zone · effects 68b98915 · 2 reads · apply sends 1 write and 5 reads (no rate limit)",
          "on outside: 1 change in 1 of 1 zone · effects 7b2b833e · 2 reads · apply sends 1 write and 5 reads (no rate limit)",
        ],
      ]
    `);
    expect((await run("apply --yes --allow G12,G13,G01")).code).toBe(0);
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
