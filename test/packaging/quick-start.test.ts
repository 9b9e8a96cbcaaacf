// @suite long
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildDebianPackage } from "../../packaging/debian/build.ts";
import { findProgram, isMissing } from "../judges.ts";
import { buildForTests } from "./built.ts";

const root = resolve(import.meta.dirname, "../..");

/** The commands of the README, after `zonewright serve` in another terminal. */
const commands = ["init --from api --yes", "plan", "apply --yes", "plan", "undo last --allow G01,G03,G05,G06 --yes"];

describe.skipIf(isMissing("postject"))("the quick start from nothing", () => {
  let built: Awaited<ReturnType<typeof buildForTests>>;

  beforeAll(async () => {
    built = await buildForTests();
  });

  afterAll(() => built.remove());

  /** Each installs the program into the folder `bin` of an empty home. */
  const forms: Record<string, (home: string) => void> = {
    "the single executable": (home) => copyFileSync(built.program, join(home, "bin/zonewright")),
    "the Debian package": (home) => {
      execFileSync("dpkg-deb", ["-x", buildDebianPackage(built.program, built.folder), join(home, "system")]);
      symlinkSync("../system/usr/bin/zonewright", join(home, "bin/zonewright"));
    },
    // Its dependencies are those of this checkout, because a test has no network.
    "the npm package": (home) => {
      execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", home], { cwd: root });
      execFileSync("sh", ["-c", "tar -xzf zonewright-*.tgz"], { cwd: home });
      symlinkSync(join(root, "node_modules"), join(home, "package/node_modules"));
      symlinkSync("../package/dist/cli/main.js", join(home, "bin/zonewright"));
      symlinkSync(findProgram("node") ?? "", join(home, "bin/node"));
    },
  };

  test.each(Object.keys(forms))("%s: an own plan, its apply and its undo", async (form) => {
    const home = mkdtempSync(join(tmpdir(), "zonewright-home-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    for (const folder of ["bin", "server", "zones"]) mkdirSync(join(home, folder));
    forms[form]?.(home);
    const env = { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin`, LC_ALL: "C.UTF-8" };

    const server = spawn("zonewright", ["serve", "--port", "0"], { cwd: join(home, "server"), env });
    onTestFinished(() => void server.kill("SIGKILL"));
    let said = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    while (!/^export ZONEWRIGHT_TOKEN=\w+\n/m.test(said)) await once(server.stderr, "data");
    const exports = [...said.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]);

    const run = (line: string) => {
      const options = {
        cwd: join(home, "zones"),
        env: { ...env, ...Object.fromEntries(exports) },
        encoding: "utf8",
      } as const;
      const { status, stdout, stderr } = spawnSync("zonewright", line.split(" "), options);
      return `$ zonewright ${line}\n${stdout}${stderr}${status === 0 ? "" : `(exit code ${status})\n`}`;
    };
    await expect(commands.map(run).join("")).toMatchFileSnapshot("quick-start.txt");
  });
});
