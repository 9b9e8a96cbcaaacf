import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isMissing } from "../judges.ts";
import { key } from "../updates/servers.ts";
import { gitIn } from "./git.ts";
import { keyText, primaryDesk } from "./primary-desk.ts";
import { Desk } from "./run.ts";

/** Adds a record with the tools of the server. */
function addByHand(port: number, record: string): void {
  const input = `server 127.0.0.1 ${port}\nzone z01.example\nkey hmac-sha256:${key.name} ${key.secret}\nupdate add ${record}\nsend\n`;
  execFileSync("nsupdate", { input });
}

test.skipIf(isMissing("named", "knotd", "dig")).each(["BIND", "Knot"] as const)(
  "drift, compare, export, verify and undo work on %s, and other commands name the way",
  async (configuration) => {
    const { desk, at, port } = await primaryDesk(configuration);
    const init = await desk.run(
      `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
    );
    expect(init).toMatchObject({ code: 0, talk: "" });
    const file = "zones/z01.example.yaml";
    desk.write(file, desk.read(file).replace("192.0.2.20", "192.0.2.21"));
    const runs: string[] = [];
    const run = async (command: string) => {
      const { code, out, talk } = await desk.run(command);
      runs.push(`$ ${command.replace(at, "SERVER")}\n${out}${talk}[${code}]\n`);
    };
    await run("drift");
    await run("drift --write");
    await run("apply --yes");
    await run(`verify --nameserver ${at}`);
    addByHand(port, "new.z01.example 300 A 192.0.2.99");
    await run("drift");
    await run("plan");
    await run("apply");
    await run("compare live zones");
    await run("drift --write");
    await run("plan");
    const [, id = ""] = /^(\S+)/.exec((await desk.run("runs")).out) ?? [];
    await run(`undo ${id} --yes`);
    await run("export --live --to records z01.example");
    await run("snapshot --out live.json");
    await run("plan --against live.json");
    await run("drift --snapshot live.json");
    await run("import remote z01.example --from 192.0.2.53");
    await run("api list-domains");
    await run("plan --delete-zone z02.example");
    desk.write("zones/z09.example.yaml", "records: { www: { A: 192.0.2.1 } }\n");
    await run("plan");
    const shown = runs
      .join("\n")
      .replaceAll(id, "RUN")
      .replaceAll(/ of [\d-]+T[\d:]+Z;/g, " of TIME;");
    expect(shown).toMatchInlineSnapshot(`
      "$ drift
      last known state of 0 of 1 zone; 1 zone read, without a log of events
      z01.example
        differs   host A  git 300 192.0.2.21, live 300 192.0.2.20
      note  z01.example has no baseline, so changes in git cannot be told from changes elsewhere: no run of this checkout has written to it
        The next apply that writes to it saves one.
      drift: 1 difference in 1 of 1 zone · 2 requests
      [0]

      $ drift --write
      last known state of 0 of 1 zone; 1 zone read, without a log of events
      z01.example
        differs   host A  git 300 192.0.2.21, live 300 192.0.2.20
      note  z01.example has no baseline, so changes in git cannot be told from changes elsewhere: no run of this checkout has written to it
        The next apply that writes to it saves one.
      drift: 1 difference in 1 of 1 zone · 2 requests
      not written: z01.example host A: nothing tells whether it was changed in git or outside
      [5]

      $ apply --yes
      z01.example                               ~1 change
        1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
      note  no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects 96bb2922 · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      z01.example: 1 write
      z01.example: done
      [0]

      $ verify --nameserver SERVER
      pass          z01.example  name server: 14 records as in the file
      pass          z01.example  zone file: serial 2, 11 RRsets as stored
      pass          z01.example  SERVER: serial 2, 11 RRsets answered
      [0]

      $ drift
      last known state of 1 of 1 zone; 1 zone read, without a log of events
      z01.example
        foreign   new A  300 192.0.2.99
                  author unknown: the service keeps no log of events
      drift: 1 addition outside git in 1 of 1 zone · 2 requests
      [0]

      $ plan
      z01.example                               -1 delete
        1 - delete  new  A  300  192.0.2.99  undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects 8d8be765 · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      [0]

      $ apply
      z01.example                               -1 delete
        1 - delete  new  A  300  192.0.2.99  undoes a change made outside git, author unknown: the service keeps no log of events  caches may keep it for up to 5 minutes
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects 8d8be765 · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      error: no terminal to confirm on: review the plan, then run the same command with --yes.
      [64]

      $ compare live zones
      A live
      B zones
      z01.example: differs
        only in A  new A 300 192.0.2.99
        ignored: @ SOA (every service sets its own)
      1 zone: 0 equal, 1 different, 0 incomplete
      [2]

      $ drift --write
      last known state of 1 of 1 zone; 1 zone read, without a log of events
      z01.example
        foreign   new A  300 192.0.2.99
                  author unknown: the service keeps no log of events
      drift: 1 addition outside git in 1 of 1 zone · 2 requests
      1 change of z01.example written to zones/z01.example.yaml
      To keep these changes, commit the files. To restore the zones, revert the files and run \`zonewright apply\`.
      [0]

      $ plan
      in sync: 1 zone, nothing to do
      [0]

      $ undo RUN --yes
      z01.example                               ~1 change
        1 ~ change  host  A  300  192.0.2.21 → 192.0.2.20  updated in place; caches may keep the old value for up to 5 minutes
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects 18abe132 · 2 reads
      apply sends 1 write and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      z01.example: 1 write
      z01.example: done
      [0]

      $ export --live --to records z01.example
      a.tree.z01.example. 300 IN A 192.0.2.30
      alias.z01.example. 300 IN CNAME www.z01.example.
      dname.z01.example. 300 IN DNAME example.net.
      host.z01.example. 300 IN A 192.0.2.20
      new.z01.example. 300 IN A 192.0.2.99
      ns1.z01.example. 300 IN A 192.0.2.1
      ns2.z01.example. 300 IN A 192.0.2.2
      ns3.z01.example. 300 IN A 192.0.2.3
      ns4.z01.example. 300 IN A 192.0.2.4
      www.z01.example. 300 IN A 192.0.2.10
      www.z01.example. 300 IN A 192.0.2.11
      z01.example. 300 IN MX 10 host.z01.example.
      z01.example. 300 IN NS ns1.z01.example.
      z01.example. 300 IN NS ns2.z01.example.
      z01.example. 300 IN SOA ns1.z01.example. hostmaster.z01.example. 4 3600 600 86400 60
      [0]

      $ snapshot --out live.json
      1 zone with 15 records in live.json
      [0]

      $ plan --against live.json
      z01.example                               ~1 change
        1 ~ change  host  A  300  192.0.2.20 → 192.0.2.21  updated in place; caches may keep the old value for up to 5 minutes  zones/z01.example.yaml:15
      note  the service refuses a write if someone else changed its RRsets since they were read, except for their TTLs
      plan: 1 change in 1 of 1 zone · effects 96bb2922 · 0 reads
      apply sends 1 write and 5 reads
      [0]

      $ drift --snapshot live.json
      snapshot live.json of TIME; all zones read (the service keeps no log of events)
      drift: none, 1 pending change in 1 of 1 zone · 2 requests
      \`zonewright plan\` lists the pending changes
      [0]

      $ import remote z01.example --from 192.0.2.53
      error: import remote asks a service to transfer zones, and a name server does not do that: use \`zonewright import axfr\`.
      [64]

      $ api list-domains
      error: this calls the API, and the target office is of the kind rfc2136.
      [64]

      $ plan --delete-zone z02.example
      error[delete-zone-unknown] zones of the name server cannot be deleted by zonewright
        Leave out --delete-zone, and have the operator of the service remove the zone.
      [3]

      $ plan
      error[zone-not-creatable] z09.example does not exist on the name server, where zones cannot be created
        Have the operator of the service add the zone, or use a key of the view that has it. Then plan again. To take the other zone, use --skip-invalid.
      [3]
      "
    `);
    expect(desk.read(file)).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../schemas/zone.schema.json
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
          A: 192.0.2.21
        new:
          A: 192.0.2.99
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
  },
);

test.skipIf(isMissing("named"))("verify says how to name a server, and speaks of no other service", async () => {
  const { desk, at } = await primaryDesk("BIND");
  await desk.run(`init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --yes`);
  const { code, out, talk } = await desk.run("verify --wait 0s");
  expect(`${code}\n${out}${talk}`).toMatchInlineSnapshot(`
    "7
    pass          z01.example  name server: 14 records as in the file
    pass          z01.example  zone file: serial 1, 11 RRsets as stored
    pass          z01.example  SERVER: serial 1, 11 RRsets answered
    inconclusive  z01.example  servers: no addresses of its name servers were found
    Name a server to ask with \`--nameserver HOST:PORT\`.
    "
  `);
});

test.skipIf(isMissing("named"))("doctor warns of a key file that all users can read", async () => {
  const { desk, at } = await primaryDesk("BIND");
  desk.write(
    "zonewright.yaml",
    `targets: { office: { kind: rfc2136, server: "${at}", tsig_key_file: keys/office } }\n`,
  );
  desk.write("zones/z01.example.zone", "@ 300 NS ns1\n");
  const warnings = async (mode: number, env = {}) => {
    chmodSync(join(desk.folder, "keys/office"), mode);
    const { out } = await desk.run("doctor", { env });
    return (out.match(/^warn +key .*\n.*/gm) ?? []).join("").replaceAll(/ {2,}/g, " ");
  };
  const warned = (mode: string) =>
    `warn key keys/office can be used by all users of this machine: its mode is ${mode}\n Run \`chmod 600 keys/office\`.`;
  expect([await warnings(0o600), await warnings(0o640), await warnings(0o644), await warnings(0o602)]).toEqual([
    "",
    "",
    warned("0644"),
    warned("0602"),
  ]);
  expect(await warnings(0o644, { ZONEWRIGHT_OFFICE_TSIG_KEY: keyText })).toBe("");
});

test.skipIf(isMissing("named", "dig"))("compare shows name servers of a zone whose NS records are ours", async () => {
  const { desk, at, port } = await primaryDesk("BIND");
  await desk.run(
    `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
  );
  addByHand(port, "z01.example 300 NS ns9.example.net");
  expect((await desk.run("compare zones live")).out).toMatchInlineSnapshot(`
    "A zones
    B live
    z01.example: differs
      RDATA      @ NS 300
                 + ns9.example.net.
      ignored: @ SOA (every service sets its own)
    1 zone: 0 equal, 1 different, 0 incomplete
    "
  `);
  expect((await desk.run(`compare @${at} zones --tsig-key keys/office`)).out).toMatchInlineSnapshot(`
    "A @SERVER
    B zones
    z01.example: differs
      RDATA      @ NS 300
                 - ns9.example.net.
      ignored: @ SOA (every service sets its own)
      27 questions asked: 1 answer differs, 1 of them because of the records above
    1 zone: 0 equal, 1 different, 0 incomplete
    "
  `);
  desk.write("zonewright.yaml", desk.read("zonewright.yaml").replace(at, "192.0.2.53"));
  expect((await desk.run(`compare @${at} zones --tsig-key keys/office`)).out).toMatchInlineSnapshot(`
    "A @SERVER
    B zones
    z01.example: equal
      ignored: @ NS, @ SOA (every service sets its own)
      27 questions asked: no answer differs
    1 zone: 1 equal, 0 different, 0 incomplete
    "
  `);
});

test.skipIf(isMissing("named", "dig"))(
  "a published snapshot is of the same view, and validate needs none",
  async () => {
    const { desk, at, port } = await primaryDesk("BIND");
    await desk.run(
      `init --from rfc2136 ${at} --zone z01.example --tsig-key keys/office --target office --format yaml --yes`,
    );
    gitIn(desk.folder)("init", "-q");
    const publish = async () => (await desk.run("snapshot --ref refs/zonewright/targets/office")).talk;
    expect(await publish()).toMatch(/^1 zone with 14 records in refs\/zonewright\/targets\/office \(\w{12}\)\n$/);
    expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 1 zone, 13 records\n", talk: "" });
    addByHand(port, "z01.example 300 NS ns9.example.net");
    expect(await publish()).toMatchInlineSnapshot(`
      "error[primary-changed] z01.example: the name servers are ns1.z01.example, ns2.z01.example, ns9.example.net, and were ns1.z01.example, ns2.z01.example in the published snapshot
        If git has the change, update the checkout, and the snapshot with \`git fetch origin +refs/zonewright/targets/office:refs/zonewright/targets/office\`. Otherwise \`zonewright drift z01.example\` shows the changes. If that is meant, \`zonewright drift z01.example --accept-primary\` accepts the primary and name servers, and \`zonewright snapshot --ref refs/zonewright/targets/office\` publishes them; if not, check the server and ZONEWRIGHT_OFFICE_TSIG_KEY: another key can select another view.
      "
    `);
  },
);

test.each([
  [
    "a file of the config, which CI does not read",
    ", tsig_key_file: keys/office",
    { CI: "true" },
    ": in CI, tsig_key_file is not read",
  ],
  ["a variable that is empty, as of a secret that is not set", "", { ZONEWRIGHT_OFFICE_TSIG_KEY: "" }, ""],
])("a key that is missing is told before the server is asked: %s", async (_, setting, env, why) => {
  const desk = new Desk({
    "zonewright.yaml": `targets: { office: { kind: rfc2136, server: "127.0.0.1:9"${setting} } }\n`,
    "zones/example.com.zone": "$TTL 1h\n@ NS ns1.example.net.\n@ NS ns2.example.net.\nwww A 192.0.2.1\n",
    "keys/office": `hmac-sha256:office:${key.secret}\n`,
  });
  const fix =
    why === ""
      ? "Set ZONEWRIGHT_OFFICE_TSIG_KEY, or `tsig_key_file` of the target to a file outside of git."
      : "Set ZONEWRIGHT_OFFICE_TSIG_KEY.";
  expect(await desk.run("plan", { env })).toEqual({
    code: 3,
    out: "",
    talk: `error[token-missing] no TSIG key is set for the target office${why}\n  ${fix}\n`,
  });
});
