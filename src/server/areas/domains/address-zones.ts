import { isIPv4 } from "node:net";
import { isInside, type Name, type NameKey, nameKey } from "../../../dns/name/name.ts";
import { reverseNetwork, reverseZone, touchesNetwork } from "../../../dns/name/reverse.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { inNetworks, type Network, readNetwork } from "../../kit/allowed-networks.ts";
import { toStoredName } from "./lookups.ts";

/** The zone of the default names of public IPv4 addresses, without its final dot. */
export function defaultZone(rdnsDomain: string): string {
  return `ip.${rdnsDomain}`;
}

/** The name of a public IPv4 address to which no user gave one. */
export function defaultName(address: string, rdnsDomain: string): string {
  return `${defaultLabel(address)}.${defaultZone(rdnsDomain)}`;
}

/** The default name of an address, relative to its zone. */
export function defaultLabel(address: string): string {
  return address.replaceAll(".", "-");
}

/** The address whose default name this is; undefined for other names. */
export function addressOfDefaultName(name: Name, rdnsDomain: string): string | undefined {
  const zone = toStoredName(defaultZone(rdnsDomain));
  if (!isInside(name, zone)) return undefined;
  const label = nameKey(name).slice(0, -zone.length - 1);
  const address = label.replaceAll("-", ".");
  return isIPv4(address) && defaultLabel(address) === label ? address : undefined;
}

/** The networks from which nodes get public addresses. */
export function publicPools({ regions }: Pick<Catalog, "regions">): Network[] {
  const texts = new Set(regions.flatMap(({ pools }) => [pools.public, pools.slaac]));
  return [...texts].flatMap((text) => readNetwork(text) ?? []);
}

/** The zone at or above a name that is made from the addresses of nodes, whether or not a domain takes its place. */
export function zoneOfAddresses(name: Name, catalog: Catalog): NameKey | undefined {
  const zone = nameKey(toStoredName(defaultZone(catalog.rdns_domain)));
  if (isInside(name, zone)) return zone;
  const network = reverseNetwork(name);
  return network !== undefined && inNetworks(publicPools(catalog))(network) ? reverseZone(network) : undefined;
}

/** Whether a domain is at, above or below a zone that is made from the addresses of nodes. */
export function touchesAddresses(domain: Name, catalog: Catalog): boolean {
  const zone = toStoredName(defaultZone(catalog.rdns_domain));
  const isNear = isInside(domain, zone) || isInside(zone, domain);
  return isNear || publicPools(catalog).some((pool) => touchesNetwork(domain, pool));
}
