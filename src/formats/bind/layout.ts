import { readDuration } from "../../dns/duration.ts";
import { Fault } from "../../dns/fault.ts";
import { type Name, readName, root } from "../../dns/name.ts";
import { parseRdata, type Rdata } from "../../dns/rdata/record-type.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import { fromOctets } from "../../dns/text.ts";
import { canonical, type SettingName } from "../../dns/zone.ts";
import { Scanner } from "../scan.ts";
import type { Includer, ZoneFile } from "../source.ts";
import { readDirectiveComment } from "./directive-comment.ts";
import { countOf, readRange } from "./generate.ts";
import { readHead } from "./head.ts";
import { Ttls } from "./ttls.ts";

const dollar = 36;

/** A piece of a text, from one offset up to another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One entry of a master file: whole lines, and the tokens in them with their quotes. */
export interface Entry {
  readonly kind: "record" | "ttl" | "origin" | "include" | "generate";
  /** Its lines, with their ends. */
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly Span[];
  /** What relative names behind it are completed with. */
  readonly origin: Name;
  /** What a record behind it has as its TTL that has none of its own; NaN where that is a fault. */
  readonly ttlBehind: number | undefined;
  readonly record?: RecordEntry;
  /** What `$TTL` says. */
  readonly seconds?: number;
  /** What an `$INCLUDE` brings. */
  readonly inner?: readonly Entry[];
  /** How many records a `$GENERATE` makes. */
  readonly count?: number;
}

export interface RecordEntry {
  readonly owner: Name;
  readonly type: string;
  readonly inheritsOwner: boolean;
  /** Its own TTL, and what its place makes of it. */
  readonly ownTtl: number | undefined;
  readonly ttl: number | undefined;
  /** Indexes of tokens; -1 for none. */
  readonly ttlAt: number;
  readonly classAt: number;
  readonly typeAt: number;
  /** The data of an SOA record. */
  readonly soa?: Rdata | undefined;
  /** Does it stand for what the service has, or repeat the SOA record, so that the zone does not hold it? */
  readonly role: "record" | "implicit" | "repeat";
}

/** A line `;@ key: value`. The span is what follows the mark. */
export interface DirectiveLine extends Span {
  readonly name: SettingName | "manage" | "ignore" | "implicit" | `lenient ${string}`;
}

/** A master file in pieces, for writing into it. Reading it has found no fault. */
export interface Layout {
  /** With an end for its last line, also where the file has none. */
  readonly text: string;
  readonly isOpen: boolean;
  readonly entries: readonly Entry[];
  readonly directives: readonly DirectiveLine[];
  readonly implicit: readonly string[];
  /** The zone's default TTL, wherever it is from. */
  readonly zoneTtl: number | undefined;
  readonly lineEnd: "\n" | "\r\n";
}

/** Takes a master file to pieces that was read without a fault. */
export function readLayout({ file, bytes, origin, includer }: ZoneFile): Layout {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const firstEnd = octets.indexOf("\n");
  const lineEnd = octets[firstEnd - 1] === "\r" ? "\r\n" : "\n";
  const isOpen = !/(?:^|[\r\n]|^\u00ef\u00bb\u00bf)$/.test(octets);
  const text = isOpen ? octets + lineEnd : octets;
  const state: State = { ttls: new Ttls(), implicit: [], directives: [], soa: undefined, name: origin, includer };
  const entries = readEntries(text, file, { origin, owner: undefined }, state, true);
  return {
    text,
    isOpen,
    entries,
    directives: state.directives,
    implicit: state.implicit,
    zoneTtl: state.ttls.zone,
    lineEnd,
  };
}

/** How many records of the zone an entry makes. */
export function recordsIn(entry: Entry): number {
  if (entry.inner) return entry.inner.reduce((sum, inner) => sum + recordsIn(inner), 0);
  return entry.kind === "generate" ? (entry.count ?? 0) : entry.record?.role === "record" ? 1 : 0;
}

/** What goes over from one file into those that it includes. */
interface State {
  readonly ttls: Ttls;
  readonly directives: DirectiveLine[];
  readonly includer: Includer | undefined;
  implicit: readonly string[];
  soa: { readonly owner: Name; readonly data: string } | undefined;
  name: Name;
}

function readEntries(
  text: string,
  file: string,
  start: { readonly origin: Name; readonly owner: Name | undefined },
  state: State,
  isFirst: boolean,
): Entry[] {
  const entries: Entry[] = [];
  const scanner = new Scanner(text);
  const { table } = scanner;
  let { origin, owner } = start;
  scanner.onComment = (semicolon, end) => {
    const start = semicolon + 2;
    if (text[start - 1] !== "@" || (semicolon > 0 && semicolon !== 3 && text[semicolon - 1] !== "\n")) return;
    const name = directiveName(text.slice(start, end), state);
    if (name !== undefined && isFirst) state.directives.push({ start, end, name });
  };
  let before = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  for (; scanner.next(); before = scanner.at) {
    const tokens = spansOf(table);
    const from = startOfEntry(text, before);
    const to = scanner.at;
    if (!scanner.startsBlank && text.charCodeAt(tokens[0]?.start ?? 0) === dollar) {
      const word = table.text.slice(tokens[0]?.start, tokens[0]?.end).toUpperCase();
      const entry = { from, to, tokens };
      const behind = () => ({ origin, ttlBehind: state.ttls.after });
      table.next = 1;
      if (word === "$ORIGIN") {
        origin = readName(table.raw(), origin);
        entries.push({ kind: "origin", ...entry, ...behind() });
      } else if (word === "$TTL") {
        const seconds = readDuration(table.raw());
        state.ttls.forgive();
        state.ttls.set(seconds);
        entries.push({ kind: "ttl", seconds, ...entry, ...behind() });
      } else if (word === "$INCLUDE") {
        const written = fromOctets(table.octets());
        const inside = table.isAtEnd ? origin : readName(table.raw(), origin);
        const opened = state.includer?.open(written, file);
        const octets = Buffer.from(opened?.bytes ?? []).toString("latin1");
        const inner = readEntries(octets, opened?.file ?? file, { origin: inside, owner }, state, false);
        entries.push({ kind: "include", inner, ...entry, ...behind() });
      } else {
        const count = countOf(readRange(table.raw()));
        table.next++;
        const { ttl, type } = readHead(table);
        const counting = ttlOf(state.ttls, ttl, undefined);
        const record = { owner: root, type: type.type, inheritsOwner: false, ownTtl: ttl, ttl: counting, ttlAt: -1 };
        const rest = { classAt: -1, typeAt: -1, role: "record" as const };
        entries.push({ kind: "generate", count, record: { ...record, ...rest }, ...entry, ...behind() });
      }
      continue;
    }
    if (!scanner.startsBlank) owner = readName(table.raw(), origin);
    const headAt = table.next;
    const { ttl, type } = readHead(table);
    const typeAt = table.next - 1;
    let [ttlAt, classAt] = [-1, -1];
    for (let token = headAt; token < typeAt; token++) {
      if (ttlAt === -1 && isDigit(text.charCodeAt(tokens[token]?.start ?? 0))) ttlAt = token;
      else if (classAt === -1) classAt = token;
    }
    table.origin = origin;
    const soa = type.type === "SOA" ? parseRdata(type, table) : undefined;
    const counting = ttlOf(state.ttls, ttl, soa && Number(soa.minimum));
    const name = owner ?? origin;
    const record: RecordEntry = {
      owner: name,
      type: type.type,
      inheritsOwner: scanner.startsBlank,
      ownTtl: ttl,
      ttl: counting,
      ttlAt,
      classAt,
      typeAt,
      soa,
      role: roleOf(name, type.type, soa, state),
    };
    entries.push({ kind: "record", from, to, tokens, origin, ttlBehind: state.ttls.after, record });
  }
  return entries;
}

/** The tokens of the entry that was scanned, with their quotes. */
function spansOf(table: TokenTable): Span[] {
  const spans: Span[] = [];
  for (let token = 0; token < table.count; token++)
    spans.push({ start: table.startOf(token), end: table.endOf(token) });
  return spans;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function roleOf(owner: Name, type: string, soa: Rdata | undefined, state: State) {
  if (soa) {
    const data = canonical({ type, data: soa });
    if (state.soa?.owner === owner && state.soa.data === data) return "repeat";
    state.soa = { owner, data };
    state.name = owner;
  }
  return state.implicit.includes(type) && owner === state.name ? "implicit" : "record";
}

function directiveName(octets: string, state: State): DirectiveLine["name"] | undefined {
  const said = readDirectiveComment(octets);
  if (said === undefined) return undefined;
  if (said.key === "implicit") state.implicit = said.types;
  return said.key;
}

/** What a record gets as its TTL; NaN where nothing gives it one. */
export function ttlOf(ttls: Ttls, own: number | undefined, minimum: number | undefined): number | undefined {
  try {
    return ttls.of(own, minimum);
  } catch (error) {
    if (error instanceof Fault) return Number.NaN;
    throw error;
  }
}

/** Where the first line starts that is neither blank nor a comment alone. */
function startOfEntry(text: string, before: number): number {
  let line = before;
  for (let at = before; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) line = ++at;
    else if (code === 59) at = (text.indexOf("\n", at) + 1 || text.length + 1) - 1;
    else if (code === 32 || code === 9) at++;
    else return line;
  }
  return line;
}
