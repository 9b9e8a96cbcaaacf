import { execFileSync } from "node:child_process";

/** Runs a program that sees a disk of its own at `folder`; only Linux can, and not in every container. */
export const ownDisk = (folder: string, options: string) => [
  "unshare",
  "-Urm",
  "sh",
  "-c",
  `cp -a "$0" "$0.src" && mount -t tmpfs -o size=400k tmpfs "$0" && cp -a "$0.src/." "$0" && rm -r "$0.src" && mount -o remount,${options} "$0" && exec "$@"`,
  folder,
];

export const hasOwnDisk = (() => {
  try {
    execFileSync("unshare", ["-Urm", "sh", "-c", "mount -t tmpfs -o size=16k tmpfs /tmp"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
