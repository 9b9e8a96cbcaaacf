// @suite nightly
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildDebianPackage } from "../../packaging/debian/build.ts";
import { isMissing } from "../judges.ts";
import { buildForTests } from "./built.ts";

const isPossible = process.getuid?.() === 0; // `chroot` needs root

test.skipIf(!isPossible || isMissing("postject", "mmdebstrap"))(
  "installs, upgrades with its data and settings, is removed and purged in a Debian of its own",
  async () => {
    const built = await buildForTests();
    onTestFinished(built.remove);
    const file = buildDebianPackage(built.program, built.folder);
    const system = mkdtempSync(join(tmpdir(), "zonewright-chroot-"));
    onTestFinished(() => rmSync(system, { recursive: true }));
    execFileSync("mmdebstrap", ["--variant=minbase", "--include=adduser,libstdc++6", "bookworm", system], {
      stdio: "ignore",
    });
    const inside = (script: string) => {
      const { status, stdout, stderr } = spawnSync("chroot", [system, "sh", "-c", script], { encoding: "utf8" });
      return { code: status, text: stdout + stderr };
    };

    copyFileSync(file, join(system, "old.deb"));
    copyFileSync(newer(file, built.folder), join(system, "new.deb"));
    expect(inside("dpkg -i /old.deb")).toMatchObject({ code: 0 });
    expect(inside("stat -c '%U %a' /etc/default/zonewright; id -un zonewright; zonewright --version").text).toBe(
      "root 600\nzonewright\n0.2.0\n",
    );
    // What the unit does: its folder, and a token in its database.
    const asUser = "setpriv --reuid zonewright --regid zonewright --clear-groups";
    const data = "--data /var/lib/zonewright";
    expect(inside("install -d -o zonewright -g zonewright -m 700 /var/lib/zonewright").code).toBe(0);
    expect(inside(`${asUser} zonewright server token create ${data} | wc -c`).text).toMatch(/\n65\n$|^65\n/m);
    const settings = join(system, "etc/default/zonewright");
    writeFileSync(settings, 'ZONEWRIGHT_SERVE_OPTIONS="--port 4120"\n');

    expect(inside("dpkg -i /new.deb")).toMatchObject({ code: 0 });
    expect(inside("dpkg-query -W -f '${Version}' zonewright").text).toBe("0.2.0+next");
    expect(readFileSync(settings, "utf8")).toBe('ZONEWRIGHT_SERVE_OPTIONS="--port 4120"\n');
    expect(inside(`${asUser} zonewright server token list ${data} | grep -c admin`).text).toBe("1\n");

    expect(inside("dpkg -r zonewright")).toMatchObject({ code: 0 });
    expect([settings, join(system, "var/lib/zonewright/zonewright.db")].map(existsSync)).toEqual([true, true]);
    expect(inside("dpkg -P zonewright")).toMatchObject({ code: 0 });
    expect([settings, join(system, "var/lib/zonewright"), join(system, "usr/bin/zonewright")].map(existsSync)).toEqual([
      false,
      false,
      false,
    ]);
  },
);

/** The same package as a later version. */
function newer(file: string, folder: string): string {
  const tree = join(folder, "newer");
  execFileSync("dpkg-deb", ["-R", file, tree]);
  const control = join(tree, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: (.*)$/m, "Version: $1+next"));
  const packed = join(folder, "newer.deb");
  execFileSync("dpkg-deb", ["--root-owner-group", "-Znone", "--build", tree, packed], { stdio: "ignore" });
  return packed;
}
