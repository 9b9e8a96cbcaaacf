import { join } from "node:path";
import { expect, test } from "vitest";
import { targetDesk } from "../cli/target-desk.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/targets.md";
const page = readPage(path);

/** The zone before the change that the page shows. */
const before = `soa_email: hostmaster@example.com
ttl_sec: 3600
records:
  "@":
    NS: [ns1.example.net., ns2.example.net.]
    MX: 10 mail
  mail: { A: 192.0.2.25 }
  www: { A: 192.0.2.1 }
`;

test("docs/targets.md: the plan of a service that rounds TTLs and a folder of zone files", async () => {
  const desk = await targetDesk(["public"], { "zonewright.yaml": "TARGETS\n", "served/.keep": "" });
  const ofPublic = desk.read("zonewright.yaml");
  const ofFleet = "  fleet: { kind: files, folder: served }\n";
  desk.write("zones/example.com.yaml", before);
  // With one target, the name servers of a new zone are not asked; later plans do not ask those that it has.
  for (const [targets, names] of [
    [`targets:\n${ofFleet}`, "fleet"],
    [ofPublic, "public"],
  ]) {
    desk.write("zonewright.yaml", `${targets}zones: { path: zones, targets: ${names} }\n`);
    expect((await desk.run("apply --yes")).code).toBe(0);
  }
  desk.write("zonewright.yaml", `${ofPublic}${ofFleet}zones: { path: zones, targets: [public, fleet] }\n`);
  const [, example = ""] = page.split("\n## Several targets for one zone\n");
  const [, file = ""] = /```yaml\n(# zones\/example\.com\.yaml\n.*?)```/s.exec(example) ?? [];
  desk.write("zones/example.com.yaml", file);
  desk.width = 100;
  const [, start = "", command = "", end = ""] =
    /^(.*?\n```console\n)\$ (zonewright plan)\n.*?(```\n.*)$/s.exec(page) ?? [];
  const screen = new Screen();
  const { code } = await desk.run(shellWords(command.slice("zonewright ".length)), { output: screen });
  expect(code).toBe(0);
  await expect(`${start}$ ${command}\n${screen.text}${end}`).toMatchFileSnapshot(join(root, path));
});
