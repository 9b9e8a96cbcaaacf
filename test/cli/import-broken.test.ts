import { expect, onTestFinished, test } from "vitest";
import {
  type Breakage,
  breakageOf,
  breakages,
  keyText,
  recordsOf,
  startBrokenServer,
  zoneName,
} from "../dns/transfer/broken-server.ts";
import { Desk } from "./run.ts";

test("of many zones, each broken one is reported once and skipped", async () => {
  const [count, every] = [100, 7];
  const server = await startBrokenServer(every);
  onTestFinished(server.stop);
  const zones = Array.from({ length: count }, (_, index) => index);
  const desk = new Desk({
    "zones.txt": zones.map((index) => `${zoneName(index)}\n`).join(""),
    "transfer.key": keyText,
  });
  const from = `--from 127.0.0.1:${server.port} --tsig-key transfer.key --resolver 127.0.0.1:${server.port}`;
  const command = `import axfr --zones-file zones.txt --max-records 1000 --report json ${from}`;
  const { code, out, talk } = await desk.run(command);
  expect(code).toBe(5);

  const broken = zones.filter((index) => breakageOf(index, every));
  expect(new Set(broken.map((index) => breakageOf(index, every)))).toEqual(new Set(Object.keys(breakages)));
  const report = JSON.parse(out) as Report;
  expect(report.zones.map(outcome)).toEqual(
    zones.map((index) => {
      const breakage = breakageOf(index, every);
      return breakage
        ? `${zoneName(index)} ${breakages[breakage]}`
        : `${zoneName(index)} ${recordsOf(index).length + 1}`;
    }),
  );
  // On the terminal the zones with the same problem share its message.
  const named = talk.match(/z\d{5}\.bench\.example/g) ?? [];
  expect(named.toSorted()).toEqual(broken.map(zoneName));
  expect(talk.match(/^error\S+/gm)?.toSorted()).toEqual(
    Object.values(breakages)
      .map((id) => `error[${id}]`)
      .sort(),
  );
  const good = zones.filter((index) => !broken.includes(index));
  expect(Object.keys(desk.files()).filter((file) => file.startsWith("zones/"))).toEqual(
    good.map((index) => `zones/${zoneName(index)}.yaml`),
  );
  // A zone that changed during its transfer is requested once more, any other once.
  expect([...server.requests]).toEqual(
    zones.map((index) => [zoneName(index), breakageOf(index, every) === ("other-serial" satisfies Breakage) ? 2 : 1]),
  );
});

interface Report {
  readonly zones: readonly {
    readonly zone: string;
    readonly problems: readonly { readonly id: string }[];
    readonly ledger?: { readonly entries: readonly object[] };
  }[];
}

/** The problems of a zone that failed, or the number of records of its ledger. */
function outcome({ zone, problems, ledger }: Report["zones"][number]): string {
  return `${zone} ${ledger ? ledger.entries.length : problems.map(({ id }) => id).join(" ")}`;
}
