import { Fault } from "../name/fault.ts";
import type { FieldKind } from "./field.ts";

/** A time in a signature: `YYYYMMDDHHMMSS` in UTC, or seconds since 1970, in 32 bits (RFC 4034 §3.2). */
export const signatureTime: FieldKind<string> = {
  json: "string",
  read(tokens, field) {
    const text = tokens.unquoted(field);
    if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return spell(Number(text));
    const moment = seconds(text);
    if (moment >= 0 && moment < 2 ** 32 && spell(moment) === text) return text;
    throw new Fault(
      "rdata-time",
      `${field} is not a time from 1970 to 2106`,
      'Write YYYYMMDDHHMMSS in UTC, for example "20270101000000".',
    );
  },
  format: (text) => text,
  decode: (wire) => spell(wire.uint(4)),
  encode: (text, wire) => wire.uint(4, seconds(text)),
};

/** Seconds since 1970; NaN for invalid text. */
function seconds(text: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000;
}

function spell(seconds: number): string {
  return new Date(seconds * 1000)
    .toISOString()
    .replace(/\.\d+Z$|\D/g, "")
    .slice(0, 14);
}
