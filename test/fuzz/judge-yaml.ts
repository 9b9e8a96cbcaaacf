import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import type { ReadResult } from "../../src/formats/kit/source.ts";

/** Faults after which nothing, or not everything, is read. */
const ends = ["file-format", "yaml-syntax", "yaml-too-large", "yaml-documents", "too-many-errors"];

/** A value of a record set, and the keys or maps that hold it: something may be said at any of them. */
interface Leaf {
  readonly value: unknown;
  readonly holders: readonly unknown[];
  /** The name of the set in a line about all sets of its kind in a file. */
  readonly kind?: string;
}

/** Checks that each value under an owner and a type has a record, or a problem at the value or its keys. */
export function checkValues(
  format: "yaml" | "octodns",
  text: string,
  { zone, problems }: ReadResult,
  lineOf: (offset: number) => number,
): void {
  if (problems.some(({ id: rule }) => ends.includes(rule))) return;
  const [document] = parseAllDocuments(text, { uniqueKeys: false, merge: true, version: "1.2", logLevel: "silent" });
  if (!document || "empty" in document) return;
  const reportedLines = new Set(problems.flatMap(({ place: at }) => (at ? [at.line] : [])));
  const starts = new Set(zone.records.map(({ start }) => start));
  const isReported = (node: unknown) => {
    const [start, end] = rangeOf(node);
    for (let line = lineOf(start); line <= lineOf(end); line++) if (reportedLines.has(line)) return true;
    return false;
  };
  const summedUp = problems.filter(({ id }) => id === "provider-specific").map(({ summary }) => summary);
  for (const { value, holders, kind } of leaves(format, document)) {
    if (kind && summedUp.some((summary) => summary.includes(kind))) continue;
    if (starts.has(rangeOf(value)[0]) || isReported(value) || holders.some(isReported)) continue;
    const [start, end] = rangeOf(value);
    throw new Error(`line ${lineOf(start)} gives neither a record nor a problem: ${text.slice(start, end)}`);
  }
}

function* leaves(format: "yaml" | "octodns", document: Document): Generator<Leaf> {
  const resolved = (node: unknown): unknown => (isAlias(node) ? resolved(node.resolve(document)) : node);
  const list = (node: unknown): readonly unknown[] => (isSeq(node) ? node.items : [node]);
  const top = resolved(document.contents);
  const owners = format === "octodns" ? top : resolved(isMap(top) ? findValue(top, "records") : undefined);
  if (!isMap(owners)) return;
  for (const { key: owner, value } of ownPairs(owners)) {
    const held = resolved(value);
    if (format === "octodns") {
      for (const item of list(held)) {
        const set = resolved(item);
        if (!isMap(set)) yield { value: item, holders: [owner] };
        else if (!hasMerge(set)) {
          const kind = kindOf(set, resolved);
          for (const node of list(resolved(findValue(set, "values") ?? findValue(set, "value"))))
            yield { value: resolved(node), holders: [owner, set], ...(kind && { kind }) };
        }
      }
    } else if (!isMap(held)) yield { value: held, holders: [owner] };
    else
      for (const { key: type, value } of ownPairs(held)) {
        if (isScalar(type) && type.value === "lenient") continue;
        for (const set of partsOf(resolved(value), resolved)) {
          if (isMap(set) && hasMerge(set)) continue;
          const values = isMap(set) ? findValue(set, "values") : undefined;
          for (const node of list(values === undefined ? set : resolved(values)))
            yield { value: resolved(node), holders: values === undefined ? [owner, type] : [owner, type, set] };
        }
      }
  }
}

/** Sets that no name server has: of a type of one provider, or ignored by octoDNS itself. */
function kindOf(set: YAMLMap, resolved: (node: unknown) => unknown): string | undefined {
  const [type, steering] = [resolved(findValue(set, "type")), resolved(findValue(set, "octodns"))];
  const ignored = isMap(steering) ? resolved(findValue(steering, "ignored")) : undefined;
  if (isScalar(ignored) && String(ignored.value) === "true") return "octodns: ignored: true";
  const name = isScalar(type) ? String(type.value) : "";
  return name.includes("/") || name.toUpperCase() === "URLFWD" ? name : undefined;
}

/** A list with a map of `values` or a TTL in it is a list of parts, each with a TTL and values of its own. */
function partsOf(set: unknown, resolved: (node: unknown) => unknown): readonly unknown[] {
  const items = isSeq(set) ? set.items.map(resolved) : [];
  const isPart = (item: unknown) =>
    isMap(item) && ["values", "ttl_sec", "ttl"].some((key) => findValue(item, key) !== undefined);
  return items.some(isPart) ? items : [set];
}

function ownPairs(map: YAMLMap): readonly Pair[] {
  return map.items.filter((pair) => !isMergeKey(pair));
}

function hasMerge(map: YAMLMap): boolean {
  return map.items.some(isMergeKey);
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

function findValue(map: YAMLMap, name: string): unknown {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)?.value;
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const [start = 0, end = 0] = (node as Node | null)?.range ?? [];
  return [start, end];
}
