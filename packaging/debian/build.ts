import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const machines: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

const maintainer = "zonewright <zonewright@users.noreply.github.com>";

/** A file of the package. */
interface PackageFile {
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/**
 * Packs the single executable as a Debian package with its man page, its completions and a unit for `serve`, which is off
 * at first. Needs dpkg-deb. The same executable and commit give the same bytes.
 *
 * @param program the executable, with licenses.txt beside it
 * @returns the path of the package in `folder`, such as `zonewright_0.2.0_amd64.deb`
 */
export function buildDebianPackage(program: string, folder: string): string {
  const version = say(program, "--version").trim();
  const machine = machines[process.arch];
  if (machine === undefined) throw new Error(`Debian packages are made for x64 and arm64, not for ${process.arch}`);
  const file = join(folder, `zonewright_${version}_${machine}.deb`);
  const tree = mkdtempSync(join(tmpdir(), "zonewright-deb-"));
  const umask = process.umask(0o022); // the modes of the folders are those of the package
  try {
    chmodSync(tree, 0o755);
    const time = timeOfCommit();
    const all = { ...files(program), ...documents(program, version, time), ...control(program, version, machine) };
    for (const [path, { content, mode }] of Object.entries(all)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), content, { mode });
    }
    // Lintian of Debian 12 refuses zstd, and xz takes four times as long for a fifth less.
    const words = ["--root-owner-group", "-Zgzip", "-z6", "--build", tree, file];
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time.getTime() / 1000) };
    execFileSync("dpkg-deb", words, { env, stdio: ["ignore", "ignore", "inherit"] });
    return file;
  } finally {
    process.umask(umask);
    rmSync(tree, { recursive: true });
  }
}

function files(program: string): Record<string, PackageFile> {
  const completion = (shell: string) => plain(say(program, "completion", shell));
  return {
    "usr/bin/zonewright": { content: readFileSync(program), mode: 0o755 },
    "usr/share/bash-completion/completions/zonewright": completion("bash"),
    "usr/share/zsh/vendor-completions/_zonewright": completion("zsh"),
    "usr/share/fish/vendor_completions.d/zonewright.fish": completion("fish"),
    "lib/systemd/system/zonewright.service": plain(source("zonewright.service")),
    "etc/default/zonewright": { content: source("default"), mode: 0o600 }, // it may have passwords
  };
}

function documents(program: string, version: string, time: Date): Record<string, PackageFile> {
  const changes = `zonewright (${version}) stable; urgency=medium

  * See https://github.com/zonewright/zonewright/blob/main/CHANGELOG.md

 -- ${maintainer}  ${time.toUTCString().replace("GMT", "+0000")}
`;
  const licenses = readFileSync(join(dirname(program), "licenses.txt"), "utf8");
  const zip = (text: string) => ({ content: gzipSync(text, { level: 9 }), mode: 0o644 });
  return {
    "usr/share/man/man1/zonewright.1.gz": zip(say(program, "man", "--source")),
    "usr/share/doc/zonewright/changelog.gz": zip(changes),
    "usr/share/doc/zonewright/copyright": plain(source("copyright")),
    "usr/share/doc/zonewright/notices.gz": zip(licenses),
    "usr/share/lintian/overrides/zonewright": plain(source("lintian-overrides")),
  };
}

function control(program: string, version: string, machine: string): Record<string, PackageFile> {
  const script = (name: string) => ({ content: source(name), mode: 0o755 });
  const fields = {
    Package: "zonewright",
    Version: version,
    Architecture: machine,
    Maintainer: maintainer,
    "Installed-Size": String(Math.ceil(statSync(program).size / 1024)), // KiB
    Depends: "adduser, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)", // those of Node 24
    Recommends: "git",
    Section: "net",
    Priority: "optional",
    Homepage: "https://github.com/zonewright/zonewright",
    Description: `DNS zones in git: validate, plan, apply, and serve
 zonewright reads DNS zones from YAML or BIND files in git, validates them,
 compares them with the live zones, shows a plan to review in a pull request,
 and applies it in an order in which no name stops resolving.
 .
 It writes to name servers by dynamic updates or zone files, to PowerDNS, and
 to services with a DNS API, which it also contains: zonewright.service serves
 that API and the zones, and is off until it is enabled.`,
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return {
    "DEBIAN/control": plain(text.join("")),
    "DEBIAN/conffiles": plain("/etc/default/zonewright\n"),
    "DEBIAN/postinst": script("postinst"),
    "DEBIAN/prerm": script("prerm"),
    "DEBIAN/postrm": script("postrm"),
  };
}

function plain(content: string): PackageFile {
  return { content, mode: 0o644 };
}

function source(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

function say(program: string, ...words: string[]): string {
  return execFileSync(program, words, { encoding: "utf8" });
}

function timeOfCommit(): Date {
  const cwd = resolve(import.meta.dirname, "../..");
  return new Date(Number(execFileSync("git", ["log", "-1", "--format=%ct"], { cwd, encoding: "utf8" })) * 1000);
}
