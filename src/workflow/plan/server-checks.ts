import type { Problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import type { SilentServer } from "../name-servers/entering.ts";
import type { ServersInUse } from "../name-servers/leaving.ts";
import type { CheckedKeys } from "../name-servers/signing.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { declaredServers } from "../zones/target-servers.ts";

/** Zones of a plan and their files. */
interface PlannedZones {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
  readonly files: readonly ZoneOfFile[];
}

interface CheckOptions {
  /** Whether the live zones are those of the service, and not of a snapshot. */
  readonly isLive: boolean;
  readonly skipInvalid: boolean | undefined;
  /** Whether NS records of servers that do not answer yet are left out. */
  readonly withholdsServers: boolean;
}

/**
 * Checks of a plan that ask the name servers of zones on several targets. Nothing is asked for a project with one
 * target, or for a plan against a snapshot.
 */
export class ServerChecks {
  readonly #context: RunContext;
  readonly #project: Project;
  readonly #options: CheckOptions;
  readonly #isAsking: boolean;

  constructor(context: RunContext, project: Project, options: CheckOptions) {
    [this.#context, this.#project, this.#options] = [context, project, options];
    this.#isAsking = options.isLive && project.view !== undefined && project.targets.length > 1;
  }

  /** Zones whose targets do not have each other's keys. @throws {ProblemError} `keys-differ` */
  async findDifferentKeys(zones: PlannedZones): Promise<CheckedKeys> {
    if (!this.#isAsking) return { skipped: [], awaited: [], unknown: [] };
    const { checkKeys } = await import("../name-servers/signing.ts");
    return checkKeys(this.#context, this.#project, zones, this.#options.skipInvalid);
  }

  /** The findings about keys that are not known, except for servers that do not answer with the zone yet. */
  async noteUnknownKeys(
    { unknown, awaited: waiting }: Pick<CheckedKeys, "unknown" | "awaited">,
    silent: readonly SilentServer[],
  ): Promise<Problem[]> {
    if (unknown.length === 0) return [];
    const { unknownKeysNotes } = await import("../name-servers/signing.ts");
    const declared = declaredServers(this.#project, this.#project.targets);
    const awaited = new Set([
      ...waiting.map(({ zone, target }) => `${zone} ${target}`),
      ...silent.flatMap(({ zone, server }) =>
        (declared.get(nameKey(server)) ?? []).map(({ target }) => `${zone} ${target.name}`),
      ),
    ]);
    return unknownKeysNotes(unknown.filter(({ zone, target }) => !awaited.has(`${zone} ${target}`)));
  }

  /** The zones, for writes without NS records of servers that do not answer yet or wait for keys, and the former. */
  async withholdServers(
    zones: PlannedZones,
    { awaited }: Pick<CheckedKeys, "awaited">,
  ): Promise<{
    readonly desired: readonly DesiredZone[];
    readonly silent: readonly SilentServer[];
    readonly notes: readonly Problem[];
  }> {
    const { desired, live } = zones;
    if (!this.#isAsking) return { desired, silent: [], notes: [] };
    const { findSilentServers, withoutSilent } = await import("../name-servers/entering.ts");
    const servers = await findSilentServers(this.#context, this.#project, zones);
    const others = awaited.filter(({ target }) => target !== this.#project.view?.name);
    const ofKeys = others.flatMap(({ zone, servers }) => servers.map((server) => ({ zone, server })));
    const withheld = { ...servers, silent: [...servers.silent, ...ofKeys] };
    const left = this.#options.withholdsServers
      ? desired.flatMap((zone) => withoutSilent(zone, live.get(nameKey(zone.name)), withheld) ?? [])
      : desired;
    return { desired: left, silent: servers.silent, notes: [...awaited.map(({ note }) => note), ...servers.notes] };
  }

  /** Reasons why resolvers may still ask this target for zones to delete, which other targets keep. */
  async findInUse(deletions: readonly LiveZone[]): Promise<Partial<ServersInUse>> {
    if (!this.#isAsking || deletions.length === 0) return {};
    const { findServersInUse } = await import("../name-servers/leaving.ts");
    return findServersInUse(this.#context, this.#project, deletions);
  }
}
