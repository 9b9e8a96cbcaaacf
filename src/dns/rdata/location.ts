import { Fault } from "../name/fault.ts";
import type { FieldKind } from "./field.ts";
import type { TokenTable } from "./token-table.ts";
import type { WireReader } from "./wire-reader.ts";

const mostAltitude = 42_849_672.95;
const mostSize = 90_000_000;

/** A location on earth: latitude, longitude, altitude, then its size and precision (RFC 1876 §3). */
export const location: FieldKind<string> = {
  json: "words",
  read(tokens) {
    const latitude = readAngle(tokens, 90, ["N", "S"]);
    const longitude = readAngle(tokens, 180, ["E", "W"]);
    const altitude = readMeters(tokens, "the altitude", -100_000, mostAltitude);
    const [size = "1m", horizontal = "10000m", vertical = "10m"] = [
      "the size",
      "the horizontal precision",
      "the vertical precision",
    ].map((what) => (tokens.isAtEnd ? undefined : precision(readMeters(tokens, what, 0, mostSize + 0.99))));
    return `${latitude} ${longitude} ${spellMeters(altitude)} ${size} ${horizontal} ${vertical}`;
  },
  format: (text) => text,
  decode(wire) {
    if (wire.uint(1) !== 0) throw new Fault("rdata-wire", "the version of the LOC RDATA is not 0");
    const [size, horizontal, vertical] = [decodePrecision(wire), decodePrecision(wire), decodePrecision(wire)];
    const latitude = decodeAngle(wire, 90, ["N", "S"]);
    const longitude = decodeAngle(wire, 180, ["E", "W"]);
    const altitude = spellMeters((wire.uint(4) - 10_000_000) / 100);
    return `${latitude} ${longitude} ${altitude} ${size} ${horizontal} ${vertical}`;
  },
  encode(text, wire) {
    const parts = text.split(" ");
    const [altitude = "", ...sizes] = parts.slice(8);
    wire.uint(1, 0);
    for (const size of sizes) wire.uint(1, encodePrecision(centimeters(size)));
    wire.uint(4, 2 ** 31 + encodeAngle(parts.slice(0, 4)));
    wire.uint(4, 2 ** 31 + encodeAngle(parts.slice(4, 8)));
    wire.uint(4, 10_000_000 + centimeters(altitude));
  },
};

/** The positive and the negative direction of an angle. */
type Directions = readonly [string, string];

/** Degrees, optional minutes and seconds, then the direction. */
function readAngle(tokens: TokenTable, most: number, directions: Directions): string {
  const parts: number[] = [];
  while (!tokens.isAtEnd) {
    const text = tokens.unquoted("the location");
    if (parts.length > 0 && directions.includes(text)) return checkAngle(parts, text, most, directions);
    const limit = [most, 59, 59.999][parts.length];
    const form = parts.length === 2 ? /^(?=\.?\d)\d*(?:\.\d{0,3})?$/ : /^\d+$/;
    if (limit === undefined || !form.test(text) || Number(text) > limit) break;
    parts.push(Number(text));
  }
  const [plus, minus] = directions;
  throw new Fault(
    "rdata-location",
    `the location has no valid angle up to ${most} ${plus} or ${minus}`,
    `Write degrees, minutes, seconds, ${plus} or ${minus}, such as 52 22 23.000 ${plus}.`,
  );
}

function checkAngle(parts: readonly number[], direction: string, most: number, directions: Directions): string {
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  const thousandths = degrees * 3_600_000 + minutes * 60_000 + Math.round(seconds * 1000);
  if (thousandths > most * 3_600_000)
    throw new Fault("rdata-location", `an angle of the location exceeds ${most} degrees`);
  return spellAngle(direction === directions[0] ? thousandths : -thousandths, directions);
}

function decodeAngle(wire: WireReader, most: number, directions: Directions): string {
  const thousandths = wire.uint(4) - 2 ** 31;
  if (Math.abs(thousandths) <= most * 3_600_000) return spellAngle(thousandths, directions);
  throw new Fault("rdata-wire", `an angle in the LOC RDATA exceeds ${most} degrees`);
}

function encodeAngle([degrees, minutes, seconds, direction = ""]: readonly string[]): number {
  const thousandths = Number(degrees) * 3_600_000 + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000);
  return /[SW]/.test(direction) ? -thousandths : thousandths;
}

function spellAngle(thousandths: number, [plus, minus]: Directions): string {
  const all = Math.abs(thousandths);
  const seconds = ((all % 60_000) / 1000).toFixed(3);
  return `${Math.floor(all / 3_600_000)} ${Math.floor(all / 60_000) % 60} ${seconds} ${thousandths < 0 ? minus : plus}`;
}

function readMeters(tokens: TokenTable, what: string, least: number, most: number): number {
  if (tokens.isAtEnd) throw new Fault("rdata-location", `${what} is missing`, 'Write meters, for example "10m".');
  const text = tokens.unquoted(what);
  const meters = /^[-+]?(?=\.?\d)\d*(?:\.\d{0,2})?m?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (meters >= least && meters <= most) return meters;
  const range = `from ${least} to ${Math.floor(most)} meters`;
  throw new Fault("rdata-location", `${what} is not ${range}`, 'Write meters, for example "10m".');
}

function spellMeters(meters: number): string {
  return `${(meters || 0).toFixed(2)}m`;
}

/** The value as encoded on the wire: one digit and a power of ten, in centimeters. */
function precision(meters: number): string {
  const digits = String(Math.round(meters * 100));
  const rounded = Number(`${digits[0]}${"0".repeat(digits.length - 1)}`);
  return rounded < 100 ? spellMeters(rounded / 100) : `${rounded / 100}m`;
}

function centimeters(text: string): number {
  return Math.round(Number.parseFloat(text) * 100);
}

/** The first digit, and the number of digits after it. */
function encodePrecision(size: number): number {
  const digits = String(size);
  return Number(digits[0]) * 16 + digits.length - 1;
}

function decodePrecision(wire: WireReader): string {
  const octet = wire.uint(1);
  const [digit, power] = [octet >> 4, octet & 15];
  if (digit > 9 || power > 9 || (digit === 0 && power > 0))
    throw new Fault("rdata-wire", "a size in the LOC RDATA is not a digit and a power of ten");
  return precision((digit * 10 ** power) / 100);
}
