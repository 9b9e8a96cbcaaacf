import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { Desk } from "./cli/run.ts";

test("docs/zone-files.md: its zone is valid under its config", async () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/zone-files.md"), "utf8");
  const [zone = "", scope = "", config = ""] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  const desk = new Desk({
    "zones/example.com.yaml": `soa_email: hostmaster@example.com\n${scope}${zone}`,
    "zonewright.yaml": config,
  });
  expect(await desk.run("validate")).toEqual({ code: 0, out: "valid: 1 zone, 6 records\n", talk: "" });
});
