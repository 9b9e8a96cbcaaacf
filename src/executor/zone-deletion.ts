import type { LiveZone } from "../dns/desired-live.ts";
import { liveDigest } from "../planner/plan-file.ts";
import type { ApplyContext } from "./apply-context.ts";
import { changedMeanwhile } from "./apply-problems.ts";
import { once, patience } from "./once.ts";
import type { ZoneLog } from "./zone-log.ts";
import { unlessGone } from "./zone-writer.ts";

/** Deletes a zone that is as the plan knows it, once it is kept. */
export async function deleteZone({ target, clock, backup }: ApplyContext, log: ZoneLog, zone: LiveZone): Promise<void> {
  const { name, id } = zone;
  const where = { zone: name, step: "delete-zone", write: 0 } as const;
  const now = await unlessGone(target, () => target.readZone(id));
  if (now && liveDigest(now) !== liveDigest(zone)) throw changedMeanwhile([`${name.slice(0, -1)}, which was to go,`]);
  if (now) {
    await backup(now);
    log.deletion(now);
    // Sent again it does no harm: ids are never given twice, and 404 says that the zone is gone.
    await once(
      { target, clock, log },
      {
        where,
        patience: patience.deleteZone,
        send: async () => {
          await target.deleteZone(id);
          return {};
        },
        look: async () => ((await unlessGone(target, () => target.readSettings(id))) ? undefined : {}),
        readRefusal: async (failure) => (failure === "gone" ? {} : undefined),
      },
    );
  } else log.acked(where, { already: true });
  log.written({ kind: "zone-deleted", zone: name, domainId: id });
  log.done(undefined);
}
