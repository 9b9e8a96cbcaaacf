// @suite long

import { rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { commitZones } from "../cli/git.ts";
import { apiDesk, Desk, lines } from "../cli/run.ts";
import { runBundle, useBundle } from "./step.ts";

useBundle();

const file = "zones/example.com.yaml";
const zone = lines`
  soa_email: hostmaster@example.com
  records:
    www: { A: 192.0.2.1 }
`;

/** Each command of the bundle after the ones above it, with its result. The other tests run the sources. */
const steps: readonly (readonly [inputs: Readonly<Record<string, string>>, result: string])[] = [
  [{ command: "validate" }, "valid"],
  [{ command: "plan" }, "changes"],
  [{ command: "apply" }, "applied"],
  [{ command: "verify", verify: "rendered", wait: "5s" }, "in-sync"],
  [{ command: "snapshot" }, "published"],
  [{ command: "drift" }, "in-sync"],
  [{ command: "import" }, "in-sync"],
];

test("the bundle runs each command in a process, as the sources do", async () => {
  const desk = await apiDesk({ [file]: zone });
  const origin = `${desk.folder}.git`;
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  const git = commitZones(desk.folder);
  git("init", "-q", "--bare", origin);
  git("remote", "add", "origin", origin);
  const found: unknown[] = [];
  for (const [inputs] of steps) {
    const api = inputs.command === "validate" ? {} : { token: desk.token, "api-url": desk.url };
    const { code, outputs, commands } = await runBundle(desk, { ...inputs, ...api });
    const masked = commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
    expect(masked).toEqual("token" in api ? [desk.token] : []);
    expect(code).toBe(0);
    found.push([inputs, outputs.result]);
  }
  expect(found).toEqual(steps);
});

test("the bundle ends with the exit code of its result", async () => {
  const desk = new Desk({ [file]: zone.replace("192.0.2.1", "192.0.2.256") });
  const { code, outputs, annotations } = await runBundle(desk, { command: "validate" });
  expect([code, outputs.result]).toEqual([3, "invalid"]);
  expect(annotations).toEqual([expect.stringMatching(/^error zones\/example\.com\.yaml:3 address-v4: /)]);
});
