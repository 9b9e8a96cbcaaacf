import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { Desk } from "./run.ts";

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
