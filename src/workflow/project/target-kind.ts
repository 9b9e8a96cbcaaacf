import type { TargetKindName, TargetSettings } from "../../config/target-kinds.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { apiKind } from "../../targets/api/kind.ts";
import { filesKind } from "../../targets/files/kind.ts";
import { powerDnsKind } from "../../targets/powerdns/kind.ts";
import { rfc2136Kind } from "../../targets/rfc2136/kind.ts";
import type { TargetKind } from "../../targets/target.ts";

/**
 * The kinds of targets without a connection, apart from `connect.ts`: a command that calls no service loads no client.
 */
const kinds: Readonly<Record<TargetKindName, TargetKind>> = {
  api: apiKind,
  rfc2136: rfc2136Kind,
  powerdns: powerDnsKind,
  files: filesKind,
};

/** The kind of a target of the config. */
export function kindOf({ kind }: Pick<TargetSettings, "kind">): TargetKind {
  return kinds[kind];
}

/** The kind of the only target of a project without `targets:`. */
export const defaultKind = apiKind;

/** Every kind, for rules and settings that belong to no target. */
export const allKinds: readonly TargetKind[] = Object.values(kinds);

/** The settings of zones of several kinds, each once. */
export function settingsOf(kinds: readonly TargetKind[]): readonly Setting[] {
  const all = kinds.flatMap(({ capabilities, fileSettings = [] }) => [...capabilities.settings, ...fileSettings]);
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed();
}
