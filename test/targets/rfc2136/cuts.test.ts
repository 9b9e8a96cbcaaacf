// @suite nightly
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import { type Configuration, configurations, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { type CutServer, cuts, tryCut } from "./cuts.ts";
import { startJudge } from "./edits.ts";

const some: readonly Configuration[] = ["BIND", "Knot, signed", "PowerDNS"];
const judged = isNightly ? (Object.keys(configurations) as Configuration[]) : some;

/** The zones of one server: each run takes one. */
const zonesOfServer = 60;

/** The numbers of messages that are tried: two of them take long. */
const countsOf = (configuration: Configuration) => (isNightly || configuration === "BIND" ? [1, 2] : [1]) as (1 | 2)[];

describe.skipIf(isMissing("named", "knotd", "pdns_server", "nsupdate", "venv")).each(judged)("%s", (configuration) => {
  let cutServer: CutServer;
  let taken = 0;
  beforeAll(async () => {
    const server = await startUpdateServer(configuration, zonesOfServer);
    cutServer = { configuration, server, judge: startJudge() };
  });
  afterAll(async () => {
    cutServer.judge.stop();
    await cutServer.server.stop();
  });

  test.each(countsOf(configuration))(
    "of %i messages, the connection of the last is cut",
    async (messages) => {
      const rows: string[] = [];
      for (const isOvertaken of [false, true]) {
        rows.push(
          "",
          `## ${isOvertaken ? "Another client edits www A after the cut" : "No other client edits the zone"}`,
          "",
        );
        rows.push("| connection | updates sent | the run says | the zone | the next plan |", "|---|---|---|---|---|");
        for (const [name, cut] of Object.entries(cuts)) {
          if (isOvertaken && (cut.isRefused || cut.isTold)) continue;
          const zone = zoneOfNumber(taken++);
          const result = await tryCut(cutServer, { zone, cut, messages, isOvertaken });
          const said = result.said.map((line) =>
            line.replaceAll(zone.slice(0, -1), "ZONE").replaceAll(/127\.0\.0\.1:\d+/g, "SERVER"),
          );
          rows.push(`| ${[name, result.sent, said.join("<br>"), result.zone, result.next].join(" | ")} |`);
          // BIND serves a zone again and again while it signs it.
          const once = (result.zone.startsWith("as the file") ? messages : messages - 1) + (isOvertaken ? 1 : 0);
          if (result.states !== undefined && !configuration.startsWith("BIND, "))
            expect(result.states, name).toBe(once);
        }
      }
      const title = `# The connection is cut at ${messages === 1 ? "the only update of a run" : "the second update of a run"}`;
      const page = `../../cases/cuts/${messages === 1 ? "only" : "second"}-update.md`;
      await expect(`${title}\n${rows.join("\n")}\n`).toMatchFileSnapshot(page);
    },
    120_000,
  );
});
