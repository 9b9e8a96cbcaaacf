import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Desk, lines } from "./run.ts";

const zone = "soa_email: hostmaster@example.com\nttl_sec: 1h\nrecords:\n  www: { A: 192.0.2.1 }\n";

/** `validate --watch` that looks at its files all the time. */
function watching(files: Record<string, string>, command = "validate --watch") {
  const desk = new Desk(files);
  desk.sleep = () => new Promise((resolve) => setImmediate(resolve));
  return { desk, program: desk.start(command) };
}

test("validates again whenever a file is changed, added or removed, until it is interrupted", async () => {
  const { desk, program } = watching({ "zones/example.com.yaml": zone });
  await program.says(/watching 1 file; Ctrl-C ends\n/);
  desk.write("zones/example.com.yaml", zone.replace("192.0.2.1", "192.0.2.999"));
  await program.says(/changed: zones\/example.com.yaml\nwatching 1 file/);
  desk.write("zones/example.com.yaml", `${zone}  ftp: { A: 192.0.2.2 }\n`);
  await program.says(/(changed: zones\/example.com.yaml\nwatching 1 file[\s\S]*){2}/);
  desk.write("zones/example.net.yaml", zone);
  await program.says(/changed: zones\/example.net.yaml\nwatching 2 files/);
  rmSync(join(desk.folder, "zones/example.net.yaml"));
  await program.says(/(changed: zones\/example.net.yaml[\s\S]*){2}watching 1 file;/);
  expect(await program.end()).toEqual({
    code: 0,
    out: lines`
      valid: 1 zone, 1 record
      error[address-v4] www A "192.0.2.999": not an IPv4 address
        zones/example.com.yaml:4:13
          4 |   www: { A: 192.0.2.999 }
            |             ^^^^^^^^^^^
        Write an IPv4 address such as "192.0.2.1".

      not valid: 1 zone, 0 records, 1 error
      valid: 1 zone, 2 records
      valid: 2 zones, 3 records
      valid: 1 zone, 2 records
    `,
    talk: lines`
      watching 1 file; Ctrl-C ends

      changed: zones/example.com.yaml
      watching 1 file; Ctrl-C ends

      changed: zones/example.com.yaml
      watching 1 file; Ctrl-C ends

      changed: zones/example.net.yaml
      watching 2 files; Ctrl-C ends

      changed: zones/example.net.yaml
      watching 1 file; Ctrl-C ends
    `,
  });
});

test("an error in the config, or a missing folder, is shown and ends with its repair", async () => {
  const { desk, program } = watching({ "zones/example.com.yaml": zone, "zonewright.yaml": "zone: zones\n" });
  await program.says(/watching 1 file;/);
  desk.write("zonewright.yaml", "zones: zones\n");
  await program.says(/changed: zonewright.yaml\nwatching 2 files;/);
  const { code, out } = await program.end();
  expect({ code, out }).toEqual({ code: 0, out: "valid: 1 zone, 1 record\n" });
});

test("templates and approvals are watched, hidden folders are not", async () => {
  const { desk, program } = watching({ "zones/example.com.yaml": zone, "templates/mail.yaml": "records: {}\n" });
  await program.says(/watching 2 files;/);
  desk.write("zones/.git/index", "x");
  desk.write("acks.yaml", "[]\n");
  await program.says(/changed: acks.yaml\nwatching 3 files;/);
  expect((await program.end()).talk).not.toContain(".git");
});

test("a link to a folder above is not followed", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  desk.sleep = () => new Promise((resolve) => setImmediate(resolve));
  symlinkSync("..", join(desk.folder, "zones/up"));
  symlinkSync("a", join(desk.folder, "zones/a")); // leads to itself
  const program = desk.start("validate --watch");
  await program.says(/watching 1 file;/);
  expect((await program.end()).code).toBe(0);
});

test.each([
  ["validate --watch --report json", "error: --watch has the text report only: leave out --report.\n"],
  ["validate --watch --hook nsd", "error: --hook nsd goes with --config only.\n"],
])("%s", async (command, talk) => {
  const { code, out, talk: said } = await new Desk({ "zones/example.com.yaml": zone }).run(command);
  expect({ code, out, talk: said.split("\n  ")[0]?.replace(/\n?$/, "\n") }).toEqual({ code: 64, out: "", talk });
});
