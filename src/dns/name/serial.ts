/** Whether a serial is later than another (RFC 1982 §3.2). */
export function isLater(serial: number, other: number): boolean {
  const ahead = (serial - other) >>> 0;
  return ahead > 0 && ahead < 2 ** 31;
}

/** The serial after this one; after the largest comes 1, because some servers treat 0 as "none". */
export function serialAfter(serial: number): number {
  return (serial + 1) >>> 0 || 1;
}
