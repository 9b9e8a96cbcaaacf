import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { rdataText } from "../../src/dns/zone/zone.ts";
import { apiSettings } from "../../src/targets/api/settings.ts";
import { readServerConfig } from "../../src/workflow/import/server-config.ts";
import { dig } from "../dns/transfer/dig.ts";
import { binaries, type Program } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";

const head = "$TTL 300\n@ SOA ns1 hostmaster 1 7200 3600 1209600 300\n@ NS ns1\nns1 A 192.0.2.1\n";

/** Zones whose files include others, by the path of the file; FOLDER is the folder of everything. */
const zones: Readonly<Record<string, readonly [file: string, include: string]>> = {
  "below.test": ["sub/below.zone", "inc/one.inc"],
  "beside.test": ["beside.zone", "inc/one.inc"],
  "absolute.test": ["FOLDER/elsewhere/absolute.zone", "inc/one.inc"],
  "above.test": ["sub/above.zone", "../shared.inc"],
  "far.test": ["sub/far.zone", "FOLDER/elsewhere/far.inc"],
};

/** Files of the same names in every folder, each of which tells where it is. */
function writeTree(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "zonewright-includes-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text.replaceAll("FOLDER", folder));
  };
  for (const base of [".", "data", "data/sub", "elsewhere", "conf"]) {
    write(`${base}/shared.inc`, `shared TXT "${base}"\n`);
    for (const inner of ["inc", "inc/inc", "inc/inc/inc"]) {
      write(`${base}/${inner}/one.inc`, `one TXT "${base}/${inner}"\n$INCLUDE inc/two.inc\n`);
      write(`${base}/${inner}/two.inc`, `two TXT "${base}/${inner}"\n`);
    }
  }
  write("elsewhere/far.inc", 'far TXT "elsewhere"\n$INCLUDE inc/two.inc\n');
  for (const [file, include] of Object.values(zones))
    write(
      file.startsWith("FOLDER/") ? file.slice("FOLDER/".length) : join("data", file),
      `${head}$INCLUDE ${include}\n`,
    );
  // Only the configuration decides which of these is read.
  for (const base of ["", "data/", "conf/", "conf/conf/"]) write(`${base}named.zone`, `${head}one TXT "${base}"\n`);
  return folder;
}

/** The configurations: `more` is the text of an included file, at the path that its name says. */
const configs: Readonly<
  Record<Program, (folder: string, port: number, isAbsolute: boolean) => { text: string; more: Record<string, string> }>
> = {
  bind: (folder, port, isAbsolute) => {
    const blocks = Object.entries(zones).map(
      ([name, [file]]) => `zone "${name}" { include "conf/primary.conf"; file "${file}"; };`,
    );
    // Relative paths are those of the directory once it is known. Blocks may include statements, each the same ones.
    const inside = `${blocks.join("\n")}\ninclude "conf/more.conf";`;
    const more = `zone "listed.test" { type primary; file "named.zone"; };\n`;
    return {
      text: `options {
  include "conf/options.conf"; pid-file none; session-keyfile none; lock-file none; recursion no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; dnssec-validation no; empty-zones-enable no;
};
controls {};
${isAbsolute ? inside : `view "all" {\n${inside}\n};`}\n`,
      more: {
        "conf/options.conf": `directory "${isAbsolute ? `${folder}/data` : "data"}";\n`,
        "data/conf/primary.conf": "type primary;\n",
        "data/conf/more.conf": more,
        "conf/more.conf": "// not this one\n",
      },
    };
  },
  nsd: (folder, port, isAbsolute) => ({
    text: `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "elsewhere"
  zonesdir: "${isAbsolute ? `${folder}/data` : "data"}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  xfrdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
pattern:
  name: above
  zonefile: "sub/%z%y%1%2%3.zone"
pattern: name: named zonefile: named.zone
include: conf/more.conf
zone: name: above.test zonefile: sub/above.zone
${Object.entries(zones)
  .filter(([name]) => name !== "above.test")
  .map(([name, [file]]) => `zone:\n  name: ${name}\n  zonefile: "${file}"\n`)
  .join("")}`,
    more: {
      // An included text stands where its include is.
      "conf/more.conf": "zone:\n  name: listed.test\n  include: conf/zone.conf\n",
      "conf/zone.conf": "include-pattern: named\n",
      "conf/conf/zone.conf": "zonefile: conf/named.zone\n",
    },
  }),
  knot: (folder, port, isAbsolute) => ({
    text: `server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
control:
    listen: "${folder}/knot.sock"
database:
    storage: "${folder}"
log:
  - target: stderr
    any: info
template:
  - id: default
    storage: "${isAbsolute ? `${folder}/data` : "data"}" # of zone files
    zonefile-sync: -1
    journal-content: none
  - id: labels
    storage: ${isAbsolute ? `${folder}/data/sub` : "data/sub"}
    file: "%l[1]%c[3]zone"
    zonefile-sync: -1
    journal-content: none
zone:
${Object.entries(zones)
  .filter(([name]) => name !== "far.test")
  .map(([name, [file]]) => `  - domain: ${name}\n    file: "${file}"\n`)
  .join("")}
  - domain: "Far.Test."
    template: labels
include: conf/more.conf
`,
    more: {
      "conf/more.conf": "include: conf/zone.conf\n",
      "conf/zone.conf": "zone:\n  - domain: listed.test\n    file: wrong.zone\n",
      "conf/conf/zone.conf": "zone:\n  - domain: listed.test\n    file: named.zone\n",
    },
  }),
};

for (const program of ["bind", "nsd", "knot"] as const)
  for (const isAbsolute of [true, false])
    test.skipIf(isMissing(binaries[program]) || isMissing("dig"))(
      `${program}: the same files are read as the server reads, from ${isAbsolute ? "an absolute" : "a relative"} folder`,
      async () => {
        const folder = writeTree();
        const { more } = configs[program](folder, 0, isAbsolute);
        for (const [file, text] of Object.entries(more)) {
          mkdirSync(dirname(join(folder, file)), { recursive: true });
          writeFileSync(join(folder, file), text);
        }
        const config = (_: string, port: number) =>
          configs[program](folder, port, isAbsolute).text.replaceAll("FOLDER", folder);
        const served = [...Object.keys(zones), "listed.test"];
        const server = await useNameServer(program, {
          zones: Object.fromEntries(served.map((name) => [`${name}.`, ""])),
          config,
          folder,
        });
        const found = readServerConfig({ cwd: folder, settings: apiSettings }, "config");
        expect(found?.zones.map(({ name }) => nameKey(name)).sort()).toEqual(served.map((name) => `${name}.`).sort());
        const problems = found?.zones.flatMap(({ problems }) => problems);
        expect(problems?.filter(({ severity }) => severity === "error")).toEqual([]);
        const texts = found?.zones.flatMap(({ records }) => records.filter(({ type }) => type === "TXT")) ?? [];
        expect(texts).toHaveLength(2 * Object.keys(zones).length);
        const answers = await Promise.all(texts.map(({ owner }) => dig(server, owner, "TXT")));
        expect(texts.map((record) => [`${nameKey(record.owner)} 300 IN TXT ${rdataText(record)}`])).toEqual(
          answers.map((lines) => lines.filter(Boolean)),
        );
      },
    );
