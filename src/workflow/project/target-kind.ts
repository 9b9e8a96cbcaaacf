import type { Config } from "../../config/config.ts";
import type { TargetKindName } from "../../config/target-kinds.ts";
import { recordsSettings } from "../../contract/records-setting.ts";
import type { RecordsSetting } from "../../contract/resources/open-record.ts";
import type { Setting } from "../../dns/zone/zone-settings.ts";
import { apiKindWith } from "../../targets/api/kind.ts";
import { filesKind } from "../../targets/files/kind.ts";
import { powerDnsKind } from "../../targets/powerdns/kind.ts";
import { rfc2136Kind } from "../../targets/rfc2136/kind.ts";
import type { TargetKind } from "../../targets/target.ts";

/**
 * The kinds of targets without a connection, apart from `connect.ts`: a command that calls no service loads no client.
 */
const kinds: Readonly<Record<Exclude<TargetKindName, "api">, TargetKind>> = {
  rfc2136: rfc2136Kind,
  powerdns: powerDnsKind,
  files: filesKind,
};

/** The kind of a target of the config. */
export function kindOf(settings: KindSettings): TargetKind {
  return settings.kind === "api" ? apiKindWith(settings.records) : kinds[settings.kind];
}

/** The settings of a target on which its kind of service depends. */
interface KindSettings {
  readonly kind: TargetKindName;
  readonly records?: RecordsSetting | undefined;
}

/** The kind of the only target of a project without `targets:`. */
export function defaultKind({ api_records }: Pick<Config, "api_records">): TargetKind {
  return apiKindWith(api_records);
}

/** The records setting of the API of a project; documented for a target of another kind. */
export function recordsSettingOf({ view, config }: ProjectOfApi): RecordsSetting {
  const setting = view === undefined ? config.api_records : view.kind === "api" ? view.records : undefined;
  return setting ?? "documented";
}

interface ProjectOfApi {
  readonly view?: KindSettings;
  readonly config: Pick<Config, "api_records">;
}

/** Every kind, for rules and settings that belong to no target. */
export const allKinds: readonly TargetKind[] = [
  ...recordsSettings.map((records) => apiKindWith(records)),
  ...Object.values(kinds),
];

/** The settings of zones of several kinds, each once. */
export function settingsOf(kinds: readonly TargetKind[]): readonly Setting[] {
  const all = kinds.flatMap(({ capabilities, fileSettings = [] }) => [...capabilities.settings, ...fileSettings]);
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed();
}
