import type { LiveZone } from "../dns/desired-live.ts";
import { liveDigest } from "../planner/plan-file.ts";
import type { RunContext } from "./context.ts";
import { changedMeanwhile } from "./outcome.ts";
import { ZoneLog } from "./zone-log.ts";
import { deleteZone, unlessGone } from "./zone-writer.ts";

/** The deletion of one domain: compared with the plan, kept, deleted. */
export class ZoneDeletion {
  readonly log: ZoneLog;
  readonly #zone: LiveZone;
  readonly #context: RunContext;

  constructor(zone: LiveZone, context: RunContext) {
    this.log = new ZoneLog(zone.name, 1, context);
    this.#zone = zone;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { target, backup } = this.#context;
    const { name, id } = this.#zone;
    const now = await unlessGone(target, () => target.readZone(id));
    if (now && liveDigest(now) !== liveDigest(this.#zone))
      throw changedMeanwhile([`${name.slice(0, -1)}, which was to go,`]);
    if (now) {
      await backup(now);
      this.log.deletion(now);
      await deleteZone({ ...this.#context, log: this.log }, now);
    } else this.log.acked({ zone: name, step: "delete-zone", write: 0 }, { already: true });
    this.log.written({ kind: "zone-deleted", zone: name, domainId: id });
    this.log.done(undefined);
  }
}
