import { createProbe } from "../../../src/server/areas/managed/probe.ts";
import { createReach } from "../../../src/server/areas/managed/reach.ts";

/** Probes URLs of this machine, and prints the reasons. Node reads the authorities that it trusts at its start. */
const reach = createReach(
  () => true,
  async () => ["127.0.0.1"],
);
const outcomes: string[] = [];
for (const address of process.argv.slice(2)) {
  const service = { service_type: "url" as const, address, body: null, timeout: 5 };
  outcomes.push((await createProbe(reach)(service, new AbortController().signal)) ?? "up");
}
process.stdout.write(JSON.stringify(outcomes));
