/** The TTL that the API stores (decisions/documents#records): the nearest one of its list; a tie goes up. */
export function storedTtl(seconds: number): number {
  const distances = stored.map((time) => Math.abs(time - seconds));
  return stored[distances.lastIndexOf(Math.min(...distances))] ?? 0;
}

const stored = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200];
