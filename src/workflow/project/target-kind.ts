import type { TargetKindName, TargetSettings } from "../../config/target-kinds.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { apiKind } from "../../targets/api/kind.ts";
import type { TargetKind } from "../../targets/target.ts";

/**
 * The kinds of targets without a connection, apart from `connect.ts`: a command that calls no service loads no client.
 * What a kind can do may depend on the settings of the target.
 */
const kinds: { readonly [Kind in TargetKindName]: (settings: TargetSettings & { readonly kind: Kind }) => TargetKind } =
  {
    api: () => apiKind,
  };

/** The kind of a target of the config. */
export function kindOf(settings: TargetSettings): TargetKind {
  return kinds[settings.kind](settings);
}

/** The kind of the only target of a project without `targets:`. */
export const defaultKind = apiKind;

/** Every kind, for rules and settings that belong to no target. */
export const allKinds: readonly TargetKind[] = [apiKind];

/** The settings of zones of several kinds, each once. */
export function settingsOf(kinds: readonly TargetKind[]): readonly Setting[] {
  const [first, ...others] = kinds;
  if (others.length === 0) return first?.capabilities.settings ?? [];
  return [
    ...new Map(kinds.flatMap(({ capabilities }) => capabilities.settings).map((one) => [one.name, one])).values(),
  ];
}
