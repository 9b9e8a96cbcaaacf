import { html } from "hono/html";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import type { Html } from "../format/html-page.ts";
import { shorten } from "../text/columns.ts";
import { nameText } from "../text/name-text.ts";

/** A record that points to a name. */
export interface DrawnPointer {
  readonly from: Name;
  readonly type: string;
  readonly to: Name;
}

const box = { width: 264, height: 26 };
const gap = { x: 96, y: 10 };
/** Characters of a name in a box. */
const labelWidth = 34;

interface Node {
  readonly key: NameKey;
  readonly name: Name;
  readonly targets: Node[];
  /** The types of the records that point from it. */
  readonly types: Set<string>;
  /** The longest way from here to a name that points nowhere, in arrows. */
  depth: number;
  x: number;
  y: number;
}

/**
 * A graph of names: each points to the right. Chains of aliases take one column for each name; a circle of names is
 * drawn in a few columns with arrows backwards.
 */
export function pointerPicture(pointers: readonly DrawnPointer[], isChanged: (name: NameKey) => boolean): Html {
  const nodes = nodesOf(pointers);
  const columns = columnsOf([...nodes.values()]);
  const width = columns.length * (box.width + gap.x) - gap.x + 2;
  const height = Math.max(...columns.map(({ length }) => length)) * (box.height + gap.y) - gap.y + 2;
  const arrows = [...nodes.values()].flatMap((node) => node.targets.map((target) => arrow(node, target)));
  const boxes = [...nodes.values()].map(({ key, name, types, x, y }) => {
    const text = nameText(name);
    return html`<g><title>${text}</title><rect class="node ${isChanged(key) ? "changed" : ""}" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="4"/><text x="${x + 8}" y="${y + 17}">${shorten(text, { width: labelWidth, ellipsis: "…" })}</text><text class="tick" x="${x + box.width + 6}" y="${y + 9}">${shorten([...types].join(", "), { width: 12, ellipsis: "…" })}</text></g>`;
  });
  const label = "Graph of the names that point to changed names; the table below has the same";
  return html`<div class="scroll" role="region" aria-label="Graph of names" tabindex="0"><svg role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M 0 0 L 8 4 L 0 8 z"/></marker></defs>
${arrows}${boxes}</svg></div>`;
}

function nodesOf(pointers: readonly DrawnPointer[]): Map<NameKey, Node> {
  const nodes = new Map<NameKey, Node>();
  const nodeOf = (name: Name) => {
    const key = nameKey(name);
    const node = nodes.get(key) ?? { key, name, targets: [], types: new Set<string>(), depth: 0, x: 0, y: 0 };
    nodes.set(key, node);
    return node;
  };
  for (const { from, type, to } of pointers) {
    const node = nodeOf(from);
    node.targets.push(nodeOf(to));
    node.types.add(type);
  }
  // Each pass moves nodes left of their targets. Names in a circle stop moving after as many passes as there are names.
  for (let pass = 0, isMoving = true; isMoving && pass < nodes.size; pass++) {
    isMoving = false;
    for (const node of nodes.values())
      for (const target of node.targets)
        if (target !== node && node.depth <= target.depth && target.depth < nodes.size) {
          node.depth = target.depth + 1;
          isMoving = true;
        }
  }
  return nodes;
}

/** The nodes from left to right, each column from top to bottom, placed near the names that they point to. */
function columnsOf(nodes: readonly Node[]): Node[][] {
  const depths = [...new Set(nodes.map(({ depth }) => depth))].sort((a, b) => a - b);
  const columns = depths.map((depth) => nodes.filter((node) => node.depth === depth));
  const most = Math.max(...columns.map(({ length }) => length));
  for (const [index, column] of columns.entries()) {
    const middle = (node: Node) => node.targets.reduce((sum, { y }) => sum + y, 0) / Math.max(1, node.targets.length);
    if (index > 0) column.sort((a, b) => middle(a) - middle(b));
    const step = (most * (box.height + gap.y)) / column.length;
    for (const [row, node] of column.entries()) {
      node.x = 1 + (columns.length - 1 - index) * (box.width + gap.x);
      node.y = Math.round(1 + row * step + (step - box.height - gap.y) / 2);
    }
  }
  return columns;
}

function arrow(from: Node, to: Node): Html {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + box.height / 2];
  const bend = gap.x / 2;
  return html`<path class="edge" marker-end="url(#tip)" d="M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}"/>`;
}
