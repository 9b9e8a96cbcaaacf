import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { startNameServer } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/cut-over.md"), "utf8");

/** The zone file of the page with this path. */
function zoneFile(path: string): string {
  return page.split(`\`\`\`bind\n; ${path}\n`)[1]?.split("```")[0] ?? expect.fail(path);
}

test.skipIf(isMissing("named"))(
  "docs/cut-over.md shows the comparison of the old server with a fixed one",
  async () => {
    const [, command = "", shown] = /^\$ zonewright (compare @.*)\n([^`]*)```$/m.exec(page) ?? [];
    const old = zoneFile("old/example.com.zone");
    const fixed = zoneFile("new/example.com.zone")
      .replace("MX  20", "MX  10")
      .replace("www  IN", "www  300 IN")
      .concat("shop IN A 192.0.2.7\n");
    const parent = `@ 86400 IN SOA a.gtld.example. h 1 1800 900 604800 900
@ 172800 IN NS a.gtld.example.
example 172800 IN NS ns1.old.example.
`;
    const desk = new Desk();
    desk.width = 100;
    const servers = ["192.0.2.53", "198.51.100.53", "203.0.113.53"];
    const zones = [{ "example.com.": old }, { "example.com.": fixed }, { "com.": parent }];
    let local = command;
    for (const [index, address] of servers.entries()) {
      const { port, stop } = await startNameServer("bind", { zones: zones[index] ?? {} });
      onTestFinished(stop);
      local = local.replace(address, `127.0.0.1:${port}`);
      desk.shown.push([`127.0.0.1:${port}`, address]);
    }
    expect(await desk.run(local)).toEqual({ code: 0, out: shown, talk: "" });
  },
);
