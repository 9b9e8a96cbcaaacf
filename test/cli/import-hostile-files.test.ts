import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "./run.ts";

const text = (content: string) => (path: string) => writeFileSync(path, content);

function sparse(path: string): void {
  writeFileSync(path, "");
  truncateSync(path, 2 ** 30);
}

const tooLarge = "it has 1073741824 bytes; the limit is 268435456";

/** Aliases that would become millions of values. */
const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  .concat(
    ["b", "c", "d", "e", "f", "g", "h"].map(
      (name, index) => `${name}: &${name} [${`*${"abcdefg"[index]}, `.repeat(9)}]`,
    ),
  )
  .join("\n");

/** Hostile files by their names, and the reason why each fails. */
const files: Readonly<Record<string, readonly [put: (path: string) => void, reason: string]>> = {
  "aliases.example.yaml": [
    text(`${bomb}\nrecords: { www: { TXT: *h } }\n`),
    "aliases expand to more than 100000 nodes or 100 levels",
  ],
  "deep.example.yaml": [
    text(`records: ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`),
    "the YAML is nested more than 100 levels deep",
  ],
  "device.example.zone": [(path) => symlinkSync("/dev/zero", path), "it is a device"],
  "generate.example.zone": [
    text("$TTL 1h\n$GENERATE 0-2147483647 host$ A 192.0.2.1\n"),
    '"0-2147483647": $GENERATE lines of the zone make more than 1000000 records',
  ],
  "itself.example.zone": [text("$INCLUDE itself.example.zone\n"), `"itself.example.zone" includes itself`],
  "link-loop.example.zone": [(path) => symlinkSync(path, path), "its symbolic links form a loop"],
  "outside.example.zone": [text("$INCLUDE /etc/passwd\n"), '"/etc/passwd" is outside the zones folder'],
  "pipe.example.zone": [(path) => execFileSync("mkfifo", [path]), "it is a named pipe"],
  "pipe.json": [(path) => execFileSync("mkfifo", [path]), "it is a named pipe"],
  "sparse.example.yaml": [sparse, tooLarge],
  "sparse.example.zone": [sparse, tooLarge],
  "sparse.json": [sparse, tooLarge],
};

test("hostile files of a folder fail alone, once, and leave no file", async () => {
  const desk = new Desk();
  const folder = join(desk.folder, "in");
  mkdirSync(join(folder, "loop"), { recursive: true });
  for (const [name, [put]] of Object.entries(files)) put(join(folder, name));
  symlinkSync("..", join(folder, "loop/again"));
  writeFileSync(join(folder, "good.example.zone"), "@ 3600 SOA ns1 a 1 2 3 4 5\nwww 3600 A 192.0.2.1\n");
  const { code, out, talk } = await desk.run("import file in");
  expect(code).toBe(5);
  const expected = Object.entries(files).map(([name, [, reason]]) => {
    const isOfFile = fileReasons.test(reason);
    return { failed: isOfFile ? `in/${name}` : name.replace(/\.\w+$/, ""), reason };
  });
  expect(out.match(/^failed .*/gm)?.sort()).toEqual(expected.map(({ failed }) => `failed ${failed}`).sort());
  const errors = talk.match(/(?<=^error\[[\w-]+\] ).*/gm) ?? [];
  const shown = errors.map((line) => line.replace(" cannot be read", ""));
  expect(shown.sort()).toEqual(expected.map(({ failed, reason }) => `${failed}: ${reason}`).sort());
  expect(readdirSync(join(desk.folder, "zones"))).toEqual(["good.example.yaml"]);
});

/** Such files are named by their paths, the others by their zones. */
const fileReasons = /^(?:it is|it has|its)/;
