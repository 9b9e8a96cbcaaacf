import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Program } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "./file-servers.ts";
import { Fleet, master } from "./fleet.ts";

describe.skipIf(isMissing("named", "knotd", "nsd"))("the next step after a failure, by the server", () => {
  test.each<[Program, string]>([
    ["bind", "named.conf"],
    ["knot", "knot.conf"],
    ["nsd", "nsd.conf"],
  ])("%s does not know the zone", async (program, to) => {
    const server = await startFileServer(program, {});
    onTestFinished(() => server.stop());
    const fleet = new Fleet({ "example.com.zone": master() }, `reload: ${JSON.stringify(server.reload)}`);
    const { code, talk } = await fleet.apply();
    expect(code).not.toBe(0);
    expect(talk).toContain(
      `. Have the server read the list of zones that \`zonewright export --to ${to} --role primary\` writes. The next apply loads the file again.\n`,
    );
  });

  test("rndc finds no key", async () => {
    const fleet = new Fleet({ "example.com.zone": master() }, 'reload: [rndc, -k, rndc.key, reload, "{zone}"]');
    expect((await fleet.apply()).talk).toContain(
      ". Make rndc.key readable for this user, or name another key in `reload`: `-k`, FILE. The next apply loads the file again.\n",
    );
  });

  test("BIND serves the zone from another file: doctor tells before the first apply, and apply after its reload", async () => {
    const fleet = new Fleet({ "example.com.zone": master() });
    const file = join(fleet.folder, "db.example.com");
    writeFileSync(file, master());
    const server = await startFileServer("bind", { "example.com": file });
    onTestFinished(() => server.stop());
    const verifyAt = `verify_at: 127.0.0.1:${server.port}`;
    fleet.configure(`reload: ${JSON.stringify(server.reload)}, ${verifyAt}`);
    const { out } = await fleet.run("doctor");
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "BIND loads example.com from /desk/db.example.com Correct `folder`, or `file` of the zone.",
    );
    const { code, talk } = await fleet.apply();
    expect(code).not.toBe(0);
    expect(talk).toContain(
      "has serial 7. It loads another file, or `verify_at` has another port. `zonewright doctor` asks it, and its log tells. The next apply loads the file again.\n",
    );
  });
});
