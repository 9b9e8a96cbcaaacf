/** Whether a serial is later than another (RFC 1982 §3.2). */
export function isLater(serial: number, other: number): boolean {
  const ahead = (serial - other) >>> 0;
  return ahead > 0 && ahead < 2 ** 31;
}
