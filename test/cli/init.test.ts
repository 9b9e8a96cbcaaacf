import { existsSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, Desk, lines } from "./run.ts";

const files = {
  "bind/example.com.zone": lines`
    $ORIGIN example.com.
    $TTL 3600
    @ IN SOA ns1.example.net. hostmaster 1 14400 3600 1209600 3600
    www IN A 192.0.2.1 ; the shop
  `,
  "bind/db.example.net": lines`
    $TTL 1h
    @ IN SOA ns1 hostmaster 1 4h 1h 2w 1h
    www IN A 192.0.2.2
    $INCLUDE common.inc
  `,
  "bind/common.inc": "mail IN A 192.0.2.3\n",
  "bind/db.example.org": "@ IN SOA ns1 hostmaster 1 4h 1h 2w 1h\nwww IN A 300.0.2.1\n",
  "bind/named.conf": "options { };\n",
};

const octodns = {
  "dns/production.yaml": lines`
    providers:
      config:
        class: octodns.provider.yaml.YamlProvider
        directory: ./dns/zones
        default_ttl: 600
    zones:
      example.com.: { sources: [config] }
  `,
  "dns/zones/example.com.yaml": '"": { type: MX, values: [{ preference: 10, exchange: mail.example.org. }] } # mail\n',
};

/** The last lines of a run on standard output, where the zones are counted. */
const connected = "next: `zonewright plan` compares the files with the account\n";
const unconnected =
  "next: set ZONEWRIGHT_TOKEN (`zonewright serve` runs an API here and prints one), then run `zonewright plan`\n";

test("writes an example that validates, with schemas that editors find; a second run changes nothing and says so", async () => {
  for (const format of ["yaml", "bind"]) {
    const desk = new Desk();
    const first = await desk.run(`init --from empty --zone example.net --format ${format} --yes`);
    expect(first).toMatchObject({ code: 0, talk: "" });
    expect(first.out).toContain(`wrote  zones/example.net.${format === "yaml" ? "yaml" : "zone"}\n`);
    expect(first.out).toMatch(new RegExp(`\n\n1 zone, [56] records\n${unconnected.replaceAll(/[()]/g, "\\$&")}$`));
    expect(await desk.run("validate")).toMatchObject({ code: 0, talk: "" });
    const written = desk.files();
    for (const [file, text] of Object.entries(written)) {
      const [, schema] = /^# yaml-language-server: \$schema=(.*)/.exec(text) ?? [];
      if (file.endsWith(".yaml") && file !== "acks.yaml")
        expect(existsSync(resolve(desk.folder, dirname(file), schema ?? "none")), file).toBe(true);
    }
    const again = await desk.run("init --yes");
    expect(again.out).toContain("nothing to do: all files exist already\n");
    expect(desk.files()).toEqual(written);
  }
});

test("refers to the schemas of the installed package, if there is one", async () => {
  const schema = readFileSync(join(import.meta.dirname, "../../schemas/zone.schema.json"), "utf8");
  const desk = new Desk({
    "node_modules/zonewright/schemas/zone.schema.json": schema,
    "node_modules/zonewright/schemas/config.schema.json": "{}",
  });
  await desk.run("init --yes");
  expect(desk.read("zones/example.com.yaml")).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/node_modules\/zonewright\/schemas\/zone\.schema\.json\n/,
  );
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("schemas/"))).toEqual([]);
});

test("imports the account, and a plan is empty; a wrong token is found before anything is written", async () => {
  const desk = await apiDesk({
    "zones/example.com.yaml": "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  const other = new Desk();
  Object.assign(other.env, desk.env, { ZONEWRIGHT_TOKEN: "wrong" });
  expect((await other.run("init --from api --yes")).talk).toMatch(/^error\[api\/token\]/);
  expect(other.files()).toEqual({});
  other.env.ZONEWRIGHT_TOKEN = desk.token;
  const { code, out } = await other.run("init --yes");
  expect([code, out.split("\n")[0], out.endsWith(`1 zone, 1 record\n${connected}`)]).toEqual([
    0,
    "wrote  zones/example.com.yaml",
    true,
  ]);
  expect(other.read("zonewright.yaml")).toContain(`\napi_url: ${desk.url}\n`);
  delete other.env.ZONEWRIGHT_API_URL;
  expect((await other.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  const before = other.files();
  await desk.call("POST", "/domains/1/records", { type: "A", name: "new", target: "192.0.2.99" });
  expect((await other.run("init --from api --yes")).out).toContain(
    "kept   zones/example.com.yaml: it differs from the live zone: `zonewright import api` shows how\n",
  );
  expect(other.files()).toEqual(before);
});

test("copies BIND files of any name, and names each file that it leaves out", async () => {
  const desk = new Desk(files);
  const { code, out, talk } = await desk.run("init bind --yes");
  expect(talk).toBe(lines`
    error[address-v4] www A "300.0.2.1": not an IPv4 address
      bind/db.example.org:2:10
        2 | www IN A 300.0.2.1
          |          ^^^^^^^^^
      Write an IPv4 address such as "192.0.2.1".
    note  bind/named.conf is skipped: it does not look like a zone file
  `);
  expect([code, out]).toEqual([
    5,
    lines`
      wrote  zones/example.com.zone
      wrote  zones/example.net.zone
      wrote  schemas/config.schema.json
      wrote  zonewright.yaml
      wrote  acks.yaml
      wrote  .gitignore

      skipped 1 file with errors: bind/db.example.org
      Fix them and run the same command again: it adds their zones.

      2 zones, 5 records
    ` + unconnected,
  ]);
  expect(desk.read("zones/example.com.zone")).toBe(files["bind/example.com.zone"]);
  expect(desk.read("zones/example.net.zone")).toMatch(/^mail .*192\.0\.2\.3$/m);
  desk.write("bind/db.example.org", files["bind/db.example.org"].replace("300", "192"));
  desk.write("zones/example.com.zone", `${files["bind/example.com.zone"]}new IN A 192.0.2.9\n`);
  const again = await desk.run("init bind --yes");
  expect([again.code, again.out.split("\n").slice(0, 3)]).toEqual([
    0,
    [
      "wrote  zones/example.org.zone",
      "kept   1 zone file",
      "kept   zones/example.com.zone: it differs from bind/example.com.zone",
    ],
  ]);
});

test("reads octoDNS files in place, with octoDNS's configuration, or converts them", async () => {
  const desk = new Desk(octodns);
  expect(await desk.run("init dns/zones --yes")).toMatchObject({
    code: 64,
    talk: "the files name no contact address for the SOA record: add --soa-email, such as --soa-email hostmaster@example.com.\n",
  });
  expect((await desk.run("init dns/zones --soa-email a@example.com --yes")).code).toBe(0);
  expect(desk.read("zonewright.yaml")).toMatch(
    /^zones: \{ path: dns\/zones, format: octodns, default_ttl: 600 \}\n[\s\S]*^defaults:\n {2}soa_email: a@example.com/m,
  );
  expect((await desk.run("export --to records")).out).toBe("example.com. 600 IN MX 10 mail.example.org.\n");
  const other = new Desk(octodns);
  const { talk } = await other.run("init dns/zones --format yaml --soa-email a@example.com --yes");
  expect(talk).toBe("note  comments of octoDNS files are not copied: dns/zones/example.com.yaml\n");
  expect(other.read("zones/example.com.yaml")).toContain("      ttl_sec: 10m\n");
});

test("two files for one zone are both left out", async () => {
  const zone = "soa_email: a@example.com\nrecords: {www: {A: 192.0.2.1}}\n";
  const desk = new Desk({ "a/example.com.yaml": zone, "b/example.com.yaml": zone, "b/example.net.yaml": zone });
  const { code, out, talk } = await desk.run("init a b --format yaml --yes");
  expect(talk).toMatch(
    /^error\[zone-twice\] a\/example.com.yaml and b\/example.com.yaml both contain the zone "example.com"\n/,
  );
  expect([code, out.split("\n")[0]]).toEqual([5, "wrote  zones/example.net.yaml"]);
  expect(out).toContain("skipped 2 files with errors: a/example.com.yaml, b/example.com.yaml\n");
});

test("asks on a terminal, and Ctrl-C leaves nothing behind", async () => {
  const desk = new Desk();
  expect(await desk.run("init", { answer: ["3", "", "example.org", "Ctrl-C"] })).toMatchObject({ code: 0 });
  expect(desk.questions).toEqual(["1 to 3 [1]: ", "1 to 2 [1]: ", "Name of your first zone [example.com]: "]);
  expect(Object.keys(desk.files())).toContain("zones/example.org.yaml");
  const stopped = new Desk();
  expect(await stopped.run("init", { answer: ["3", "2", "Ctrl-C"] })).toMatchObject({
    code: 130,
    out: "",
    talk: expect.stringMatching(/interrupted: no further writes are sent\n$/),
  });
  expect(stopped.files()).toEqual({});
});

test.each([
  [
    "init",
    "init asks questions, and there is no terminal: add --yes, with --from api, --from empty or the path of your zone files, and --format yaml or bind.\n",
  ],
  ["init bind --from api --yes", "--from api reads no files: leave out bind.\n"],
  ["init --from files --yes", "--from files needs the path of the files: zonewright init FOLDER.\n"],
  ["init --zone example.com --yes", "--zone names the example that --from empty writes.\n"],
])("%s is a usage error", async (command, talk) => {
  const desk = new Desk();
  expect(await desk.run(command)).toEqual({ code: 64, out: "", talk });
  expect(desk.files()).toEqual({});
});

test("existing files stay as they are", async () => {
  const existing = { ".gitignore": "node_modules/\n", "zonewright.yaml": "zones: [dns]\n", "acks.yaml": "[]\n" };
  const desk = new Desk(existing);
  const { out } = await desk.run("init --from empty --yes");
  expect(out).toContain("kept   .gitignore: add the line .zonewright/\n");
  expect(desk.files()).toMatchObject({ ...existing, "dns/example.com.yaml": expect.anything() });
});

test("a link to a file that does not exist stays", async () => {
  const desk = new Desk();
  for (const file of ["acks.yaml", ".gitignore"]) symlinkSync("elsewhere", join(desk.folder, file));
  const { code, out } = await desk.run("init --from empty --yes");
  expect(code).toBe(0);
  expect(out).toContain("kept   acks.yaml: it is a link to a file that does not exist\n");
  expect(readlinkSync(join(desk.folder, "acks.yaml"))).toBe("elsewhere");
  expect(readlinkSync(join(desk.folder, ".gitignore"))).toBe("elsewhere");
});
