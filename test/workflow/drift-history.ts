import { expect } from "vitest";
import { createServer } from "../../src/server/server.ts";
import { type ApiDesk, apiDesk } from "../cli/run.ts";

/** A generator of numbers below a limit; the same seed gives the same numbers (mulberry32). */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** The last write to a record or a setting, as the history has it. */
interface Write {
  readonly user: string;
  readonly time: string;
}

interface StoredRecord {
  readonly id: number;
  name: string;
  target: string;
}

interface History {
  readonly desk: ApiDesk;
  /** By the present value of a record, or the value that it had when the snapshot was taken. */
  readonly last: ReadonlyMap<string, Write>;
  readonly lastSetting: ReadonlyMap<string, Write>;
}

const users = ["alice", "bob"];

/** The zone before the changes: three names with two addresses each. */
export const yaml = {
  "zones/example.com.yaml": `# ours
soa_email: a@example.com # who reads it
ttl_sec: 1h
records:
  n0: { A: [192.0.2.1, 192.0.2.2] } # first
  n1:
    # second
    A: [192.0.2.3, 192.0.2.4]
  n2: { A: [192.0.2.5, 192.0.2.6] }
`,
};

/** The same as a BIND zone file. */
export const bind = {
  "zones/example.com.zone": `; ours
$TTL 1h
@  SOA ns1.example.com. a.example.com. 1 4h 1h 2w 1h ; who reads it
n0 A 192.0.2.1 ; first
   A 192.0.2.2
n1 A 192.0.2.3
n1 A 192.0.2.4 ; second
n2 A 192.0.2.5
n2 A 192.0.2.6
`,
};

/** Takes a snapshot of a zone with six records, and lets two users change it, often within the same seconds. */
export async function play(seed: number, steps: number, files: Record<string, string> = yaml): Promise<History> {
  const below = random(seed);
  const desk = await apiDesk(files);
  expect((await desk.run("apply --yes")).code).toBe(0);
  expect((await desk.run("snapshot --out snapshot.json")).code).toBe(0);
  const { data } = await desk.call("GET", "/domains/1/records?page_size=500");
  const records: StoredRecord[] = data.map(({ id, name, target }: StoredRecord) => ({ id, name, target }));
  /** The values of each record in the snapshot. */
  const before = new Map(records.map(({ id, target }) => [id, target]));
  const last = new Map<string, Write>();
  const lastSetting = new Map<string, Write>();
  let clock = Date.parse("2026-03-04T12:10:00Z");
  let values = 10;
  const server = createServer({ store: desk.store, clock: () => new Date(clock) });
  const tokens = new Map<string, string>();
  for (const username of users) tokens.set(username, await desk.mint({ username, account: "admin" }));
  for (let step = 0; step < steps; step++) {
    clock += [0, 1000, 2000, 5000, 60_000][below(5)] as number;
    const user = users[below(users.length)] as string;
    const write = { user, time: new Date(clock).toISOString().slice(0, 19) };
    const send = async (method: string, path: string, body?: unknown) => {
      const request = new Request(`http://api/v4/domains/1${path}`, {
        method,
        headers: { Authorization: `Bearer ${tokens.get(user)}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const reply = await server(request, { remoteAddress: "192.0.2.99" });
      if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
      return (await reply.json()) as { readonly id: number };
    };
    const record = records[below(Math.max(1, records.length))];
    const kind = record ? below(6) : 0;
    const note = (stored: StoredRecord) => {
      last.set(stored.target, write);
      const was = before.get(stored.id);
      if (was !== undefined) last.set(was, write);
    };
    if (kind === 0 || !record) {
      const [name, target] = [`n${below(4)}`, `192.0.2.${++values}`];
      const { id } = await send("POST", "/records", { type: "A", name, target });
      records.push({ id, name, target });
      note(records.at(-1) as StoredRecord);
    } else if (kind === 1) {
      record.target = `192.0.2.${++values}`;
      await send("PUT", `/records/${record.id}`, { target: record.target });
      note(record);
    } else if (kind === 2) {
      record.name = `n${below(5)}`;
      await send("PUT", `/records/${record.id}`, { name: record.name });
      note(record);
    } else if (kind === 3) {
      await send("DELETE", `/records/${record.id}`);
      records.splice(records.indexOf(record), 1);
      note(record);
    } else if (kind === 4) {
      await send("PUT", `/records/${record.id}`, { ttl_sec: [300, 3600, 7200][below(3)] });
      note(record);
    } else {
      const [name, setting] = below(2) === 0 ? ["soa_email", `${user}@example.com`] : ["ttl_sec", 7200];
      await send("PUT", "", { [name as string]: setting });
      lastSetting.set(name as string, write);
    }
  }
  return { desk, last, lastSetting };
}
