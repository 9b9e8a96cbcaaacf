import { ApiError } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { nameKey } from "../dns/name.ts";
import { type PlanFileInput, planFile } from "../planner/plan-file.ts";
import type { PlanFile } from "../planner/plan-schema.ts";
import { headOf } from "./git.ts";
import type { Planned } from "./plan.ts";
import { sourceOf } from "./plan-source.ts";
import type { Project } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { version } from "./version.ts";
import type { ReadZones } from "./zones.ts";

/** The API, and whose account the token is of; null where the token may not say it. */
export async function targetOf(
  client: Pick<Client, "getAccount">,
  api: string,
  signal: AbortSignal,
): Promise<PlanFile["target"]> {
  try {
    return { api, account: (await client.getAccount({}, { signal })).euuid };
  } catch (error) {
    if (isHidden(error)) return { api, account: null };
    throw error;
  }
}

/** The id of the account's newest event, 0 before the first; undefined where the token may not read events. */
export async function lastEventOf(
  client: Pick<Client, "listEvents">,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const { data } = await client.listEvents({ query: { page: 1, page_size: 25 } }, { signal });
    return data[0]?.id ?? 0;
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** May this token not see what it asked for? */
export function isHidden(error: unknown): boolean {
  return error instanceof ApiError && ["scope", "grant", "not-found"].includes(error.kind);
}

interface Writing extends Pick<PlanFileInput, "lifeSeconds"> {
  readonly read: ReadZones;
  readonly planned: Planned;
  /** With the moment at which it was seen. */
  readonly target: PlanFile["target"] & { readonly time: Date; readonly lastEvent?: number | undefined };
}

export function fileOfPlan(
  context: RunContext,
  project: Project,
  { read, planned, target: { time, lastEvent, ...target }, lifeSeconds }: Writing,
): PlanFile {
  const commit = headOf(context.cwd);
  return planFile({
    ...planned,
    version: version(),
    source: {
      ...(commit !== undefined && { commit }),
      ...sourceOf(read.zones, planned.desired, project.config),
    },
    target,
    live: [...planned.desired, ...planned.deletions].map(({ name }) => [
      nameKey(name),
      planned.live.get(nameKey(name)),
    ]),
    seen: time,
    lastEvent,
    now: context.now(),
    lifeSeconds,
    nonce: context.nonce(),
  });
}
