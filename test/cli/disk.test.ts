// @suite long

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { hasOwnDisk, ownDisk } from "./own-disk.ts";
import { apiOf, Program } from "./process.ts";
import { apiDesk, Desk, lines } from "./run.ts";

const zone = (records: number) =>
  `soa_email: hostmaster@example.com\nrecords:\n${Array.from({ length: records }, (_, index) => `  host-${index}:\n    A: 192.0.2.${index % 256}\n`).join("")}`;

test.skipIf(!existsSync("/dev/full"))("reports a full disk behind standard output", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone(1) });
  const program = new Program(desk.folder, "export --to records", {}, ["sh", "-c", 'exec "$0" "$@" > /dev/full']);
  expect(await program.end()).toEqual({
    code: 1,
    out: "",
    talk: "error[output] standard output cannot be written: ENOSPC: no space left on device, write\n",
  });
});

const full: { what: string; options: string; talk: string }[] = [
  {
    what: "a full disk",
    options: "size=20k",
    talk: lines`
      error[file-write] out/example.net.zone cannot be written: the disk is full
        Name a writable folder with --out.
    `,
  },
  {
    what: "a read-only disk",
    options: "ro",
    talk: lines`
      error[file-write] out/example.com.zone cannot be written: the disk is read-only
        Name a writable folder with --out.
    `,
  },
];

test.skipIf(!hasOwnDisk).each(full)("export to $what keeps every file unchanged", async ({ options, talk }) => {
  const desk = new Desk({
    "zones/example.com.yaml": zone(1),
    "zones/example.net.yaml": zone(1000),
    "out/example.com.zone": "before\n",
  });
  const inside = ownDisk("out", options);
  const script = [
    ...inside.slice(0, 4),
    `${inside[4]?.replace('exec "$@"', '{ "$@"; code=$?; ls -A "$0"; cat "$0"/*; exit $code; }')}`,
    "out",
  ];
  const program = new Program(desk.folder, "export --to bind --out out", {}, script);
  expect(await program.end()).toEqual({ code: 1, out: "example.com.zone\nbefore\n", talk });
});

test.skipIf(!hasOwnDisk)("survives a full disk of the server during apply", async () => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone(2000), "data/notes": "" });
  const server = new Program(
    desk.folder,
    "serve --port 0 --data data --token secret-for-tests",
    {},
    ownDisk("data", "size=1200k"),
  );
  const { url } = await apiOf(server);
  const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: "secret-for-tests" };
  const { code, talk: said } = await desk.run("apply --yes", { env });
  const talk = said.replace(/host-\d+/g, "host-N");
  const [, written] = /after (\d+) of/.exec(talk) ?? [];
  // The number of writes that are under way at a time.
  const [, unknown] = /outcome of (\d+) writes/.exec(talk) ?? [];
  expect({ code, talk }).toEqual({
    code: 5,
    talk: lines`
      example.com: 2002 writes
      lost the reply to a write (example.com: create host-N A); checking for up to a minute whether it took effect; further lost replies are checked in the same way
      example.com: failed after ${written} of 2002 writes: POST /v4/domains/1/records: 503 The service cannot write to its database: the disk is full. It may have taken effect: check before sending it again.
      1 of 1 zone failed, and the outcome of ${unknown} writes is unknown (example.com: create host-N A, example.com: create host-N A, example.com: create host-N A and ${Number(unknown) - 3} more). Fix the error above, then run ${"`"}zonewright apply --resume${"`"}, which first checks whether they took effect.
    `,
  });
  const stored = await desk.run("export --live --to records", { env });
  expect(stored.out.split("\n").length).toBe(Number(written));
  server.kill("SIGTERM");
  expect((await server.end()).talk).toContain("\nThe service cannot write to its database: the disk is full\n");
});

const places: { what: string; files: Record<string, string>; command: string; talk: string }[] = [
  {
    what: "a file in place of the folder for exports",
    files: { out: "" },
    command: "export --to bind --out out",
    talk: lines`
      error[file-write] out/example.com.zone cannot be written: a file is in the place of a folder
        Name a writable folder with --out.
    `,
  },
  {
    what: "a folder in place of an exported file",
    files: { "out/example.com.zone/notes": "" },
    command: "export --to bind --out out",
    talk: lines`
      error[file-write] out/example.com.zone cannot be written: it exists and is not a regular file
        Name a writable folder with --out.
    `,
  },
  {
    what: "a file in place of the server's data folder",
    files: { data: "" },
    command: "serve --port 0 --data data",
    talk: lines`
      error[store-open] cannot open the database /desk/data/zonewright.db
        a file is in the place of a folder. With --data, name a folder that this user may write, on a disk with space left.
    `,
  },
  {
    what: "another file in place of the server's database",
    files: {
      "data/zonewright.db": "This is no database, and long enough that nobody could take it for one.\n".repeat(20),
    },
    command: "serve --port 0 --data data",
    talk: lines`
      error[store-open] cannot open the database /desk/data/zonewright.db
        its file is not a database. Move the file away, restore the last good backup, or name another folder with --data.
    `,
  },
  {
    what: "a folder in place of a zone file",
    files: { "new/example.net.yaml/notes": "" },
    command: "import api --zones new",
    talk: lines`
      error[file-write] new/example.net.yaml cannot be written: it exists and is not a regular file
        Make the folder writable, or name another one with --zones.
    `,
  },
];

test.each(places)("$what", async ({ files, command, talk }) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone(1), ...files });
  await desk.call("POST", "/domains", { domain: "example.net", type: "master", soa_email: "hostmaster@example.com" });
  const before = desk.files();
  expect(await desk.run(command)).toEqual({ code: 1, out: "", talk });
  expect(desk.files()).toEqual(before);
});
