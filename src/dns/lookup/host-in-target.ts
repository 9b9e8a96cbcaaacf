import { isAddress } from "../name/address.ts";
import { isSameName, type Name, octets, relativeTo } from "../name/name.ts";
import { fromOctets } from "../name/text.ts";
import type { Zone, ZoneRecord } from "../zone/zone.ts";

/** A host in something else: a URL, an e-mail address, or with a port. */
export interface FoundHost {
  /** The kind of text, with its article. */
  readonly what: string;
  /** The host as written, without its final dot. */
  readonly host: string;
}

const scheme = "[a-z][a-z0-9+.-]*:/+|[a-z][a-z0-9+-]*:(?=[^\\d/])|/{2,}";
const label = "[^\\s/:?#@.]+";
const form = new RegExp(
  `^(?<scheme>${scheme})?(?<user>[^/@]*@)?(?<host>${label}(?:\\.${label})*)\\.?(?<port>:\\d*)?(?<path>[/?#].*)?$`,
  "i",
);

/** The host in a target that is not a host name alone. A slash in a name of RFC 2317 comes after numbers only. */
export function findHost(target: string): FoundHost | undefined {
  const { scheme, user, host = "", port, path } = form.exec(target)?.groups ?? {};
  if (host === "") return undefined;
  if (scheme !== undefined || (path !== undefined && /\.[a-z]{2,}$/i.test(host))) return { what: "a URL", host };
  if (user !== undefined) return { what: "an e-mail address", host };
  return port === undefined || path !== undefined ? undefined : { what: "a host with a port", host };
}

/** Types in whose targets limits report a host in something else, except for name servers of the service. */
const limited: ReadonlySet<string> = new Set(["CNAME", "MX", "NS", "PTR", "SRV"]);

/** Whether a limit reports a host in the target of a record, so that rules of DNS need not. */
export function isHostReported({ type, owner }: Pick<ZoneRecord, "type" | "owner">, zone: Pick<Zone, "name">): boolean {
  return limited.has(type) && !(type === "NS" && isSameName(owner, zone.name));
}

/** The host in a target of a zone, spelled as in a zone file: with its final dot unless it has one label. */
export function hostIn(target: Name, { name, dotlessTargets }: Zone): FoundHost | undefined {
  if (!/[/@:]/.test(target)) return undefined;
  const dotless = dotlessTargets.find((one) => one.name === target)?.written;
  const forms = dotless === undefined ? [target, relativeTo(target, name)].map(octets) : [dotless];
  const [found] = forms.flatMap((form) => findHost(fromOctets(form)) ?? []);
  if (!found) return undefined;
  const isAbsolute = found.host.includes(".") && !isAddress(found.host);
  return { ...found, host: isAbsolute ? `${found.host}.` : found.host };
}
