import type { LiveZone } from "../dns/desired-live.ts";
import { liveDigest } from "../planner/plan-file.ts";
import type { RunContext } from "./context.ts";
import { changedMeanwhile, isForAll, messageOf, waitsInVain } from "./outcome.ts";
import { ZoneLog } from "./zone-log.ts";
import { deleteZone, unlessGone } from "./zone-writer.ts";

/**
 * Deletes domains, one after the other: the last thing that a run does, and only when all else of it is done, so that
 * nothing that the plan takes away still points into them. Never rejects: what goes wrong is an event.
 */
export async function deleteZones(zones: readonly LiveZone[], context: RunContext, isAllDone: boolean): Promise<void> {
  let halt = false;
  for (const zone of zones) {
    if (halt || context.isInterrupted() || context.journal.failure) return;
    const deletion = new ZoneDeletion(zone, context);
    try {
      context.emit({ kind: "zone-begun", zone: zone.name, writes: 1 });
      if (!isAllDone) throw waitsInVain("the domain stays: it goes when all else of the plan is done, and that is not");
      await deletion.run();
    } catch (error) {
      deletion.failed(error);
      halt = isForAll(context.target, error);
    }
  }
}

class ZoneDeletion {
  readonly #zone: LiveZone;
  readonly #context: RunContext;
  readonly #log: ZoneLog;

  constructor(zone: LiveZone, context: RunContext) {
    this.#zone = zone;
    this.#context = context;
    this.#log = new ZoneLog(zone.name, context);
  }

  async run(): Promise<void> {
    const { target, backup, emit } = this.#context;
    const { name, id } = this.#zone;
    const now = await unlessGone(target, () => target.readZone(id));
    if (now && liveDigest(now) !== liveDigest(this.#zone))
      throw changedMeanwhile([`${name.slice(0, -1)}, which was to go,`]);
    if (now) {
      await backup(now);
      this.#log.deletion(now);
      await deleteZone({ ...this.#context, log: this.#log }, now);
    } else this.#log.acked({ zone: name, step: "delete-zone", write: 0 }, { already: true });
    emit({ kind: "zone-deleted", zone: name, domainId: id });
    this.#log.ended("done");
    emit({ kind: "zone-done", zone: name, left: undefined });
  }

  failed(error: unknown): void {
    this.#log.ended("failed", messageOf(error));
    this.#context.emit({ kind: "zone-failed", zone: this.#zone.name, written: 0, writes: 1, error });
  }
}
