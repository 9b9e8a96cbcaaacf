import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { binaries, type Program } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { startFileServer } from "../targets/files/file-servers.ts";
import { Fleet, master } from "../targets/files/fleet.ts";
import { readPage } from "./page.ts";

const page = readPage("docs/name-servers.md");

/** The lines of the page for a server, with another folder. */
function linesFor(kind: string, config: string, folder: string): string {
  const block = page.split(`\`\`\`${kind}\n# ${config}, for zone files\n`)[1]?.split("```")[0];
  return (block ?? expect.fail(config)).replaceAll("/srv/zones", folder);
}

/** The program of a setting of the page, with the control of a server that the test started. */
function programOf(setting: string, name: string): string[] {
  const [, words = ""] = new RegExp(`\`${setting}: \\[(${name},.*?)\\]\``).exec(page) ?? [];
  return words.split(", ").map((word) => word.replaceAll('"', ""));
}

const quoted = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;

interface Server {
  readonly lines: (folder: string) => string;
  readonly check: string;
  readonly control: string;
  readonly owner: string;
}

const servers: Record<Program, Server> = {
  bind: {
    lines: (folder) => linesFor("text", "named.conf", folder),
    check: "named-checkzone",
    control: "rndc",
    owner: "ok    owner       BIND does not write the file of example.com\n",
  },
  knot: {
    lines: (folder) => linesFor("yaml", "knot.conf", folder),
    check: "kzonecheck",
    control: "knotc",
    owner: "ok    owner       Knot does not write the file of example.com\n",
  },
  nsd: {
    lines: (folder) => linesFor("text", "nsd.conf", folder),
    check: "nsd-checkzone",
    control: "nsd-control",
    owner: "ok    owner       NSD does not write the file of example.com\n",
  },
};

/** A fleet with a server of its own that loads its files. */
async function start(program: Program, text: (folder: string) => string) {
  const fleet = new Fleet({ "example.com.zone": master() }, 'reload: ["true"]');
  expect((await fleet.apply()).code).toBe(0);
  fleet.write("other/example.com.zone", fleet.read("srv/example.com.zone"));
  const server = await startFileServer(program, {}, text(join(fleet.folder, "srv")));
  onTestFinished(() => server.stop());
  const { check, control } = servers[program];
  const reload = programOf("reload", control);
  // The words of the page after those that reach the server of the test.
  const command = reload.findIndex((word) => /reload$/.test(word));
  expect(server.reload.slice(-2)).toEqual(reload.slice(command));
  fleet.configure(
    `check: ${quoted(programOf("check", check))}, reload: ${quoted(server.reload)}, verify_at: "127.0.0.1:${server.port}"`,
  );
  fleet.at(new Date().toISOString());
  fleet.shown.push([`127.0.0.1:${server.port}`, "127.0.0.1:5300"]);
  return fleet;
}

for (const program of Object.keys(servers) as Program[])
  describe.skipIf(isMissing(binaries[program]))(program, () => {
    const { lines, owner } = servers[program];

    test("docs/name-servers.md: the lines let zonewright plan, apply, verify and examine", async () => {
      const fleet = await start(program, lines);
      fleet.write("zones/example.com.zone", master("192.0.2.4"));
      fleet.at(new Date(Date.now() + 5_000).toISOString());
      expect((await fleet.run("apply --yes --verify")).out).toContain(
        `pass          example.com  127.0.0.1:5300: serial ${fleet.serial()}, 1 RRsets answered\n`,
      );
      expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
      const { out } = await fleet.run("doctor");
      expect(out).toContain("ok    server      127.0.0.1:5300 has the serials of the file\n");
      expect(out).toContain(owner);
    });
  });

test
  .skipIf(isMissing("named", "knotd"))
  .each<[title: string, program: Program, lines: (folder: string) => string, doctor: string]>([
    [
      "BIND with allow-update",
      "bind",
      (folder) => `zone "example.com" { type primary; file "${folder}/example.com.zone"; allow-update { any; }; };\n`,
      "fail  owner       BIND takes dynamic updates of example.com, so it writes the file itself and refuses to reload it\n",
    ],
    [
      "BIND with another file",
      "bind",
      (folder) => `zone "example.com" { type primary; file "${folder}/../other/example.com.zone"; };\n`,
      "fail  owner       BIND loads example.com from ",
    ],
    [
      "Knot that writes the file",
      "knot",
      (folder) => `zone:\n  - domain: example.com\n    file: ${folder}/example.com.zone\n    zonefile-sync: 0\n`,
      "fail  owner       Knot writes the file of example.com itself (zonefile-sync: 0)\n",
    ],
    [
      "Knot that counts serials of its own",
      "knot",
      (folder) =>
        `zone:\n  - domain: example.com\n    file: ${folder}/example.com.zone\n    zonefile-load: difference-no-serial\n    journal-content: all\n`,
      "fail  owner       Knot does not take the serials of the file of example.com as they are (zonefile-load: difference-no-serial)\n",
    ],
    [
      "Knot without a journal",
      "knot",
      (folder) => `zone:\n  - domain: example.com\n    file: ${folder}/example.com.zone\n    journal-content: none\n`,
      "warn  owner       Knot keeps no changes of example.com (journal-content: none), so secondaries transfer the whole zone each time\n",
    ],
  ])("doctor finds %s", async (_, program, lines, doctor) => {
  const fleet = await start(program, lines);
  expect((await fleet.run("doctor")).out).toContain(doctor);
});

test.skipIf(isMissing("named", "dig"))("two views of BIND: a target, a folder and a reload for each", async () => {
  const fleet = new Fleet({});
  const views = [
    { view: "inside", client: "127.0.0.2", address: "192.0.2.14" },
    { view: "outside", client: "any", address: "192.0.2.4" },
  ];
  const lines = views.map(
    ({ view, client }) =>
      `view "${view}" { match-clients { ${client}; }; zone "example.com" { type primary; file "${join(fleet.folder, view)}/example.com.zone"; }; };\n`,
  );
  for (const { view, address } of views) {
    fleet.write(`${view}/.keep`, "");
    fleet.write(`zones/${view}/example.com.zone`, master(address));
  }
  const server = await startFileServer("bind", {}, lines.join(""));
  onTestFinished(() => server.stop());
  const targets = views.map(
    ({ view }) => `  ${view}: { kind: files, folder: ${view}, reload: ${quoted([...server.reload, "IN", view])} }\n`,
  );
  const folders = views.map(({ view }) => `  - { path: zones/${view}, targets: ${view} }\n`);
  fleet.write("zonewright.yaml", `targets:\n${targets.join("")}zones:\n${folders.join("")}`);
  const ask = (from: string) =>
    execFileSync("dig", ["+short", `-b${from}`, "-p", String(server.port), "@127.0.0.1", "www.example.com"], {
      encoding: "utf8",
    });
  const { code, talk } = await fleet.apply();
  expect([code, talk]).toEqual([0, expect.stringContaining("on outside:\nexample.com: 7 writes\nexample.com: done\n")]);
  await expect.poll(() => [ask("127.0.0.2"), ask("127.0.0.3")]).toEqual(["192.0.2.14\n", "192.0.2.4\n"]);
  const { out } = await fleet.run("doctor");
  expect(out.match(/^.* owner .*$/gm)).toEqual([
    expect.stringMatching(/^ok .* BIND does not write the file of example\.com$/),
    expect.stringMatching(/^ok .* BIND does not write the file of example\.com$/),
  ]);
});
