import { isUtf8 } from "node:buffer";
import { hasErrors, type Problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import type { LiveRecord } from "../../dns/zone/desired-live.ts";
import { copyRecord, isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readBind, readBindFile } from "../../formats/bind/read.ts";
import { writeBind } from "../../formats/bind/write.ts";
import { FolderIncluder } from "../../formats/include.ts";
import { contentId } from "../content-id.ts";
import { withUsualTtl } from "../usual-ttl.ts";
import { withoutSerial } from "../without-serial.ts";
import { filesKind } from "./kind.ts";

/** A zone file as a name server reads it. */
export interface ReadText {
  /** Each record once, with a TTL, and 0 in place of the serial. */
  readonly records: readonly LiveRecord[];
  /** Undefined without an SOA record. */
  readonly serial: number | undefined;
  readonly errors: readonly Problem[];
}

/** A zone file: its octets, its path, and its name in messages. */
export interface ZoneText {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The folder that it may include files of; undefined if it may include none. */
  readonly folder?: string;
  readonly path?: string;
}

/** The octets of a zone file as a name server reads them: `;@ implicit: NS` and its kin are comments like others. */
export function withoutOwnComments(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString("latin1");
  return Buffer.from(text.replaceAll(/^([ \t]*);@/gm, "$1;;"), "latin1");
}

/** The octets of a zone file without a byte order mark, which name servers take for a part of the first name. */
export function withoutMark(bytes: Uint8Array): Buffer {
  const mark = Buffer.from("\ufeff");
  return Buffer.from(mark.equals(bytes.subarray(0, mark.length)) ? bytes.subarray(mark.length) : bytes);
}

/** An octet of a zone file, with the backslash before it, or a character of UTF-8. */
const character =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|\\[\0-\x7f]|\\?[\x80-\xff]/g;

/** A zone file as a text with the same records: an octet outside of UTF-8 is `\DDD` (RFC 1035 §5.1). */
export function masterText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const escaped = bytes.toString("latin1").replaceAll(character, (found) => {
    const isOctet = found.replace("\\", "").length === 1 && found.charCodeAt(found.length - 1) >= 0x80;
    return isOctet ? `\\${found.charCodeAt(found.length - 1)}` : found;
  });
  return Buffer.from(escaped, "latin1").toString("utf8");
}

/** Reads a zone file as a name server does. */
export function readZoneText(zone: Name, { file, bytes, folder, path }: ZoneText): ReadText {
  const includer =
    folder !== undefined && path !== undefined ? new FolderIncluder({ path: folder, file: folder }, path) : undefined;
  const { zone: read, problems } = readBind({
    ...{ file, bytes: withoutOwnComments(bytes), origin: zone, settings: [] },
    ...(includer && { includer }),
  });
  const live = [...read.records].map((record): LiveRecord => {
    const plain = withoutSerial(record);
    return copyRecord(plain, { id: contentId(plain), ttl: record.ttl ?? read.settings.ttl_sec });
  });
  return {
    records: [...new Map(live.map((record) => [record.id, record])).values()],
    serial: read.records.find((record) => isType(record, "SOA"))?.data.serial,
    errors: hasErrors(problems) ? problems.filter(({ severity }) => severity === "error") : [],
  };
}

/** Whether two lists have the same records with the same TTLs. */
export function isSameContent(one: readonly ZoneRecord[], other: readonly ZoneRecord[]): boolean {
  const ttls = new Map(one.map((record) => [contentId(withoutSerial(record)), record.ttl]));
  if (ttls.size !== new Set(other.map((record) => contentId(withoutSerial(record)))).size) return false;
  return other.every((record) => {
    const id = contentId(withoutSerial(record));
    return ttls.has(id) && ttls.get(id) === record.ttl;
  });
}

/**
 * The file with another serial: every other octet stays, apart from a byte order mark. Undefined if it includes others,
 * whose paths a name server reads in its own way, or its SOA record is in no usual form.
 */
export function withSerial(zone: Name, { file, bytes }: ZoneText, serial: number): Buffer | undefined {
  const { tree } = readBindFile({ file, bytes, origin: zone, settings: [] });
  const { text, entries } = tree;
  if (/^\$INCLUDE\b/im.test(text)) return undefined;
  const soa = entries.find((entry) => entry.kind === "record" && entry.record.type === "SOA");
  if (soa?.kind !== "record") return undefined;
  const place = soa.tokens[soa.typeAt + 3];
  if (!place || !/^\d+$/.test(text.slice(place.start, place.end))) return undefined;
  return withoutMark(Buffer.from(`${text.slice(0, place.start)}${serial}${text.slice(place.end)}`, "latin1"));
}

/** A zone file in canonical form. */
export function render(zone: Name, records: readonly ZoneRecord[], serial: number): Buffer {
  const all = records.map((record) =>
    isType(record, "SOA") ? copyRecord(record, { data: { ...record.data, serial } }) : record,
  );
  const plain = { name: zone, settings: {}, records: all, places: {}, dotlessTargets: [] };
  return Buffer.from(writeBind(withUsualTtl(plain, filesKind), { settings: [], nameservers: [] }));
}
