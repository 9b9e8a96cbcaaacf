import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { writeNewFiles } from "../../src/workflow/project/files.ts";
import { type CiTarget, ciFiles } from "../../src/workflow/start/ci-files.ts";
import { isMissing } from "../judges.ts";
import { Program, programWords } from "./process.ts";
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
const unconnected = lines`
  next: set ZONEWRIGHT_TOKEN, then run \`zonewright plan\`
        (\`zonewright serve\` runs an API on this machine, and prints a token)
`.replaceAll("\\`", "`");

/** The other files that `init` writes, besides the zones. */
const more = lines`
  more: \`zonewright init --ci github\` adds workflows for pull requests; or \`--ci gitlab\`
        \`zonewright init --template NAME\` copies records that zones share:
        google-workspace, microsoft-365, no-mail, security
`.replaceAll("\\`", "`");

test("writes an example that validates, with schemas that editors find; a second run changes nothing and says so", async () => {
  for (const format of ["yaml", "bind"]) {
    const desk = new Desk();
    const first = await desk.run(`init --from empty --zone example.net --format ${format} --yes`);
    expect(first).toMatchObject({ code: 0, talk: "" });
    expect(first.out).toContain(`wrote  zones/example.net.${format === "yaml" ? "yaml" : "zone"}\n`);
    expect(first.out.replace("6 records", "5 records")).toContain(`\n\n1 zone, 5 records\n${more}${unconnected}`);
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
  expect([code, out.split("\n")[0], out.endsWith(`1 zone, 1 record\n${more}${connected}`)]).toEqual([
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
    ` +
      more +
      unconnected,
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
    talk: "error: the files name no contact address for the SOA record: add --soa-email, such as --soa-email hostmaster@example.com.\n",
  });
  expect((await desk.run("init dns/zones --soa-email a@example.com --yes")).code).toBe(0);
  expect(desk.read("zonewright.yaml")).toMatch(
    /^zones: \{ path: dns\/zones, format: octodns, default_ttl: 600 \}\n[\s\S]*^defaults:\n {2}soa_email: a@example.com/m,
  );
  expect((await desk.run("export --to records")).out).toBe("example.com. 600 IN MX 10 mail.example.org.\n");
  const other = new Desk(octodns);
  const { talk } = await other.run("init dns/zones --format yaml --soa-email a@example.com --yes");
  expect(talk).toBe("");
  expect(other.read("zones/example.com.yaml")).toContain("      ttl_sec: 10m\n");
});

test("converts an octoDNS file with its comments, and names the lines of those that have no place", async () => {
  const desk = new Desk({
    "dns/example.com.yaml": lines`
      # The shop's zone.
      # Ask the web team.

      "":
        # both load balancers
        - type: A
          ttl: 300 # short, for failover
          values:
            - 192.0.2.1 # left
            # the new one
            - 192.0.2.2
        - type: MX
          value:
            exchange: mail.example.org. # hosted
            preference: 10
      # the shop
      www: # since 2019
        octodns:
          healthcheck: { host: example.com } # every minute
        type: CNAME # not ALIAS
        value: example.net.
      # the end
    `,
  });
  const { code, talk } = await desk.run("init dns --format yaml --soa-email a@example.com --yes");
  expect([code, talk]).toEqual([
    0,
    lines`
      warning[provider-specific] keys for octoDNS and its providers are skipped; only the plain values beside them are read: octodns
        dns/example.com.yaml:18:3
         18 |   octodns:
            |   ^^^^^^^
        Remove them when octoDNS no longer reads the file.
      note  dns/example.com.yaml: comments that zones/example.com.yaml does not contain: lines 19
    `,
  ]);
  expect(desk.read("zones/example.com.yaml").replace(/^.*\n\n/, "")).toBe(lines`
    # The shop's zone.
    # Ask the web team.

    zone: example.com
    records:
      "@":
        # both load balancers
        A:
          ttl_sec: 5m # short, for failover
          values:
            - 192.0.2.1 # left
            # the new one
            - 192.0.2.2
        MX:
          ttl_sec: 1h
          values: 10 mail.example.org. # hosted
      # the shop
      www: # since 2019
        CNAME: # not ALIAS
          ttl_sec: 1h
          values: example.net.

    # the end
  `);
});

test.each(["", "--format yaml "])(
  "init dns %scounts the files that share a warning, and names each error",
  async (format) => {
    const set = (type: string) => `"": [{ type: A, value: 192.0.2.1 }, { type: ${type}, value: x. }]\n`;
    const names = Array.from({ length: 12 }, (_, index) => `dns/zone${index}.example.yaml`);
    const desk = new Desk({
      ...Object.fromEntries(names.map((name) => [name, set("Route53Provider/ALIAS")])),
      "dns/a.example.yaml": set("AAAA"),
      "dns/b.example.yaml": set("AAAA"),
    });
    const { code, talk } = await desk.run(`init dns --soa-email a@example.com ${format}--yes`);
    expect(code).toBe(5);
    expect(talk.split("\n").map((line) => line.replace(/@ AAAA.*/, "…"))).toEqual([
      "dns/a.example.yaml:1:58: error[address-v6] …",
      "dns/b.example.yaml:1:58: error[address-v6] …",
      "warning[provider-specific] in 12 files: record sets of provider-specific types are skipped: Route53Provider/ALIAS; first at dns/zone0.example.yaml:1:45",
      "",
    ]);
  },
);

test.each(["", "--format yaml "])("init bad %sreports each error and writes nothing", async (format) => {
  const files = { "bad/example.com.zone": "www IN A 300.0.2.1\n", "bad/example.net.zone": "www IN A 300.0.2.2\n" };
  const desk = new Desk(files);
  const { code, out, talk } = await desk.run(`init bad ${format}--soa-email a@example.com --yes`);
  expect(talk.match(/^error\[address-v4\] www A "300\.0\.2\.[12]"/gm)).toHaveLength(2);
  expect([code, out]).toEqual([
    3,
    lines`
      nothing was written: no file is valid. Errors are in bad/example.com.zone, bad/example.net.zone
      Fix them and run the same command again.
    `,
  ]);
  expect(desk.files()).toEqual(files);
});

test("a folder without zone files is an error", async () => {
  const desk = new Desk({ "etc/named.conf": "options { };\n" });
  expect(await desk.run("init etc --yes")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[zones-empty] no zone files found: etc/named.conf do not look like zone files
        Name zone files, or a folder that contains some.
    `,
  });
});

test("adds a named zone to a project, and keeps the file of one that exists", async () => {
  const desk = new Desk();
  await desk.run("init --from empty --yes");
  const before = desk.files();
  const added = await desk.run("init --from empty --zone example.net --yes");
  expect([added.code, added.out.split("\n")[0]]).toEqual([0, "wrote  zones/example.net.yaml"]);
  expect(desk.files()).toEqual({
    ...before,
    "zones/example.net.yaml": expect.stringContaining("hostmaster@example.net"),
  });
  const again = await desk.run("init --from empty --zone example.net --format bind --yes");
  expect(again.out).toContain("kept   zones/example.net.yaml: it contains example.net already\n");
  const unnamed = await desk.run("init --from empty --yes");
  expect(unnamed.talk).toBe("note  the project has zones already, so no example is written: --zone NAME adds a zone\n");
  expect(Object.keys(desk.files())).toHaveLength(Object.keys(before).length + 1);
});

test("copies shipped templates, which a zone can use", async () => {
  const desk = new Desk({ "templates/security.yaml": "records: {}\n" });
  const { code, out } = await desk.run("init --from empty --template no-mail --template security --yes");
  expect(code).toBe(0);
  expect(out).toMatch(/^wrote {2}templates\/no-mail\.yaml\n[\s\S]*^kept {3}templates\/security\.yaml\n/m);
  expect(desk.read("templates/security.yaml")).toBe("records: {}\n");
  const [, schema = ""] = /\$schema=(.*)/.exec(desk.read("templates/no-mail.yaml")) ?? [];
  expect(existsSync(resolve(desk.folder, "templates", schema))).toBe(true);
  desk.write("zones/example.com.yaml", "soa_email: a@example.com\ntemplates: [no-mail]\n");
  expect((await desk.run("expand example.com")).out).toContain("p=reject");
  expect(await desk.run("init --template no-mial --yes")).toMatchObject({
    code: 64,
    talk: "error: --template no-mial is not shipped with zonewright; did you mean no-mail?\n",
  });
});

test("writes the workflows of the examples, with the commit of the package", async () => {
  const own = ".github/workflows/zonewright-plan.yml";
  const desk = await apiDesk({ [own]: "mine\n" });
  const { out } = await desk.run("init --from empty --ci github --yes");
  expect(out.match(/^.*\.github.*$/gm)).toEqual([
    "wrote  .github/workflows/zonewright-check.yml",
    "wrote  .github/workflows/zonewright-apply.yml",
    "wrote  .github/workflows/zonewright-drift.yml",
    `kept   ${own}`,
  ]);
  expect(desk.read(own)).toBe("mine\n");
  // A package that was packed here names its commit; a checkout leaves the placeholder, and a note says so.
  const commit = /zonewright@[0-9a-f]{40} # .*/g;
  for (const name of ["check", "apply", "drift"]) {
    const example = readFileSync(join(import.meta.dirname, `../../examples/github/${name}.yml`), "utf8");
    const text = desk.read(`.github/workflows/zonewright-${name}.yml`);
    expect(text.replaceAll(commit, "zonewright@COMMIT")).toBe(example.replaceAll(commit, "zonewright@COMMIT"));
  }
});

test("writes whether a second person approves each pull request", () => {
  const lineOf = (isTwoPeople: boolean) => {
    const { files } = ciFiles("github", { commit: undefined, isTwoPeople });
    return files.flatMap(({ text }) => text.match(/two-people: \w+/g) ?? []);
  };
  expect([lineOf(true), lineOf(false)]).toEqual([["two-people: true"], ["two-people: false"]]);
});

test("the workflows of a project with targets get the token or key of each, and its snapshot", () => {
  const options = { commit: undefined, isTwoPeople: true };
  const targets = [
    { name: "head-office", kind: "rfc2136" },
    { name: "public", kind: "api" },
  ] as const;
  const linesOf = ({ text }: { readonly text: string }) => text.split("\n");
  const usual = ciFiles("github", options).files.map(linesOf);
  const changes = ciFiles("github", { ...options, targets }).files.flatMap((file, index) => {
    const before = usual[index] ?? [];
    const after = linesOf(file);
    return [
      file.file.replace(/.*-/, ""),
      ...before.filter((line) => !after.includes(line)).map((line) => `- ${line.trim()}`),
      ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line.trim()}`),
    ];
  });
  expect(changes.join("\n")).toMatchInlineSnapshot(`
    "check.yml
    - found=$(git ls-remote origin refs/zonewright/snapshot)
    - git fetch --no-tags --depth=1 origin +refs/zonewright/snapshot:refs/zonewright/snapshot
    - against: ref:refs/zonewright/snapshot
    + found=$(git ls-remote origin 'refs/zonewright/targets/*')
    + git fetch --no-tags --depth=1 origin '+refs/zonewright/targets/*:refs/zonewright/targets/*'
    + against: ref:refs/zonewright/targets/{target}
    plan.yml
    - runs-on: ubuntu-latest
    - found=$(git ls-remote origin refs/zonewright/snapshot)
    - [ -z "$found" ] || git fetch --no-tags --depth=1 origin +refs/zonewright/snapshot:refs/zonewright/snapshot
    - api-url: \${{ vars.ZONEWRIGHT_API_URL }}
    - token: \${{ secrets.ZONEWRIGHT_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes
    + runs-on: ubuntu-latest # must reach the name server of head-office, over UDP and TCP: often a self-hosted one
    + found=$(git ls-remote origin 'refs/zonewright/targets/*')
    + [ -z "$found" ] || git fetch --no-tags --depth=1 origin '+refs/zonewright/targets/*:refs/zonewright/targets/*'
    + env:
    + ZONEWRIGHT_HEAD_OFFICE_TSIG_KEY: \${{ secrets.ZONEWRIGHT_HEAD_OFFICE_READ_TSIG_KEY }} # may transfer the zones
    + ZONEWRIGHT_PUBLIC_TOKEN: \${{ secrets.ZONEWRIGHT_PUBLIC_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes
    apply.yml
    - runs-on: ubuntu-latest
    - api-url: \${{ vars.ZONEWRIGHT_API_URL }}
    - token: \${{ secrets.ZONEWRIGHT_WRITE_TOKEN }} # scopes domains:read_write and events:read_only; nodes:read_only for references to nodes
    - runs-on: ubuntu-latest
    - contents: write # to push refs/zonewright/snapshot
    - api-url: \${{ vars.ZONEWRIGHT_API_URL }}
    - token: \${{ secrets.ZONEWRIGHT_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes
    + runs-on: ubuntu-latest # must reach the name server of head-office, over UDP and TCP: often a self-hosted one
    + env:
    + ZONEWRIGHT_HEAD_OFFICE_TSIG_KEY: \${{ secrets.ZONEWRIGHT_HEAD_OFFICE_WRITE_TSIG_KEY }} # may transfer and update the zones
    + ZONEWRIGHT_PUBLIC_TOKEN: \${{ secrets.ZONEWRIGHT_PUBLIC_WRITE_TOKEN }} # scopes domains:read_write and events:read_only; nodes:read_only for references to nodes
    + runs-on: ubuntu-latest # must reach the name server of head-office, over UDP and TCP: often a self-hosted one
    + contents: write # to push the snapshots
    + env:
    + ZONEWRIGHT_HEAD_OFFICE_TSIG_KEY: \${{ secrets.ZONEWRIGHT_HEAD_OFFICE_READ_TSIG_KEY }} # may transfer the zones
    + ZONEWRIGHT_PUBLIC_TOKEN: \${{ secrets.ZONEWRIGHT_PUBLIC_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes
    drift.yml
    - runs-on: ubuntu-latest
    - found=$(git ls-remote origin refs/zonewright/snapshot)
    - [ -z "$found" ] || git fetch --no-tags --depth=1 origin +refs/zonewright/snapshot:refs/zonewright/snapshot
    - api-url: \${{ vars.ZONEWRIGHT_API_URL }}
    - token: \${{ secrets.ZONEWRIGHT_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes
    + runs-on: ubuntu-latest # must reach the name server of head-office, over UDP and TCP: often a self-hosted one
    + found=$(git ls-remote origin 'refs/zonewright/targets/*')
    + [ -z "$found" ] || git fetch --no-tags --depth=1 origin '+refs/zonewright/targets/*:refs/zonewright/targets/*'
    + env:
    + ZONEWRIGHT_HEAD_OFFICE_TSIG_KEY: \${{ secrets.ZONEWRIGHT_HEAD_OFFICE_READ_TSIG_KEY }} # may transfer the zones
    + ZONEWRIGHT_PUBLIC_TOKEN: \${{ secrets.ZONEWRIGHT_PUBLIC_READ_TOKEN }} # scopes domains:read_only and events:read_only; nodes:read_only for references to nodes"
  `);
});

test("the workflows of a project on PowerDNS say that its key can write, and what their runner must reach", () => {
  const targets = [{ name: "inside", kind: "powerdns" }] as const;
  const files = ciFiles("github", { commit: undefined, isTwoPeople: true, targets }).files;
  const lines = files.flatMap(({ text }) => text.match(/^.*(?:API_KEY|runs-on: ubuntu-latest #).*$/gm) ?? []);
  expect([...new Set(lines.map((line) => line.trim()))]).toEqual([
    "runs-on: ubuntu-latest # must reach the API of inside: often a self-hosted one",
    "ZONEWRIGHT_INSIDE_API_KEY: ${{ secrets.ZONEWRIGHT_INSIDE_READ_API_KEY }} # the API key, which can write: people who may push branches could take it",
    "ZONEWRIGHT_INSIDE_API_KEY: ${{ secrets.ZONEWRIGHT_INSIDE_WRITE_API_KEY }} # the API key",
  ]);
});

test("the files of GitLab name the variables of each target, and the runner that it needs", () => {
  const headOf = (...targets: CiTarget[]) =>
    ciFiles("gitlab", { commit: undefined, isTwoPeople: true, targets }).files[1]?.text;
  expect(
    [
      headOf(),
      headOf({ name: "head-office", kind: "rfc2136" }, { name: "public", kind: "api" }),
      headOf({ name: "hidden", kind: "files" }),
      headOf({ name: "inside", kind: "powerdns" }),
    ].join("---\n"),
  ).toMatchInlineSnapshot(`
    "# Checks, plans and applies the zones of this repository.
    include:
      - local: .gitlab/zonewright.yml
    ---
    # Checks, plans and applies the zones of this repository.
    # Its variables (Settings > CI/CD), masked:
    # - ZONEWRIGHT_HEAD_OFFICE_TSIG_KEY, a TSIG key as hmac-sha256:NAME:SECRET:
    #   one that may transfer the zones, unprotected; one that may also update them, protected, for the environment "dns"
    # - ZONEWRIGHT_PUBLIC_TOKEN, a token:
    #   one that has read scopes, unprotected; one that has write scopes, protected, for the environment "dns"
    # The runner must reach the name server of head-office, over UDP and TCP: to choose it, add default: { tags: [ITS_TAG] }
    include:
      - { local: .gitlab/zonewright.yml, inputs: { snapshot: "refs/zonewright/targets/{target}" } }
    ---
    # Checks, plans and applies the zones of this repository.
    # The runner must be the machine with the zone files of hidden: to choose it, add default: { tags: [ITS_TAG] }
    include:
      - { local: .gitlab/zonewright.yml, inputs: { snapshot: "refs/zonewright/targets/{target}" } }
    ---
    # Checks, plans and applies the zones of this repository.
    # Its variables (Settings > CI/CD), masked:
    # - ZONEWRIGHT_INSIDE_API_KEY, the API key of PowerDNS, protected, for the environment "dns";
    #   unprotected as well if branches are to be planned: there is one key, and it can write
    # The runner must reach the API of inside: to choose it, add default: { tags: [ITS_TAG] }
    include:
      - { local: .gitlab/zonewright.yml, inputs: { snapshot: "refs/zonewright/targets/{target}" } }
    "
  `);
});

test("pins the action of the workflows to the commit of the package, or says that it is missing", () => {
  const uses = (commit: string | undefined) => {
    const { files, notes } = ciFiles("github", { commit, isTwoPeople: true });
    const lines = files.flatMap(({ text }) => text.match(/zonewright\/zonewright@.*/g) ?? []);
    return { lines: [...new Set(lines)], notes };
  };
  const commit = "0123456789abcdef0123456789abcdef01234567";
  expect(uses(commit)).toEqual({ lines: [`zonewright/zonewright@${commit} # v0.2.0`], notes: [] });
  expect(uses(undefined)).toEqual({
    lines: ["zonewright/zonewright@0000000000000000000000000000000000000000 # placeholder: the commit of a release"],
    notes: [
      "the workflows do not run yet: replace the zeros behind `uses: zonewright/zonewright@` by the commit of a release",
    ],
  });
});

test("writes the jobs of GitLab beside an existing pipeline, and says how to include them", async () => {
  const desk = new Desk();
  await desk.run("init --from empty --ci gitlab --yes");
  expect(desk.read(".gitlab-ci.yml")).toBe(
    "# Checks, plans and applies the zones of this repository.\ninclude:\n  - local: .gitlab/zonewright.yml\n",
  );
  const template = readFileSync(join(import.meta.dirname, "../../templates/zonewright.yml"), "utf8");
  expect(desk.read(".gitlab/zonewright.yml")).toBe(template);
  const existing = new Desk({ ".gitlab-ci.yml": "test: { script: [make] }\n" });
  expect((await existing.run("init --from empty --ci gitlab --yes")).out).toContain(
    "kept   .gitlab-ci.yml: add this to include it: `include: [{ local: .gitlab/zonewright.yml }]`\n",
  );
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
  expect(desk.questions).toEqual(["1 to 5 [1]: ", "1 to 2 [1]: ", "Name of your first zone [example.com]: "]);
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
    "error: init asks questions, and there is no terminal: add --yes, with --from api, --from rfc2136, --from powerdns, --from empty or the path of your zone files, and --format yaml or bind.\n",
  ],
  ["init bind --from api --yes", "error: --from api reads no files: leave out bind.\n"],
  ["init --from files --yes", "error: --from files needs the path of the files: `zonewright init FOLDER`.\n"],
  [
    "init --zone example.com --yes",
    "error: --zone names zones of a name server, or the example that --from empty writes.\n",
  ],
])("%s is a usage error", async (command, talk) => {
  const desk = new Desk();
  expect(await desk.run(command)).toEqual({ code: 64, out: "", talk });
  expect(desk.files()).toEqual({});
});

test("existing files stay as they are", async () => {
  const existing = { ".gitignore": "node_modules/\n", "zonewright.yaml": "zones: [dns]\n", "acks.yaml": "[]\n" };
  const desk = new Desk(existing);
  const { out } = await desk.run("init --from empty --yes");
  expect(out).toContain("kept   .gitignore: add the lines .zonewright/ and .*.part\n");
  expect(desk.files()).toMatchObject({ ...existing, "dns/example.com.yaml": expect.anything() });
});

/** Hostile folders: the files before, and the answer. */
const hostile: [what: string, prepare: (desk: Desk) => void, code: number, says: RegExp][] = [
  [
    "a zone file that is a link to nothing",
    ({ folder }) => {
      mkdirSync(join(folder, "zones"));
      symlinkSync("/nonexistent/zone", join(folder, "zones/example.com.yaml"));
    },
    3,
    /^error\[file-read\] zones\/example\.com\.yaml cannot be read: it is a link to a file that does not exist$/m,
  ],
  [
    "a folder of zones that is a link to nothing",
    ({ folder }) => symlinkSync("/nonexistent/zones", join(folder, "zones")),
    1,
    /^error\[file-write\] zones\/example\.com\.yaml cannot be written: /m,
  ],
  [
    "a link out of the folder",
    (desk) => {
      desk.write("elsewhere", "mine\n");
      mkdirSync(join(desk.folder, "zones"));
      symlinkSync("../elsewhere", join(desk.folder, "acks.yaml"));
      symlinkSync(join(desk.folder, "elsewhere"), join(desk.folder, ".gitignore"));
    },
    0,
    /^kept {3}\.gitignore: add the lines \.zonewright\/ and \.\*\.part$/m,
  ],
  [
    "a folder in the place of a zone file",
    ({ folder }) => mkdirSync(join(folder, "zones/example.com.yaml"), { recursive: true }),
    1,
    /^error\[file-write\] zones\/example\.com\.yaml cannot be written: it is not a regular file$/m,
  ],
  [
    "a file in the place of the folder of zones",
    (desk) => desk.write("zones", "mine\n"),
    3,
    /^error\[zones-folder\] the zones folder zones cannot be read: a file is in the place of a folder$/m,
  ],
  [
    "a pipe in the place of a zone file",
    ({ folder }) => {
      mkdirSync(join(folder, "zones"));
      execFileSync("mkfifo", [join(folder, "zones/example.com.yaml")]);
    },
    1,
    /^error\[file-write\] zones\/example\.com\.yaml cannot be written: it is not a regular file$/m,
  ],
  [
    "pipes in the place of acks.yaml and .gitignore",
    ({ folder }) => execFileSync("mkfifo", [join(folder, "acks.yaml"), join(folder, ".gitignore")]),
    0,
    /^kept {3}\.gitignore: it is not a regular file$/m,
  ],
  [
    "a pipe in the place of zonewright.yaml",
    ({ folder }) => execFileSync("mkfifo", [join(folder, "zonewright.yaml")]),
    3,
    /^error\[config-read\] the config zonewright\.yaml cannot be read: it is a named pipe$/m,
  ],
];

test.each(hostile)("%s stays as it is", async (_, prepare, code, says) => {
  const desk = new Desk();
  prepare(desk);
  const before = entriesOf(desk.folder);
  const result = await desk.run("init --from empty --yes");
  expect(result.out + result.talk).toMatch(says);
  expect(result.code).toBe(code);
  expect(entriesOf(desk.folder)).toMatchObject(before);
});

/** Each entry below a folder: its kind, the target of a link, the text of a file. */
function entriesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const stats = lstatSync(path);
      const text = stats.isSymbolicLink() ? readlinkSync(path) : stats.isFile() ? readFileSync(path, "utf8") : "";
      return [path, `${stats.mode.toString(8)} ${text}`];
    }),
  );
}

test("hostile names of files and zones stay inside the folder, and are shown escaped", async () => {
  const text =
    "$ORIGIN \\046\\046\\047a\\047\\046\\046.example.\n$TTL 1h\n@ IN SOA ns1 h 1 4h 1h 2w 1h\nwww IN A 192.0.2.1\n";
  const desk = new Desk({ "bind/line\nfeed\u001b[31m.zone": text, "bind/..zone": text.replaceAll("example", "test") });
  const { code, out } = await desk.run("init bind --format yaml --yes");
  expect([code, out.match(/^wrote {2}zones.*$/gm)]).toEqual([0, ["wrote  zones/%5c.%5c.%2fa%2f%5c.%5c..example.yaml"]]);
  expect(await desk.run("init --from empty --zone ../../x --yes")).toMatchObject({ code: 3 });
});

test("a file that another process creates meanwhile is not replaced, and the next run keeps it", async () => {
  const desk = new Desk();
  const { signal } = new AbortController();
  const files = ["a", "b", "c"].map((file) => ({ file, text: "new\n" }));
  const onProgress = ({ done }: { done: number }) => {
    if (done === 2) desk.write("b", "mine\n");
  };
  const written = writeNewFiles({ cwd: desk.folder, signal, onProgress }, files, "");
  await expect(written).rejects.toThrow("b was created by another process meanwhile");
  expect(desk.files()).toEqual({ a: "new\n", b: "mine\n" });
});

test("killed in the middle, no file is half written, and the next run adds what is missing", async () => {
  const zone = "$TTL 1h\n@ IN SOA ns1 h 1 4h 1h 2w 1h\nwww IN A 192.0.2.1\n";
  const names = Array.from({ length: 200 }, (_, index) => `z${index}.example.zone`);
  const desk = new Desk(Object.fromEntries(names.map((name) => [`bind/${name}`, zone])));
  const program = new Program(desk.folder, "init bind --format bind --yes");
  while (!existsSync(join(desk.folder, "zones"))) await new Promise((resolve) => setTimeout(resolve, 1));
  program.kill("SIGKILL");
  expect((await program.end()).code).toBe("SIGKILL");
  const texts = () => Object.entries(desk.files()).filter(([file]) => /^zones\/[^.]/.test(file));
  for (const [file, text] of texts()) expect(text, file).toBe(zone);
  expect((await desk.run("init bind --format bind --yes")).code).toBe(0);
  expect(texts().map(([, text]) => text)).toEqual(names.map(() => zone));
});

test("two at once write every file once, and none of them half", async () => {
  const desk = new Desk();
  const both = [0, 1].map(() => new Program(desk.folder, "init --from empty --yes").end());
  const codes = (await Promise.all(both)).map(({ code }) => code);
  expect([0, 1].every((code) => codes.includes(code)) || codes.every((code) => code === 0)).toBe(true);
  const alone = new Desk();
  await alone.run("init --from empty --yes");
  await desk.run("init --yes");
  expect(desk.files()).toEqual(alone.files());
});

/** Runs a program on a terminal of its own, ends the input before or after the first question, and prints its end. */
const pty = `
import os, pty, sys
for when in ("before", "after"):
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:])
    shown = b""
    if when == "before":
        os.write(fd, b"\x04")
    try:
        while True:
            read = os.read(fd, 4096)
            if when == "after" and b"]: " in read:
                os.write(fd, b"\x04")
            shown += read
    except OSError:
        pass
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), b"the input ended before all questions" in shown)
`;

test.skipIf(isMissing("python3"))("ends when the input of the terminal ends", () => {
  const desk = new Desk();
  const words = ["-c", pty, ...programWords, "init"];
  const { stdout } = spawnSync("python3", words, { cwd: desk.folder, encoding: "utf8", timeout: 20_000 });
  expect(stdout).toBe("64 True\n64 True\n");
  expect(desk.files()).toEqual({});
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

test.each<[string, config: string, directory: string, folder: string, ttl: number | string, path?: string]>([
  ["in its folder, for octoDNS that runs there", "config/production.yaml", "./", "config", 600],
  ["in its folder, for octoDNS that runs above", "config/production.yaml", "./config", "config", 600],
  ["above, for octoDNS that runs there", "production.yaml", "dns/zones", "dns/zones", 600],
  ["in the folder of all", "production.yaml", ".", ".", 600],
  ["beside, for octoDNS that runs there", "octo/production.yaml", "zones", "octo/zones", 600],
  ["for a folder of another machine", "production.yaml", "/app/zones", "zones", 600],
  ["below", "config/production.yaml", "./", ".", 600],
  ["in another folder", "config/octodns/production.yaml", "./zones", "zones", 600, "."],
  ["in YAML 1.1", "production.yaml", "./zones", "zones", "0600"],
])("init finds default_ttl of octoDNS's configuration %s", async (...row) => {
  const [, config, directory, folder, ttl, path = folder] = row;
  const desk = new Desk({
    [config]: lines`
      providers:
        other:
          class: octodns.provider.yaml.YamlProvider
          directory: ./other
          default_ttl: 60
        config:
          class: octodns.provider.yaml.YamlProvider
          directory: ${directory}
          default_ttl: ${ttl}
      zones:
        example.com.: { sources: [config], targets: [hosted] }
    `,
    [join(folder, "example.com.yaml")]: "www: { type: A, value: 192.0.2.1 }\n",
  });
  const { code } = await desk.run(`init ${path} --soa-email a@example.com --yes`);
  expect([code, /default_ttl: \d+/.exec(desk.read("zonewright.yaml"))?.[0]]).toEqual([
    0,
    `default_ttl: ${ttl === 600 ? 600 : 384}`,
  ]);
});
