import { hasErrors, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { LiveZone } from "../dns/desired-live.ts";
import type { Zone, ZoneSettings } from "../dns/zone.ts";
import type { ReadZone } from "../formats/files.ts";
import { formatOf, formats } from "../formats/formats.ts";
import type { ReadResult, Source } from "../formats/source.ts";
import { isInSync, planZone } from "../planner/plan.ts";
import { accept } from "../targets/api/accept.ts";

import { withoutSoa, zoneIntoFile } from "./zone-into-file.ts";

/** A file's text, and what of the zone it says in another way. */
interface Written {
  readonly bytes: Uint8Array;
  readonly said: readonly Problem[];
}

/**
 * The text of a file with what is stored in it, which is `wanted` as a file can say it; comments, order and whatever did
 * not change stay. A file with errors is written anew: there is no knowing what of it would stay.
 * @throws {ProblemError} where a person must edit the file.
 */
export function intoFile(existing: ReadZone, live: LiveZone, wanted: Zone, defaults: ZoneSettings): Written {
  const { file, format } = existing;
  const source: Source = formatOf(file) ?? formats.bind;
  if (format !== undefined || !source.rewrite) {
    const fix = "Edit it by hand, or move the zone to a file of zonewright.";
    throw new ProblemError(
      problem("rewrite-format", `${file} is a file of ${format ?? source.name}, which is only read`, { fix }),
    );
  }
  const { zone, problems } = source.read(existing);
  if (hasErrors(problems)) return { bytes: Buffer.from(source.write(wanted)), said: [] };
  const merged = zoneIntoFile(zone, live, wanted, zone.settings.type === "slave" ? {} : defaults);
  const said: Problem[] = [];
  const bytes = source.rewrite(merged, existing, (found) => said.push(found));
  if (saysTheSame(source.read({ ...existing, bytes }), live, defaults)) return { bytes, said };
  said.length = 0;
  return { bytes: source.rewrite(withoutSoa(merged), existing, (found) => said.push(found)), said };
}

function saysTheSame({ zone }: ReadResult, live: LiveZone, defaults: ZoneSettings): boolean {
  const settings = zone.settings.type === "slave" ? zone.settings : { ...defaults, ...zone.settings };
  return isInSync(planZone(accept({ ...zone, settings }).desired, live));
}
