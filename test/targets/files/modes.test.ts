import { chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copies, Fleet, master } from "./fleet.ts";

const file = "srv/example.com.zone";

/** Octal mode and group of a file. */
function accessOf(fleet: Fleet, path: string): [mode: string, group: number] {
  const { mode, gid } = statSync(join(fleet.folder, path));
  return [(mode & 0o7777).toString(8), gid];
}

test.each([0o640, 0o664, 0o600])(
  "a file and those beside it keep the mode %o, also with a strict umask",
  async (mode) => {
    const fleet = new Fleet({ "example.com.zone": master() }, copies);
    await fleet.apply();
    chmodSync(join(fleet.folder, file), mode);
    const umask = process.umask(0o077);
    try {
      fleet.configure('reload: ["false"]');
      fleet.write("zones/example.com.zone", master("192.0.2.4"));
      expect((await fleet.apply("2026-03-04T12:00:10Z")).code).toBe(1);
    } finally {
      process.umask(umask);
    }
    const files = [file, "srv/.example.com.zone.loaded", "srv/.example.com.zone.written"];
    const group = process.getgid?.();
    expect(files.map((path) => accessOf(fleet, path))).toEqual(files.map(() => [mode.toString(8), group]));
  },
);

test.skipIf(process.getuid?.() !== 0)("a file and those beside it keep their group", async () => {
  const fleet = new Fleet({ "example.com.zone": master() }, copies);
  await fleet.apply();
  chownSync(join(fleet.folder, file), -1, 4242);
  fleet.write("zones/example.com.zone", master("192.0.2.4"));
  expect((await fleet.apply("2026-03-04T12:00:10Z")).code).toBe(0);
  expect([file, "srv/.example.com.zone.written"].map((path) => accessOf(fleet, path)[1])).toEqual([4242, 4242]);
});
