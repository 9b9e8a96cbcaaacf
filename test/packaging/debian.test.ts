// @suite long
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildDebianPackage } from "../../packaging/debian/build.ts";
import { isMissing } from "../judges.ts";
import { buildForTests, runBare } from "./built.ts";

const root = resolve(import.meta.dirname, "../..");

describe.skipIf(isMissing("postject", "lintian", "systemd-analyze"))("the Debian package", () => {
  let built: Awaited<ReturnType<typeof buildForTests>>;
  let file: string;

  beforeAll(async () => {
    built = await buildForTests();
    file = buildDebianPackage(built.program, built.folder);
  });

  afterAll(() => built.remove());

  function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "zonewright-deb-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }

  test("passes lintian", () => {
    const words = ["--allow-root", "--tag-display-limit", "0", "--display-experimental", "--pedantic", file];
    const { status, stdout } = spawnSync("lintian", words, { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  test("unpacked, it validates zones and shows its man page", () => {
    const folder = emptyFolder();
    execFileSync("dpkg-deb", ["-x", file, folder]);
    cpSync(join(root, "zones"), join(folder, "zones"), { recursive: true });
    const { code, out } = runBare(folder, join(folder, "usr/bin/zonewright"), "validate", "--quiet");
    expect({ code, out }).toEqual({ code: 0, out: "valid: 3 zones, 41 records\n" });
    const page = execFileSync("gzip", ["-dc", join(folder, "usr/share/man/man1/zonewright.1.gz")], {
      encoding: "utf8",
    });
    expect(page).toContain(".TH ZONEWRIGHT 1");
  });

  test("its unit is what systemd understands, and shields the system", () => {
    const folder = emptyFolder();
    const unit = join(folder, "zonewright.service");
    const text = readFileSync(join(root, "packaging/debian/zonewright.service"), "utf8");
    writeFileSync(unit, text.replace("/usr/bin/zonewright", built.program));
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
    expect(verified.stdout + verified.stderr).toBe("");
    const words = ["security", "--offline=true", "--threshold=20", unit];
    const { status, stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    expect(stdout).toMatch(/Overall exposure level for zonewright.service: 1\.\d OK/);
    expect(status).toBe(0);
  });

  test("is the same for the same commit, whatever the umask", () => {
    const again = emptyFolder();
    mkdirSync(join(again, "one"));
    const umask = process.umask(0o077);
    const other = buildDebianPackage(built.program, join(again, "one"));
    process.umask(umask);
    expect(readFileSync(other).equals(readFileSync(file))).toBe(true);
  });
});
