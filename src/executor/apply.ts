import pMap from "p-map";
import { ApiError } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { type Plan, type RecordChange, type Step, writesOf, type ZonePlan } from "../planner/change.ts";
import { isInSync, planZone } from "../planner/plan.ts";
import { readLiveZone } from "../provider/live.ts";
import { toApi } from "../provider/mapping.ts";
import type { ZoneSettings } from "../zone/zone.ts";
import type { ApplyEvent } from "./event.ts";
import { Queue } from "./queue.ts";

const zonesAtOnce = 4;

/**
 * Carries out a plan and yields what happens. Zones run side by side, the writes of one zone in the plan's order. A write
 * that fails stops its zone, never the others. At its end each zone is read again and compared with what was desired.
 * When `signal` aborts, the writes under way are finished and nothing new is begun.
 */
export async function* apply(plan: Plan, client: Client, signal?: AbortSignal): AsyncGenerator<ApplyEvent, void> {
  const events = new Queue<ApplyEvent>();
  const work = pMap(plan.zones, (zone) => new ZoneRun(zone, client, events, signal).run(), {
    concurrency: zonesAtOnce,
  });
  work.then(
    () => events.end(),
    (error) => events.fail(error),
  );
  yield* events;
}

/** How many writes a plan makes of a zone: the domain, its records, its settings. */
export function countWrites(zone: ZonePlan): number {
  const isNew = zone.domainId === undefined;
  const activates = isNew && zone.zone.settings.status !== "disabled";
  return writesOf(zone).length + (isNew ? 1 : 0) + (activates || zone.settings.length > 0 ? 1 : 0);
}

class Stopped extends Error {}

class ZoneRun {
  readonly #plan: ZonePlan;
  readonly #client: Client;
  readonly #events: Queue<ApplyEvent>;
  readonly #signal: AbortSignal | undefined;
  #domainId = 0;
  #written = 0;

  constructor(plan: ZonePlan, client: Client, events: Queue<ApplyEvent>, signal: AbortSignal | undefined) {
    this.#plan = plan;
    this.#client = client;
    this.#events = events;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { zone } = this.#plan;
    const writes = countWrites(this.#plan);
    if (this.#signal?.aborted) return;
    this.#events.push({ kind: "zone-begun", zone: zone.name, writes });
    try {
      await this.#write();
      const left = planZone(zone, await readLiveZone(this.#client, this.#domainId));
      this.#events.push({ kind: "zone-done", zone: zone.name, left: isInSync(left) ? undefined : left });
    } catch (error) {
      if (error instanceof Stopped) return;
      this.#events.push({ kind: "zone-failed", zone: zone.name, written: this.#written, writes, error });
    }
  }

  async #write(): Promise<void> {
    const { domainId, settings, steps, zone } = this.#plan;
    // A slave zone refuses records, so becoming a master comes first; any other setting waits for the records.
    const becomesMaster = settings.some(({ name, after }) => name === "type" && after === "master");
    if (domainId === undefined) await this.#createZone();
    else this.#domainId = domainId;
    if (becomesMaster) await this.#writeSettings();
    for (const step of steps) await this.#step(step);
    if (domainId === undefined && zone.settings.status !== "disabled") await this.#activate();
    else if (domainId !== undefined && !becomesMaster && settings.length > 0) await this.#writeSettings();
  }

  /** Disabled until its records are there: a half-filled zone is never served. */
  async #createZone(): Promise<void> {
    const { name, settings } = this.#plan.zone;
    const body = { ...sent(settings), domain: name.slice(0, -1), type: settings.type, status: "disabled" as const };
    this.#stopIfAsked();
    const { id } = await this.#client.createDomain({ body });
    this.#domainId = id;
    this.#written++;
    this.#events.push({ kind: "zone-created", zone: name, domainId: id });
  }

  async #activate(): Promise<void> {
    await this.#client.updateDomain({ domainId: this.#domainId, body: { status: "active" } });
    this.#written++;
    this.#events.push({ kind: "settings-written", zone: this.#plan.zone.name, names: ["status"] });
  }

  async #writeSettings(): Promise<void> {
    this.#stopIfAsked();
    const changed = Object.fromEntries(this.#plan.settings.map(({ name, after }) => [name, after]));
    await this.#client.updateDomain({ domainId: this.#domainId, body: sent(changed) });
    this.#written++;
    this.#events.push({ kind: "settings-written", zone: this.#plan.zone.name, names: Object.keys(changed) });
  }

  /** The writes of a step follow one another; if one is refused, what the step deleted is put back. */
  async #step({ writes }: Step): Promise<void> {
    this.#stopIfAsked();
    const deleted: RecordChange[] = [];
    for (const change of writes) {
      try {
        await this.#record(change);
      } catch (error) {
        if (error instanceof ApiError)
          for (const { before } of deleted.filter((change) => change.kind === "delete")) await this.#create(before);
        throw error;
      }
      if (change.kind === "delete") deleted.push(change);
      this.#written++;
      this.#events.push({ kind: "record-written", zone: this.#plan.zone.name, change });
    }
  }

  async #record(change: RecordChange): Promise<void> {
    const domainId = this.#domainId;
    if (change.kind === "create") await this.#create(change.after);
    else if (change.kind === "update") {
      const body = toApi(change.after, this.#plan.zone.name);
      await this.#client.updateRecord({ domainId, recordId: change.before.id, body });
    } else {
      await this.#client.deleteRecord({ domainId, recordId: change.before.id }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    }
  }

  async #create(record: Parameters<typeof toApi>[0]): Promise<void> {
    await this.#client.createRecord({ domainId: this.#domainId, body: toApi(record, this.#plan.zone.name) });
  }

  #stopIfAsked(): void {
    if (this.#signal?.aborted) throw new Stopped();
  }
}

/** Settings as a request carries them: its own copies of the lists. */
function sent({ tags, axfr_ips, master_ips, ...rest }: ZoneSettings) {
  return {
    ...rest,
    ...(tags && { tags: [...tags] }),
    ...(axfr_ips && { axfr_ips: [...axfr_ips] }),
    ...(master_ips && { master_ips: [...master_ips] }),
  };
}
