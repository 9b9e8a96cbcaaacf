import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apply, createRunContext, openProject, planZones } from "zonewright";
import { nameKey, rdataText, readName, readZoneFile } from "zonewright/dns";
import {
  type Capabilities,
  createMemoryTarget,
  type MemoryMessage,
  type OnMemoryMessage,
  type Target,
  type WriteFailure,
} from "zonewright/testing";

const name = readName("example.com.");

function recordsOf(text: string) {
  return readZoneFile({ bytes: Buffer.from(text), origin: name, file: "example.com.zone" }).zone.records;
}

/** Applies a zone to a service that refuses the first write, and then loses the reply to each. */
async function run(options: Pick<Capabilities, "ids" | "changeSets" | "lock">): Promise<string> {
  let failure: WriteFailure | undefined = "refused";
  const lost: MemoryMessage[] = [];
  const onMessage: OnMemoryMessage = async (message, carryOut, fail) => {
    if (message.isWrite && failure === "refused") throw fail(failure);
    const reply = await carryOut();
    if (!message.isWrite || failure !== "lost") return reply;
    lost.push(message);
    throw fail(failure);
  };
  const memory = createMemoryTarget({ ...options, onMessage });
  memory.addZone(name, recordsOf("$TTL 1h\na A 192.0.2.1\n"));
  const requests: string[] = [];
  const target: Target = {
    ...memory,
    read: {
      ...memory.read,
      readRecords: (zone, options) => {
        requests.push(zone.name);
        return memory.read.readRecords(zone, options);
      },
    },
  };

  const folder = mkdtempSync(join(tmpdir(), "zonewright-testing-"));
  try {
    mkdirSync(join(folder, "zones"));
    writeFileSync(join(folder, "zones", "example.com.zone"), "$TTL 1h\na A 192.0.2.2\nwww A 192.0.2.1\n");
    const context = { ...createRunContext(process), cwd: folder, sleep: async () => {} };
    const project = openProject(context, { config: "zonewright.yaml", kind: target });
    const service = { target, api: "memory" };
    const request = { names: [], confirm: async () => true };

    const { report } = await planZones(context, project, service, { names: [] });
    if (report.plan.zones.length !== 1 || requests[0] !== name) throw new Error("one zone is read and planned");
    const first = await apply(context, project, service, request);
    const errors = first.state === "run" ? first.run.errors : [];
    const reasons = errors.map((error) => target.writes.failureOf(error));

    failure = "lost";
    await apply(context, project, service, request);
    failure = undefined;
    memory.edit(
      name,
      [...recordsOf("$TTL 1h\nx A 192.0.2.9\n")].map((record) => ({ add: record })),
    );
    const [zone] = await target.read.listZones();
    const stored = zone ? (await target.read.readZone(zone.id)).records : [];
    const served = memory.states.at(-1)?.get(nameKey(name));
    if (stored !== served) throw new Error("the zone is served as it is stored");
    const lines = stored.map((record) => `${record.owner} ${record.type} ${rdataText(record)}`);
    return `${reasons.join()}; ${lost.length} lost; ${lines.sort().join(", ")}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const ids of ["stored", "content"] as const)
  for (const changeSets of ["none", "zone"] as const)
    for (const lock of ["none", "record", "rrset"] as const)
      console.log(`${ids} ${changeSets} ${lock}: ${await run({ ids, changeSets, lock })}`);

// @ts-expect-error the service keeps no log of events
createMemoryTarget({ events: true });

// @ts-expect-error no message has this name
export const unknown = ({ name }: MemoryMessage): boolean => name === "delete everything";
