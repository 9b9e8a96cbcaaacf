import { storedTtl } from "../stored-ttl.ts";

/** The parts that are judged of an entry of `import axfr --report json`. */
export interface ReportedEntry {
  /** Relative to the zone, `@`, or absolute with a final dot. */
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly rdata: string;
  readonly class: string;
}

/** A record in the syntax of zone files, with its strings and names as octets. */
interface Line {
  readonly text: string;
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  readonly words: readonly string[];
}

/**
 * Compares a zone before its import with the zone that the service answers after `apply`, both as lines
 * of dig, and returns each difference that the ledger does not list, and each entry of the ledger that is no
 * difference. It shares no code with the program.
 */
export function compareWithLedger(
  zone: string,
  { before, after, ledger }: { before: string; after: string; ledger: readonly ReportedEntry[] },
): string[] {
  const faults: string[] = [];
  const fault = (problem: string, { text }: Line) => faults.push(`${problem}: ${text}`);
  const original = new Map(readLines(before).map((line) => [keyOf(line), line]));
  const served = new Map(readLines(after).map((line) => [keyOf(line), line]));
  const left = new Map(served);
  const shortest = new Map<string, number>();
  for (const line of original.values())
    shortest.set(setOf(line), Math.min(line.ttl, shortest.get(setOf(line)) ?? line.ttl));
  const byMeaning = groupBy(served.values(), meaningOf);
  const byOwner = groupBy(served.values(), setOf);
  const isListed = new Set<string>();
  for (const entry of ledger) {
    const line = lineOf(zone, entry);
    const key = keyOf(line);
    if (isListed.has(key)) fault("twice in the ledger", line);
    isListed.add(key);
    if (!original.has(key)) fault("in the ledger, but not in the zone", line);
    const ofMeaning = byMeaning.get(meaningOf(line)) ?? [];
    switch (entry.class) {
      case "exact":
        if (!served.has(key)) fault("exact, but not served", line);
        left.delete(key);
        break;
      case "normalised": {
        if (served.has(key)) fault("normalised, but served unchanged", line);
        const [found] = ofMeaning;
        if (!found || ofMeaning.length > 1) fault(`normalised, but served ${ofMeaning.length} times`, line);
        else if (found.ttl !== storedTtl(shortest.get(setOf(line)) ?? line.ttl))
          fault(`normalised, but served with the TTL ${found.ttl}`, line);
        if (found) left.delete(keyOf(found));
        break;
      }
      case "left-to-the-service": {
        if (served.has(key)) fault("left to the service, but served unchanged", line);
        const own = byOwner.get(setOf(line)) ?? [];
        if (own.length === 0) fault("left to the service, but nothing is served", line);
        for (const found of own) left.delete(keyOf(found));
        break;
      }
      case "unsupported":
      case "lost":
        if (ofMeaning.length > 0) fault(`${entry.class}, but served`, line);
        break;
      default:
        fault(`of the class ${entry.class}`, line);
    }
  }
  for (const [key, line] of original) if (!isListed.has(key)) fault("not in the ledger", line);
  for (const line of left.values()) fault("served, but not in the zone", line);
  return faults;
}

function groupBy(lines: Iterable<Line>, keyOf: (line: Line) => string): ReadonlyMap<string, readonly Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) groups.set(keyOf(line), [...(groups.get(keyOf(line)) ?? []), line]);
  return groups;
}

function readLines(text: string): Line[] {
  return text.split("\n").flatMap((line) => (line === "" || line.startsWith(";") ? [] : [readLine(line)]));
}

function readLine(text: string): Line {
  const [, owner = "", ttl, type = "", rdata = ""] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s*(.*)$/.exec(text) ?? [];
  if (ttl === undefined) throw new Error(`not a record: ${text}`);
  const words = (rdata.match(/"(?:\\.|[^"\\])*"|(?:\\.|[^\s"\\])+/g) ?? []).map(octetsOf);
  return { text, owner: octetsOf(owner), ttl: Number(ttl), type, words };
}

function lineOf(zone: string, { owner, ttl, type, rdata }: ReportedEntry): Line {
  const name = owner === "@" ? zone : owner.endsWith(".") ? owner : `${owner}.${zone}`;
  return readLine(`${name} ${ttl} IN ${type} ${rdata}`);
}

/** A word without quotes and escapes, except the escaped dot, which differs from the dot between labels. */
function octetsOf(word: string): string {
  return word.replace(/^"(.*)"$/s, "$1").replaceAll(/\\(?:(\d{3})|(.))/gs, (_, code?: string, sign = "") => {
    const octet = code === undefined ? sign : String.fromCharCode(Number(code));
    return octet === "." && !word.startsWith('"') ? "\\." : octet;
  });
}

function keyOf({ owner, ttl, type, words }: Line): string {
  return JSON.stringify([owner, ttl, type, words]);
}

/** Equal for the records of an RRset. */
function setOf({ owner, type }: Line): string {
  return `${owner.toLowerCase()} ${type}`;
}

/** Equal for records with the same meaning, whatever their TTL, the letter case of names, and where a text is split. */
function meaningOf({ owner, type, words }: Line): string {
  const lower = words.map((word) => word.toLowerCase());
  // An empty issuer is the same as ";" (RFC 8659 §4.2).
  const caa = lower[2] === "" ? [...lower.slice(0, 2), ";"] : lower;
  const data = type === "TXT" || type === "SPF" ? [words.join("")] : type === "CAA" ? caa : lower;
  return JSON.stringify([owner.toLowerCase(), type, data]);
}
