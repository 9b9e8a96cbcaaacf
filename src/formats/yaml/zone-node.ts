import type { Name } from "../../dns/name/name.ts";
import type { SpellName } from "../../dns/rdata/field.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { targetSpeller } from "../kit/target-speller.ts";
import { isFlow } from "./collection.ts";
import type { OwnerNode, YamlFile } from "./read.ts";
import { quotingOf, type ValueStyle } from "./render.ts";
import { entryOf, nodeOf, type YamlDocument, type YamlEntry, type YamlMap, type YamlNode } from "./tree.ts";

/** A valid zone file to edit. */
export interface ZoneNode {
  readonly text: string;
  readonly lineEnd: string;
  readonly library: YamlDocument;
  readonly root: YamlMap;
  readonly records: YamlEntry | undefined;
  readonly owners: readonly OwnerNode[];
  /** The origin for new relative names. */
  readonly origin: Name;
  /** Spells names in new data. */
  readonly spell: SpellName;
  /** Whether the file writes lists of values in brackets. */
  readonly listsInline: boolean;
}

/** The file, to be edited so that it contains the zone `after`. */
export function zoneNode({ text, tree, owners }: YamlFile, after: Pick<Zone, "name" | "records">): ZoneNode {
  if (tree?.root.kind !== "map" || !tree.library) throw new Error("a file with errors cannot be edited");
  const { root, library } = tree;
  const records = entryOf(root, "records");
  const lists = owners.flatMap(({ sets }) =>
    sets.flatMap(({ values: { value } }) => (value.kind === "list" ? [isFlow(nodeOf(value))] : [])),
  );
  const listsInline = lists.includes(true) || !lists.includes(false);
  const { name: origin } = after;
  const spell = targetSpeller(after);
  return { text, lineEnd: lineEndOf(text), library, root, records, owners, origin, spell, listsInline };
}

export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** The style of values inside nodes: in brackets or not, with JSON quotes or not. */
export function styleAt({ root, records, listsInline }: ZoneNode, ...around: (YamlNode | undefined)[]): ValueStyle {
  const isJson = isFlow(nodeOf(root)) && quotingOf(nodeOf(root).items[0]?.key) === "QUOTE_DOUBLE";
  return {
    isFlow: [root, records?.value, ...around].some((node) => node && isFlow(nodeOf(node))),
    isJson,
    listsInline,
  };
}
