/** Defaults of a new domain (service: Domains, POST). A time of 0 stands for its default. */
export const blankDomain = {
  type: "master",
  status: "active",
  description: "",
  group: "",
  soa_email: "",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
} as const;

/**
 * Name servers of a service that nobody told their names. Under `.invalid` nothing ever resolves (RFC 6761 §6.4), so nobody
 * takes them for real ones.
 */
export const unsetNameservers: readonly string[] = ["ns1.zonewright.invalid.", "ns2.zonewright.invalid."];
