import type { Document } from "yaml";
import type { Name } from "../../dns/name.ts";
import { isFlow } from "./collection.ts";
import type { OwnerNode, YamlFile } from "./read.ts";
import { type Style, styleOf } from "./render.ts";
import { entryOf, type YamlEntry, type YamlMap, type YamlNode, type YamlTree } from "./tree.ts";

/** A valid zone file to edit. */
export interface ZoneNode {
  readonly text: string;
  readonly lineEnd: string;
  readonly document: Document;
  readonly targets: YamlTree["targets"];
  readonly root: YamlMap;
  readonly records: YamlEntry | undefined;
  readonly owners: readonly OwnerNode[];
  /** The origin for new relative names. */
  readonly origin: Name;
  /** Whether the file writes lists of values in brackets. */
  readonly listsInline: boolean;
}

export function zoneNode({ text, tree, owners }: YamlFile, origin: Name): ZoneNode {
  if (tree?.root.kind !== "map") throw new Error("a file with errors cannot be edited");
  const { root, document, targets } = tree;
  const records = entryOf(root, "records");
  const lists = owners.flatMap(({ sets }) =>
    sets.flatMap(({ values: { value } }) => (value.kind === "list" ? [isFlow(value.node)] : [])),
  );
  const listsInline = lists.includes(true) || !lists.includes(false);
  return { text, lineEnd: lineEndOf(text), document, targets, root, records, owners, origin, listsInline };
}

export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** The style of values inside nodes: in brackets or not, with JSON quotes or not. */
export function styleAt({ root, records, listsInline }: ZoneNode, ...around: (YamlNode | undefined)[]): Style {
  const isJson = isFlow(root.node) && styleOf(root.node.items[0]?.key) === "QUOTE_DOUBLE";
  return { isFlow: [root, records?.value, ...around].some((node) => isFlow(node?.node)), isJson, listsInline };
}
