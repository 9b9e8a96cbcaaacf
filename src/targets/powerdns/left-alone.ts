/** Whether records of a type are neither read nor written: PowerDNS answers with addresses that others determine. */
export function isLeftAlone(type: string): boolean {
  return type === "ALIAS";
}
