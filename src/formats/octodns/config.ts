import type { Place, Problem } from "../../diagnostics/problem.ts";
import type { SourceText } from "../../diagnostics/source-text.ts";
import { entryOf, readTree, textOf, type YamlMap, type YamlNode } from "../yaml/tree.ts";
import { isRecordSet } from "./read.ts";

/** The configuration of octoDNS, with the places of its parts. */
export interface OctodnsConfig {
  readonly providers: ReadonlyMap<string, ConfigPart>;
  readonly processors: ReadonlyMap<string, ConfigPart>;
  readonly manager: ConfigPart | undefined;
  /** In the order of the file; a name that begins with `*` stands for the zones of its sources. */
  readonly zones: readonly ConfiguredZone[];
}

/** An item of the configuration: its class, its settings as lists of texts, and its place. */
export interface ConfigPart {
  readonly name: string;
  readonly at: Place;
  readonly settings: ReadonlyMap<string, readonly string[]>;
}

export interface ConfiguredZone extends ConfigPart {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly processors: readonly string[];
  readonly alias: string | undefined;
}

/** Whether the root of a YAML file is that of octoDNS's configuration: `providers` and `zones`, no record sets. */
export function isOctodnsConfigRoot(root: YamlNode | undefined): root is YamlMap {
  if (root?.kind !== "map") return false;
  const parts = [entryOf(root, "providers")?.value, entryOf(root, "zones")?.value];
  return parts.every((value) => value && !isRecordSet(value));
}

/** Reads a configuration; undefined if the file is none, or not readable, which is reported. */
export function readOctodnsConfig(source: SourceText, report: (found: Problem) => void): OctodnsConfig | undefined {
  const root = readTree(source, report)?.root;
  if (!isOctodnsConfigRoot(root)) return undefined;
  const [manager] = partsOf({ ...root, entries: root.entries.filter(({ key }) => key === "manager") });
  return {
    providers: new Map(partsOf(entryOf(root, "providers")?.value).map((part) => [part.name, part])),
    processors: new Map(partsOf(entryOf(root, "processors")?.value).map((part) => [part.name, part])),
    manager,
    zones: partsOf(entryOf(root, "zones")?.value).map((part) => ({
      ...part,
      sources: part.settings.get("sources") ?? [],
      targets: part.settings.get("targets") ?? [],
      processors: part.settings.get("processors") ?? [],
      alias: part.settings.get("alias")?.[0],
    })),
  };
}

function partsOf(node: YamlNode | undefined): ConfigPart[] {
  if (node?.kind !== "map") return [];
  return node.entries.map(({ key, keyAt, value }) => {
    const entries = value.kind === "map" ? value.entries : [];
    return { name: key, at: keyAt, settings: new Map(entries.map(({ key, value }) => [key, textsOf(value)])) };
  });
}

function textsOf(node: YamlNode): string[] {
  if (node.kind === "list") return node.items.flatMap(textsOf);
  return node.kind === "text" && !node.isEmpty ? [textOf(node)] : [];
}
