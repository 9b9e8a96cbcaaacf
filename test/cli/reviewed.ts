import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type ApiDesk, apiDesk, lines } from "./run.ts";

export const before = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.10 }
    old: { A: 192.0.2.44 }
    api: { A: 192.0.2.80 }
`;
export const after = before.replace("192.0.2.10", "192.0.2.11").replace("  old: { A: 192.0.2.44 }\n", "");
export const anew = "  Make a new plan with `zonewright plan --out FILE`.\n";

/** Applied before, changed since, and with a plan for the change. */
export async function planned(options = ""): Promise<ApiDesk> {
  const desk = await apiDesk({ "zones/example.com.yaml": before });
  expect((await desk.run("apply --yes")).code).toBe(0);
  rmSync(join(desk.folder, ".zonewright"), { recursive: true, force: true });
  desk.write("zones/example.com.yaml", after);
  expect((await desk.run(`plan --out plan.json ${options}`)).code).toBe(0);
  desk.writes.length = 0;
  return desk;
}

/** The zone as an interrupted run leaves it: disabled, with one of its records. */
export async function createInPart(desk: ApiDesk): Promise<void> {
  await desk.call("POST", "/domains", {
    domain: "example.com",
    type: "master",
    soa_email: "hostmaster@example.com",
    ttl_sec: 3600,
    status: "disabled",
  });
  await desk.call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.10" });
}
