import type { LiveZone } from "../dns/desired-live.ts";
import { liveDigest } from "../planner/plan-file.ts";
import { readLiveZone } from "../targets/api/live.ts";
import type { Where } from "./entry.ts";
import type { Journal } from "./journal.ts";
import {
  changedMeanwhile,
  isAmbiguous,
  isForAll,
  isGone,
  lookUntil,
  messageOf,
  waits,
  waitsInVain,
} from "./outcome.ts";
import { ZoneLog } from "./zone-log.ts";
import type { Tools } from "./zone-run.ts";

interface World extends Omit<Tools, "check"> {
  readonly journal: Journal;
}

/**
 * Deletes domains, one after the other: the last thing that a run does, and only when all else of it is done, so that
 * nothing that the plan takes away still points into them. Never rejects: what goes wrong is an event.
 */
export async function deleteZones(zones: readonly LiveZone[], world: World, isAllDone: boolean): Promise<void> {
  let halt = false;
  for (const zone of zones) {
    if (halt || world.isAsked() || world.journal.failure) return;
    const deletion = new ZoneDeletion(zone, world);
    try {
      world.tell({ kind: "zone-begun", zone: zone.name, writes: 1 });
      if (!isAllDone) throw waitsInVain("the domain stays: it goes when all else of the plan is done, and that is not");
      await deletion.run();
    } catch (error) {
      deletion.failed(error);
      halt = isForAll(error);
    }
  }
}

class ZoneDeletion {
  readonly #zone: LiveZone;
  readonly #world: World;
  readonly #log: ZoneLog;
  readonly #where: Where;

  constructor(zone: LiveZone, world: World) {
    this.#zone = zone;
    this.#world = world;
    this.#log = new ZoneLog(zone.name, world.journal, world.clock, world.tell);
    this.#where = { zone: zone.name, step: "delete-zone", write: 0 };
  }

  async run(): Promise<void> {
    const { backup, tell } = this.#world;
    const { name, id } = this.#zone;
    const now = await this.#stored();
    if (now && liveDigest(now) !== liveDigest(this.#zone))
      throw changedMeanwhile([`${name.slice(0, -1)}, which was to go,`]);
    if (now) {
      await backup(now);
      this.#log.deletion(now);
      await this.#delete();
    } else this.#log.acked(this.#where, { already: true });
    tell({ kind: "zone-deleted", zone: name, domainId: id });
    this.#log.ended("done");
    tell({ kind: "zone-done", zone: name, left: undefined });
  }

  failed(error: unknown): void {
    this.#log.ended("failed", messageOf(error));
    this.#world.tell({ kind: "zone-failed", zone: this.#zone.name, written: 0, writes: 1, error });
  }

  /** Sent again it does no harm: ids are never given twice, and 404 says that the domain is gone. */
  async #delete(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await this.#log.sent(this.#where);
      try {
        await this.#world.client.deleteDomain({ domainId: this.#zone.id });
        this.#log.acked(this.#where, {});
        return;
      } catch (error) {
        if (isGone(error)) {
          this.#log.acked(this.#where, {});
          return;
        }
        if (!isAmbiguous(error)) {
          this.#log.refused(this.#where, messageOf(error));
          throw error;
        }
        this.#log.ambiguous(this.#where, undefined, error);
        const look = async () => ((await this.#isThere()) ? undefined : true);
        const isGoneNow =
          (await lookUntil(look, this.#world.clock, waits.slice(0, attempt === 0 ? 2 : undefined))) === true;
        this.#log.resolved(this.#where, undefined, { done: isGoneNow });
        if (isGoneNow) return;
        if (attempt === 2) throw error;
      }
    }
  }

  async #isThere(): Promise<boolean> {
    try {
      await this.#world.client.getDomain({ domainId: this.#zone.id });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async #stored(): Promise<LiveZone | undefined> {
    try {
      return await readLiveZone(this.#world.client, this.#zone.id);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }
}
