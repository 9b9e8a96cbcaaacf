import { nearest } from "../../diagnostics/nearest.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isInternational } from "../../dns/name/idn.ts";
import { asName, isInside, type Name, readName } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { TokenTable } from "../../dns/rdata/token-table.ts";
import { largestFile } from "../kit/source.ts";
import { generateRecords } from "./generate.ts";
import { problemAt } from "./problem-list.ts";
import type { Reading } from "./reading.ts";

const deepestInclude = 16;
/** A few files that include each other can cause any number of reads. */
const mostIncludes = 10_000;

/** The directives: the required argument, an example, and the implementation. */
const directives: Readonly<Record<string, readonly [what: string, example: string, Directive]>> = {
  $ORIGIN: ["name", "example.com.", setOrigin],
  $TTL: ["time", "1h.", setTtl],
  $INCLUDE: ["file", "hosts.zone", includeFile],
  $GENERATE: ["range", "1-10 host-$ A 192.0.2.$", generateRecords],
};

type Directive = (reading: Reading, table: TokenTable) => void;

/**
 * Reads and executes a control entry (RFC 1035 §5.1, RFC 2308 §4, BIND's $GENERATE).
 * @throws {Fault}
 */
export function readDirective(reading: Reading, table: TokenTable): void {
  const name = table.raw().toUpperCase();
  const [what, example, run] = directives[name] ?? [];
  if (run === undefined) {
    const known = nearest(name, Object.keys(directives));
    const summary = `"${fromOctets(name)}" is not a directive`;
    throw new Fault("directive", summary, known && `Did you mean "${known}"?`);
  }
  // Even an invalid $TTL prevents errors about missing TTLs after it.
  if (name === "$TTL") reading.ttls.ignoreMissing();
  if (table.isAtEnd) throw new Fault("directive", `${name} has no ${what}`, `Write ${name} ${example}`);
  run(reading, table);
}

function setOrigin(reading: Reading, table: TokenTable): void {
  const origin = readOrigin(reading, table);
  checkEnd("$ORIGIN", table);
  reading.setOrigin(origin);
  reading.addEntry({ kind: "origin" });
}

/** Reads an origin. A missing final dot is reported, and the intended name is used from there on. */
function readOrigin(reading: Reading, table: TokenTable): Name {
  const { origin } = reading.open.surroundings;
  const written = table.unquoted("an origin");
  const name = readName(written, origin);
  if (isInternational(written)) reading.noteConversion(table.next - 1, name);
  if (origin === "." || written.endsWith(".") || written === "@" || !isInside(asName(`${written}.`), reading.name))
    return name;
  const summary = `"${fromOctets(written)}" has no final dot, so the origin would be "${name}"`;
  const fault = new Fault("origin-needs-dot", summary, `Write "${fromOctets(written)}." with its final dot.`);
  reading.report(problemAt(fault, reading.open.place(table.next - 1)));
  return readName(`${written}.`, origin);
}

function setTtl(reading: Reading, table: TokenTable): void {
  const seconds = readDuration(table.unquoted("a time"));
  reading.ttls.set(seconds);
  reading.places.ttl_sec ??= reading.open.place(table.next - 1);
  checkEnd("$TTL", table);
  reading.addEntry({ kind: "ttl", seconds });
}

function includeFile(reading: Reading, table: TokenTable): void {
  const written = table.octets();
  const inner = table.isAtEnd ? reading.open.surroundings.origin : readOrigin(reading, table);
  checkEnd("$INCLUDE", table);
  openInclude(reading, fromOctets(written), inner);
}

function checkEnd(directive: string, table: TokenTable): void {
  if (table.isAtEnd) return;
  table.next++;
  throw new Fault("directive", `${directive} has too many arguments`, "Remove the rest of the line.");
}

/** @throws {Fault} if the file cannot be opened, includes itself, or exceeds a limit. */
function openInclude(reading: Reading, written: string, origin: Name): void {
  const outer = reading.open;
  if (!reading.includer)
    throw new Fault("include-read", "$INCLUDE is not possible here", "Write the records themselves.");
  const { table } = outer.scanner;
  const tokens = table.next;
  table.next = 2; // errors from here on concern the file, not the origin after it
  const { file, bytes, identity } = reading.includer.open(written, outer.source.file);
  if (outer.isReading(identity))
    throw new Fault("include-loop", `"${written}" includes itself`, "Remove one of the two $INCLUDEs.");
  if (outer.via.length >= deepestInclude) {
    const summary = `included files are nested more than ${deepestInclude} levels deep`;
    throw new Fault("include-depth", summary, "Reduce the nesting.");
  }
  reading.includedBytes += bytes.length;
  if (++reading.includes > mostIncludes || reading.includedBytes > largestFile) {
    const summary = `the zone includes more than ${mostIncludes} files or ${largestFile} bytes`;
    throw new Fault("include-count", summary, "Include fewer or smaller files.");
  }
  table.next = tokens;
  reading.include({ file, bytes, origin, identity, via: [outer.place(1), ...outer.via], outer });
}
