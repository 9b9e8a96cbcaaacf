import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiDesk, Desk } from "./run.ts";

/** Acts as a user who may search no folder of another one. */
async function asNobody<T>(act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

test.each(["validate --hook nsd", "validate", "plan"])(
  "%s in a folder that this user may not search",
  async (command) => {
    const desk = new Desk({ input: "" });
    chmodSync(desk.folder, 0);
    const ended = await asNobody(() =>
      desk.run(command, { env: { VERIFY_ZONE: "example.com", VERIFY_ZONE_ON_STDIN: "yes" } }),
    );
    chmodSync(desk.folder, 0o700);
    expect(ended).toEqual({
      code: 3,
      out: "",
      talk: "error[config-read] the config zonewright.yaml cannot be read: permission denied\n  Allow this user to read it.\n",
    });
  },
);

test("a zone whose folder this user may not search is not deleted", async () => {
  const desk = await apiDesk({
    "zonewright.yaml": "zones: [zones, more/zones]\n",
    "zones/example.com.yaml": "soa_email: ops@example.net\nrecords: { www: { A: 192.0.2.1 } }\n",
    "more/zones/example.net.yaml": "soa_email: ops@example.net\nrecords: { www: { A: 192.0.2.1 } }\n",
  });
  expect((await desk.run("apply --yes")).code).toBe(0);
  execFileSync("chmod", ["-R", "a+rX", desk.folder]);
  chmodSync(join(desk.folder, "more"), 0);
  const ended = await asNobody(() => desk.run("plan --delete-zone example.net"));
  chmodSync(join(desk.folder, "more"), 0o700);
  expect([ended.code, ended.talk]).toEqual([
    3,
    "error[zones-folder] the zones folder more/zones cannot be read: permission denied\n  Allow this user to read it.\n",
  ]);
});
