import { Fault } from "../fault.ts";
import type { FieldKind } from "../field.ts";
import type { TokenTable } from "../token-table.ts";

/** A place on earth: latitude, longitude, altitude, then size and precision of the place (RFC 1876 §3). */
export const location: FieldKind<string> = {
  json: "string",
  read(tokens) {
    const latitude = readAngle(tokens, 90, ["N", "S"]);
    const longitude = readAngle(tokens, 180, ["E", "W"]);
    const altitude = readMeters(tokens, "the altitude", -100_000, 42_849_672.95);
    const [size = "1m", horizontal = "10000m", vertical = "10m"] = [
      "the size",
      "the horizontal precision",
      "the vertical precision",
    ].map((what) => (tokens.isAtEnd ? undefined : precision(readMeters(tokens, what, 0, 90_000_000))));
    return `${latitude} ${longitude} ${altitude.toFixed(2)}m ${size} ${horizontal} ${vertical}`;
  },
  format: (text) => text,
  decode(wire) {
    if (wire.uint(1) !== 0) throw new Fault("rdata-wire", "the LOC data is of another version than 0");
    const [size, horizontal, vertical] = [wire.uint(1), wire.uint(1), wire.uint(1)].map((octet) =>
      precision(((octet >> 4) * 10 ** (octet & 15)) / 100),
    );
    const [latitude, longitude] = [
      spellAngle(wire.uint(4) - 2 ** 31, "N", "S"),
      spellAngle(wire.uint(4) - 2 ** 31, "E", "W"),
    ];
    return `${latitude} ${longitude} ${((wire.uint(4) - 10_000_000) / 100).toFixed(2)}m ${size} ${horizontal} ${vertical}`;
  },
};

/** Degrees, then minutes and seconds where they are given, then the direction. */
function readAngle(tokens: TokenTable, most: number, [plus, minus]: readonly [string, string]): string {
  const parts: number[] = [];
  while (!tokens.isAtEnd) {
    const text = tokens.unquoted("the location").toUpperCase();
    if (parts.length > 0 && (text === plus || text === minus)) return checked(parts, text, most);
    const limit = [most, 59, 59.999][parts.length];
    const form = parts.length === 2 ? /^\d{1,2}(?:\.\d{1,3})?$/ : /^\d{1,3}$/;
    if (limit === undefined || !form.test(text) || Number(text) > limit) break;
    parts.push(Number(text));
  }
  throw new Fault(
    "rdata-location",
    `the location has no angle up to ${most} ${plus} or ${minus}`,
    `Write degrees, minutes, seconds, ${plus} or ${minus}: 52 22 23.000 ${plus}.`,
  );
}

function checked(parts: readonly number[], direction: string, most: number): string {
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  if (degrees * 3600 + minutes * 60 + seconds > most * 3600)
    throw new Fault("rdata-location", `an angle of the location is over ${most} degrees`);
  return `${degrees} ${minutes} ${seconds.toFixed(3)} ${direction}`;
}

function spellAngle(thousandths: number, plus: string, minus: string): string {
  const all = Math.abs(thousandths);
  const seconds = ((all % 60_000) / 1000).toFixed(3);
  return `${Math.floor(all / 3_600_000)} ${Math.floor(all / 60_000) % 60} ${seconds} ${thousandths < 0 ? minus : plus}`;
}

function readMeters(tokens: TokenTable, what: string, least: number, most: number): number {
  if (tokens.isAtEnd) throw new Fault("rdata-location", `${what} is missing`, "Write meters, for example 10m.");
  const text = tokens.unquoted(what);
  const meters = /^-?\d+(?:\.\d{1,2})?m?$/i.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (meters >= least && meters <= most) return meters;
  throw new Fault("rdata-location", `${what} is not from ${least} to ${most} meters`, "Write meters, for example 10m.");
}

/** As the wire holds it: one digit and a power of ten, in centimeters. */
function precision(meters: number): string {
  const centimeters = Math.round(meters * 100);
  const power = centimeters === 0 ? 0 : Math.floor(Math.log10(centimeters));
  const rounded = Math.floor(centimeters / 10 ** power) * 10 ** power;
  return rounded % 100 === 0 ? `${rounded / 100}m` : `${(rounded / 100).toFixed(2)}m`;
}
