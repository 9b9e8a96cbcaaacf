import { type Place, type Problem, problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { entryOf, readTree, type YamlMap, type YamlNode, type YamlText } from "../yaml/tree.ts";
import { isRecordSet } from "./read.ts";
import { describeScalar, isPlain, readScalar } from "./yaml-1-1.ts";

type Report = (found: Problem) => void;

/** The configuration of octoDNS, with the places of its parts. */
export interface OctodnsConfig {
  readonly providers: ReadonlyMap<string, ConfigPart>;
  readonly processors: ReadonlyMap<string, ConfigPart>;
  readonly manager: ConfigPart | undefined;
  /** In the order of the file; a name that begins with `*` stands for the zones of its sources. */
  readonly zones: readonly OctodnsZone[];
}

/** An item of the configuration: its class, its settings as lists of texts, and its place. */
export interface ConfigPart {
  readonly name: string;
  readonly at: Place;
  readonly settings: ReadonlyMap<string, readonly string[]>;
}

export interface OctodnsZone extends ConfigPart {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly processors: readonly string[];
  readonly alias: string | undefined;
}

/** Whether the root of a YAML file is that of octoDNS's configuration: `providers` and `zones`, no record sets. */
function isOctodnsConfigRoot(root: YamlNode | undefined): root is YamlMap {
  if (root?.kind !== "map") return false;
  const parts = [entryOf(root, "providers")?.value, entryOf(root, "zones")?.value];
  return parts.every((value) => value && !isRecordSet(value));
}

/** Reads a configuration; undefined if the file is none, or not readable, which is reported. */
export function readOctodnsConfig(source: SourceText, report: Report): OctodnsConfig | undefined {
  const root = readTree(source, report)?.root;
  if (!isOctodnsConfigRoot(root)) return undefined;
  const parts = (name: string) => partsOf(entryOf(root, name)?.value, source, report);
  const [manager] = partsOf({ ...root, entries: root.entries.filter(({ key }) => key === "manager") }, source, report);
  return {
    providers: new Map(parts("providers").map((part) => [part.name, part])),
    processors: new Map(parts("processors").map((part) => [part.name, part])),
    manager,
    zones: parts("zones").map((part) => ({
      ...part,
      sources: part.settings.get("sources") ?? [],
      targets: part.settings.get("targets") ?? [],
      processors: part.settings.get("processors") ?? [],
      alias: part.settings.get("alias")?.[0],
    })),
  };
}

/** The providers of a configuration, whatever else it contains; none if the file is not readable. */
export function readOctodnsProviders(source: SourceText): readonly ConfigPart[] {
  const ignore = () => {};
  const root = readTree(source, ignore)?.root;
  return root?.kind === "map" ? partsOf(entryOf(root, "providers")?.value, source, ignore) : [];
}

/** How octoDNS's provider for YAML files reads its folder. */
export interface YamlProviderSettings {
  readonly defaultTtl: number | undefined;
  readonly splitExtension: string | undefined;
}

export function yamlProviderSettings({ settings }: ConfigPart): YamlProviderSettings {
  const text = (key: string) => settings.get(key)?.[0];
  const split = isSplitProvider(settings) ? (text("extension") ?? ".") : text("split_extension");
  const ttl = Number(text("default_ttl"));
  return {
    defaultTtl: Number.isInteger(ttl) ? ttl : undefined,
    splitExtension: split === undefined || isOff(split) ? undefined : isOn(split) ? "." : split,
  };
}

export function isSplitProvider(settings: ConfigPart["settings"]): boolean {
  return settings.get("class")?.[0]?.endsWith("SplitYamlProvider") ?? false;
}

export function isOn(text: string): boolean {
  return /^(?:true|yes|on)$/i.test(text);
}

export function isOff(text: string): boolean {
  return /^(?:false|no|off)$/i.test(text);
}

function partsOf(node: YamlNode | undefined, source: SourceText, report: Report): ConfigPart[] {
  if (node?.kind !== "map") return [];
  return node.entries.map(({ key, keyAt, value }) => {
    const entries = value.kind === "map" ? value.entries : [];
    const settings = entries.map(({ key, value }) => [key, textsOf(value, source, report)] as const);
    return { name: key, at: keyAt, settings: new Map(settings) };
  });
}

function textsOf(node: YamlNode, source: SourceText, report: Report): string[] {
  if (node.kind === "list") return node.items.flatMap((item) => textsOf(item, source, report));
  return node.kind === "text" && !node.isEmpty ? [textIn11(node, source, report)] : [];
}

function textIn11(node: YamlText, source: SourceText, report: Report): string {
  const { text, at } = node;
  const scalar = isPlain(node, source.text) ? readScalar(text) : undefined;
  if (scalar?.text === undefined || scalar.text === text) return text;
  const isWord = scalar.shown === "true" || scalar.shown === "false";
  if (!isWord)
    report(problem("yaml-version", describeScalar(text, scalar), { place: at, fix: `Write ${scalar.text}.` }));
  return scalar.text;
}
