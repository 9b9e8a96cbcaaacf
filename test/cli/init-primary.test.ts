import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { type Configuration, key } from "../updates/servers.ts";
import { keyText, primaryDesk } from "./primary-desk.ts";
import { lines } from "./run.ts";

const judges = { BIND: "named", "Knot, signed": "knotd", "PowerDNS, signed": "pdns_server" } as const;

/** A plan without changes, after notes about the server. */
const inSync = /^(?:note .*\n)*in sync: 2 zones, nothing to do\n$/;

const wholeZone = `# yaml-language-server: $schema=../schemas/zone.schema.json
zone: z01.example
ttl_sec: 5m
records:
  "@":
    NS:
      - ns1
      - ns2
    MX: 10 host
  alias:
    CNAME: www
  dname:
    DNAME: example.net.
  host:
    A: 192.0.2.20
  ns1:
    A: 192.0.2.1
  ns2:
    A: 192.0.2.2
  ns3:
    A: 192.0.2.3
  ns4:
    A: 192.0.2.4
  a.tree:
    A: 192.0.2.30
  www:
    A:
      - 192.0.2.10
      - 192.0.2.11
`;

describe.each(Object.entries(judges))("%s", (configuration, judge) => {
  test.skipIf(isMissing(judge))("init writes the zones and the target, and plan is empty", async () => {
    const { desk, at } = await primaryDesk(configuration as Configuration);
    const init = await desk.run(
      `init --from rfc2136 ${at} --zone z01.example --zone z02.example --tsig-key keys/office --target office --yes`,
    );
    expect(init).toMatchObject({ code: 0, talk: "" });
    expect(init.out).toContain("next: `zonewright plan` compares the files with the name server\n");
    expect(desk.read("zonewright.yaml")).toContain(
      `targets:\n  office: { kind: rfc2136, server: "${at}", tsig_key_file: keys/office }\n`,
    );
    expect(await desk.run("validate")).toMatchObject({ code: 0, talk: "" });
    expect((await desk.run("plan")).out).toMatch(inSync);
    expect(desk.read("zones/z01.example.yaml")).toBe(wholeZone);
  });
});

describe.skipIf(isMissing("named"))("a name server", () => {
  test("init says in a sentence what is wrong, and writes nothing", async () => {
    const { desk, at } = await primaryDesk("BIND");
    const { secret } = key;
    desk.write("keys/other", keyText.replace(secret, Buffer.from("a secret of someone else").toString("base64")));
    desk.write("keys/unknown", keyText.replace(key.name, "unknown."));
    const before = desk.files();
    const init = (words: string) => desk.run(`init --from rfc2136 ${words}`);
    const zone = "--zone z01.example";
    const results = [
      await init(`${at} ${zone} --tsig-key keys/office`),
      await init(`${zone} --tsig-key keys/office --yes`),
      await init(`${at} --tsig-key keys/office --yes`),
      await init(`${at} ${at} ${zone} --yes`),
      await init(`${at} ${zone} --tsig-key keys/other --yes`),
      await init(`${at} ${zone} --tsig-key keys/unknown --yes`),
      await init(`${at} ${zone} --tsig-key keys/missing --yes`),
      await init(`${at} ${zone} --zone z03.example --tsig-key keys/office --yes`),
      await init(`${at} ${zone} --tsig-key keys/office --target 1st --yes`),
      await desk.run(`init ${zone} --yes`),
      await desk.run("init --target office --yes"),
    ];
    expect(results.map(({ code, out, talk }) => `${code}\n${out}${talk}`).join("\n")).toMatchInlineSnapshot(`
      "64
      error: init asks questions, and there is no terminal: add --yes, with --from api, --from rfc2136, --from powerdns, --from empty or the path of your zone files, and --format yaml or bind.

      64
      error: --from rfc2136 needs the name server: \`zonewright init --from rfc2136 SERVER --zone example.com\`.

      64
      error: --from rfc2136 needs --zone: a name server does not list its zones. \`zonewright init --from rfc2136 SERVER --zone example.com\`

      64
      error: --from rfc2136 reads one name server: \`zonewright init --from rfc2136 SERVER --zone example.com\`.

      3
      error[transfer/tsig] z01.example, SERVER, key updates (hmac-sha256): the server rejected the TSIG (BADSIG)
        The server has another secret for the key: compare the secret in the key file with that of the server.

      3
      error[transfer/tsig] z01.example, SERVER, key unknown (hmac-sha256): the server rejected the TSIG (BADKEY)
        The server has no key with this name and algorithm, or does not allow it for the zone: compare both with its configuration, or add the key there.

      3
      error[token-missing] the TSIG key file keys/missing (targets.primary.tsig_key_file in zonewright.yaml) cannot be read: it does not exist
        Name a file that contains only the TSIG key.

      3
      error[zone-unknown] the name server has no zone z03.example
        Add it to the configuration of the server, or use a key of the view that has it.

      64
      error: --target: the name "1st" must begin with a letter and contain only letters, digits, _ and -.

      64
      error: --zone names zones of a name server, or the example that --from empty writes.

      64
      error: --target belongs to a name server: add --from rfc2136 SERVER, or --from powerdns URL.
      "
    `);
    expect(desk.files()).toEqual(before);
  });

  test("init names the target after the server, takes the key from the environment, and asks at a terminal", async () => {
    const { desk, at } = await primaryDesk("BIND");
    desk.env.ZONEWRIGHT_TSIG_KEY = keyText;
    const answer = ["4", at, "z01.example z02.example", "-", "2"];
    const { code, out, talk } = await desk.run("init", { answer });
    expect(`${code}\n${out}${talk}`).toMatchInlineSnapshot(`
      "0
      wrote  zones/z01.example.zone
      wrote  zones/z02.example.zone
      wrote  schemas/config.schema.json
      wrote  zonewright.yaml
      wrote  acks.yaml
      kept   .gitignore: add the lines .zonewright/ and .*.part

      2 zones, 26 records
      more: \`zonewright init --ci github\` adds workflows for pull requests; or \`--ci gitlab\`
            \`zonewright init --template NAME\` copies records that zones share:
            google-workspace, microsoft-365, no-mail, security
      next: \`zonewright plan\` compares the files with the name server
      Where are your zones now?
        1  in the account of an API: import them
        2  in files: BIND, octoDNS or zonewright
        3  nowhere yet: start with an example
        4  on a name server that takes dynamic updates: transfer them
        5  on a PowerDNS with its API: import them
      Which format should the zone files have?
        1  YAML: checked by your editor as you type
        2  BIND zone files
      "
    `);
    expect(desk.questions).toMatchInlineSnapshot(`
      [
        "1 to 5 [1]: ",
        "Name server [127.0.0.1]: ",
        "Zones, with spaces between [example.com]: ",
        "File with the TSIG key, outside of git; - for none [-]: ",
        "1 to 2 [1]: ",
      ]
    `);
    expect(desk.read("zonewright.yaml").replace(at, "SERVER")).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=./schemas/config.schema.json
      # Settings of zonewright for this folder. All are optional; lines that begin with "#" show examples.

      # The name server of the zones. Its TSIG key is never in a file of this repository: it is in a file elsewhere, which
      # tsig_key_file names, or in the environment variable ZONEWRIGHT_PRIMARY_TSIG_KEY.
      targets:
        primary: { kind: rfc2136, server: "SERVER" }

      # The folders with zone files. Each zone is one file, such as example.com.yaml or example.com.zone.
      zones: zones

      # Settings of zones that do not set them themselves.
      # defaults:
      #   ttl_sec: 1h # the TTL of records that name none

      # "all": records that a zone file does not list are deleted. "listed": only the names and types that it lists are
      # managed, and everything else stays. A zone may set this itself.
      # manage: all

      # The severity of rules: error, warning, note or off. \`zonewright explain\` lists the rules.
      # rules:
      #   private-address: off

      # A plan that exceeds these thresholds is blocked until someone approves it. \`zonewright explain G01\` describes the guard.
      # guards:
      #   run_deletes: 25
      "
    `);
    expect(desk.read("zones/z01.example.zone")).toMatchInlineSnapshot(`
      ";@ implicit: SOA
      $ORIGIN z01.example.
      $TTL 5m
      @      IN SOA   ns1 hostmaster 1 14400 14400 1209600 300
      @      IN NS    ns1
      @      IN NS    ns2
      @      IN MX    10 host
      alias  IN CNAME www
      dname  IN DNAME example.net.
      host   IN A     192.0.2.20
      ns1    IN A     192.0.2.1
      ns2    IN A     192.0.2.2
      ns3    IN A     192.0.2.3
      ns4    IN A     192.0.2.4
      a.tree IN A     192.0.2.30
      www    IN A     192.0.2.10
      www    IN A     192.0.2.11
      "
    `);
    expect((await desk.run("plan")).out).toMatch(inSync);
    expect((await desk.run(`init --from rfc2136 ${at} --zone z01.example --yes`)).out).toContain("nothing to do");
    const other = await desk.run("init --from rfc2136 ns0.example.net --zone z01.example --yes");
    expect(`${other.code}\n${other.talk}`).toMatchInlineSnapshot(`
      "64
      error: zonewright.yaml exists, and has no target "ns0" with this server. Add \`ns0: { kind: rfc2136, server: ns0.example.net }\` to its \`targets:\` and \`{ path: ns0, targets: ns0 }\` to its \`zones:\`, where every other folder needs \`targets\` as well. Then run \`zonewright import axfr --target ns0\` with the zones.
      "
    `);
  });

  test("a key file inside the folder gets a line of .gitignore, if git does not ignore it", async () => {
    const ignored = async (before: string | undefined, key: string, isInGit = true) => {
      const { desk, at } = await primaryDesk("BIND");
      rmSync(join(desk.folder, ".gitignore"));
      if (before !== undefined) desk.write(".gitignore", before);
      desk.write(key, keyText);
      if (isInGit) execFileSync("git", ["init"], { cwd: desk.folder, stdio: "ignore" });
      const init = `init --from rfc2136 ${at} --zone z01.example --yes --tsig-key`;
      const { out, talk } = await desk.run([...init.split(" "), key]);
      const said = out.match(/^.*\.gitignore.*$/m)?.[0];
      return [said, talk, before === undefined ? desk.read(".gitignore").split("\n").slice(1) : []];
    };
    const note = (file: string) =>
      `note  ${file} is in a git repository: move the key outside, or add the file to .gitignore before you commit\n`;
    const [folder, part] = [".zonewright/", ".*.part"];
    expect([
      await ignored(undefined, "keys/office"),
      await ignored(undefined, "keys/of fice*", false),
      await ignored("", "keys/office"),
      await ignored(`${folder}\n${part}\n`, "keys/office"),
      await ignored(`/${folder}\n${part}\nkeys/\n`, "keys/office"),
      await ignored(`${folder}\n/keys/office\n`, "keys/office", false),
    ]).toEqual([
      ["wrote  .gitignore", "", [folder, part, "/keys/office", ""]],
      ["wrote  .gitignore", "", [folder, part, "/keys/of\\ fice\\*", ""]],
      [`kept   .gitignore: add the lines ${folder} and ${part} and /keys/office`, note("keys/office"), []],
      ["kept   .gitignore: add the line /keys/office", note("keys/office"), []],
      ["kept   .gitignore", "", []],
      [`kept   .gitignore: add the line ${part}`, "", []],
    ]);
  });

  test("a key file in the repository is a note, and a committed one is refused", async () => {
    const { desk, at } = await primaryDesk("BIND");
    const git = (...words: string[]) => execFileSync("git", words, { cwd: desk.folder, stdio: "ignore" });
    git("init");
    desk.write(".gitignore", "");
    const init = `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --yes`;
    const first = await desk.run(init);
    git("add", "keys/office");
    const second = await desk.run(init);
    expect(`${first.code}\n${first.talk}${second.code}\n${second.talk}`).toMatchInlineSnapshot(`
      "0
      note  keys/office is in a git repository: move the key outside, or add the file to .gitignore before you commit
      3
      error[token-missing] the TSIG key file of the target primary is committed
        Keep it outside of git, and replace the TSIG key: it is in the history.
      "
    `);
  });

  test("import axfr takes the server and the key of a target, and writes into its folder", async () => {
    const { desk, at } = await primaryDesk("BIND");
    desk.write(
      "zonewright.yaml",
      lines`
        targets:
          public: { kind: api, url: "http://127.0.0.1:9" }
          office: { kind: rfc2136, server: "${at}", tsig_key_file: keys/office }
        zones:
          - { path: zones, targets: public }
          - { path: inside, targets: office }
      `,
    );
    const runs = [
      await desk.run("import axfr z01.example --target office"),
      await desk.run("import axfr z01.example --target public"),
      await desk.run("import axfr z01.example"),
      await desk.run("plan --target office"),
    ];
    expect(runs.map(({ code, out, talk }) => `${code}\n${out}${talk}`).join("\n")).toMatchInlineSnapshot(`
      "0
      wrote inside/z01.example.yaml: 14 records (13 exact, 1 left to the service)

      1 zone: 1 written, 0 unchanged, 0 kept, 0 failed
      14 records (13 exact, 1 left to the service)
      left to the service: the server keeps its own SOA record, and makes DNSSEC records itself

      64
      error: --from is missing: the target public is of kind api, from which zones are not transferred. Name the server to transfer from, or a name server with --target.

      64
      error: --from is missing. Name the server to transfer from, or a name server with --target.

      0
      note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
      in sync: 1 zone, nothing to do
      "
    `);
    expect(desk.read("inside/z01.example.yaml").replace(at, "SERVER")).toMatchInlineSnapshot(`
      "# Transferred from SERVER, serial 1
      zone: z01.example
      ttl_sec: 5m
      records:
        "@":
          NS:
            - ns1
            - ns2
          MX: 10 host
        alias:
          CNAME: www
        dname:
          DNAME: example.net.
        host:
          A: 192.0.2.20
        ns1:
          A: 192.0.2.1
        ns2:
          A: 192.0.2.2
        ns3:
          A: 192.0.2.3
        ns4:
          A: 192.0.2.4
        a.tree:
          A: 192.0.2.30
        www:
          A:
            - 192.0.2.10
            - 192.0.2.11
      "
    `);
  });
});
