import type { Insertable } from "kysely";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import type { Store } from "../../src/server/store/store.ts";
import type { Database, Tables } from "../../src/server/store/tables.ts";

/**
 * Stores running nodes of account 1 without the API: each has five disks and addresses, a tag, and events of five jobs,
 * of which the last is a shutdown that is unfinished until `ends`. The labels are `web-1`, `web-2` …
 */
export async function addManyNodes(store: Store, count: number, { now, ends }: { now: Date; ends: Date }) {
  const [moment, end] = [timestamp(now), timestamp(ends)];
  const dates = { created: moment, updated: moment };
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const five = [0, 1, 2, 3, 4];
  await store.write(async (db) => {
    await insertAll(db, "nodes", ids, (id) => [
      {
        ...dates,
        ...({ account_id: 1, label: `web-${id}`, label_key: `web-${id}`, group: "", status: "shutting_down" } as const),
        ...{ type: "g6-nanode-1", region: "us-east", image: "node/debian12", rescue_devices: null },
        ...{ disk: 25_600, memory: 1024, vcpus: 1, transfer: 1000, watchdog_enabled: 1, booted_config_id: null },
        alerts: JSON.stringify({ cpu: 90, network_in: 10, network_out: 10, transfer_quota: 80, io: 10_000 }),
        ...{ backups_enabled: 0, backup_day: null, backup_window: null, backup_successful: null, backup_next: null },
      },
    ]);
    await insertAll(db, "disks", ids, (node_id) =>
      five.map((n) => ({
        ...({ node_id, label: `disk ${n}`, filesystem: "ext4", size: 512, content: 0, status: "ready" } as const),
        ...dates,
      })),
    );
    await insertAll(db, "addresses", ids, (node_id) =>
      five.map((n) => ({
        ...({ address: address(node_id * five.length + n), type: "ipv4", public: 1, network: "10.0.0.0/8" } as const),
        ...{ region: "us-east", node_id, rdns: null, freed: null },
      })),
    );
    await insertAll(db, "tags", [1, 2], (id) => [{ account_id: 1, label: `tag ${id}`, label_key: `tag ${id}` }]);
    await insertAll(db, "tagged", ids, (id) => [
      { tag_id: 1 + (id % 2), entity_type: "node" as const, entity_id: id, position: 0 },
    ]);
    await insertAll(db, "node_runs", ids, (node_id) => [{ node_id, started: moment, ended: null }]);
    await insertAll(db, "events", ids, (id) =>
      five.map((n) => ({
        ...{ account_id: 1, user_id: 1, username: "admin", action: "node_shutdown" },
        ...({ entity_id: id, entity_key: null, entity_type: "node", entity_label: `web-${id}` } as const),
        ...{ entity_url: `/v4/node/instances/${id}`, secondary_entity: null, message: null, read: 0, seen: 0 },
        ...({ created: moment, status: n === 4 ? "started" : "finished", starts: moment, ends: end } as const),
      })),
    );
    const open = await db.selectFrom("events").select(["id", "entity_id"]).where("status", "=", "started").execute();
    const eventOf = new Map(open.map(({ id, entity_id }) => [entity_id, id]));
    await insertAll(db, "jobs", ids, (id) => [
      {
        ...{ account_id: 1, event_id: eventOf.get(id) ?? null, kind: "shutdown", entity_type: "node", entity_id: id },
        ...{ ends: end, data: JSON.stringify({ before: "running" }), failure: null },
      },
    ]);
    await db.updateTable("accounts").set({ due: end }).where("id", "=", 1).execute();
  });
}

/** An address in 10.0.0.0/8. */
function address(number: number): string {
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

/** Inserts rows, some hundreds at once: a statement has a limited number of parameters. */
async function insertAll<T extends keyof Tables>(
  db: Database,
  table: T,
  ids: readonly number[],
  rowsOf: (id: number) => Insertable<Tables[T]>[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += 200)
    await db
      .insertInto(table)
      .values(ids.slice(from, from + 200).flatMap(rowsOf))
      .execute();
}
