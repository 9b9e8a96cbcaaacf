import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { fromOctets } from "../../dns/name/text.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { digits, type TokenTable } from "../../dns/rdata/token-table.ts";
import { typeCode } from "../../dns/rdata/type-codes.ts";
import { findType } from "../../dns/types/index.ts";
import { unknownTypeFix } from "../kit/unknown-type.ts";

/** By name, or by number (RFC 3597 §5). */
const isOtherClass = (word: string): boolean => /^(?:CH|HS|CS|CLASS\d{1,5})$/i.test(word);

export interface RecordHead {
  readonly ttl: number | undefined;
  readonly type: RecordType;
}

/**
 * Reads the tokens between owner and RDATA: optional TTL and class in either order, then the type (RFC 1035 §5.1).
 * @throws {Fault}
 */
export function readRecordHead(table: TokenTable): RecordHead {
  let ttl: number | undefined;
  let hasClass = false;
  while (!table.isAtEnd && !table.isQuoted) {
    const start = table.starts[table.next] ?? 0;
    const end = table.ends[table.next] ?? 0;
    if (isDigit(table.text.charCodeAt(start))) {
      const seconds = ttl === undefined ? digits(table.text, start, end) : Number.NaN;
      if (seconds < 2 ** 31) {
        table.next++;
        ttl = seconds;
        continue;
      }
    } else if (!hasClass && isInternet(table.text, start, end)) {
      table.next++;
      hasClass = true;
      continue;
    }
    const word = table.raw();
    if (ttl === undefined && isDigit(word.charCodeAt(0))) ttl = readDuration(word);
    else if (!hasClass && /^class0*1$/i.test(word)) hasClass = true;
    else if (!hasClass && isOtherClass(word))
      throw new Fault("class", `class ${word.toUpperCase()} is not supported`, 'Write "IN", or omit the class.');
    else {
      const type = findType(word.toUpperCase());
      if (type) return { ttl, type };
      if (hasClass && /^(?:in|class0*1)$/i.test(word)) throw new Fault("class", "the class is repeated", "Remove it.");
      if (/^\d/.test(word)) throw new Fault("ttl-syntax", "the TTL is repeated", "Remove it.");
      throw unknownTypeFault(word);
    }
  }
  if (!table.isAtEnd) {
    table.next++;
    throw new Fault("type-quoted", "the record type is quoted", "Remove the quotes.");
  }
  throw new Fault("type-missing", "the record type is missing", 'Write "owner [ttl] [IN] type rdata".');
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether the token is `IN` in any case. The rare equivalent `CLASS1` is read elsewhere. */
function isInternet(text: string, start: number, end: number): boolean {
  return end - start === 2 && (text.charCodeAt(start) | 32) === 105 && (text.charCodeAt(start + 1) | 32) === 110;
}

/** The fault of a word in place of a type. */
export function unknownTypeFault(word: string): Fault {
  if (word.startsWith("$"))
    return new Fault("directive", "a directive does not start in column one", "Remove the white space before it.");
  if (typeCode(word.toUpperCase()) !== undefined)
    return new Fault("type-meta", `${word} is a query type, not a record type`, 'Write a record type such as "A".');
  return new Fault("unknown-type", `"${fromOctets(word)}" is not a record type`, unknownTypeFix(word));
}
