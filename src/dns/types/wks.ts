import { Fault } from "../name/fault.ts";
import { address4, type FieldKind } from "../rdata/field.ts";
import { readPart } from "../rdata/part.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Services {
  readonly protocol: number;
  /** Ascending and unique. */
  readonly ports: readonly number[];
}

/** IANA, Protocol Numbers: those with well-known services. */
const protocols: Readonly<Record<string, number>> = { icmp: 1, tcp: 6, udp: 17, sctp: 132 };

/** IANA, Service Name and Port Number Registry: the well-known services of RFC 1010, and those of today's servers. */
const services: Readonly<Record<string, number>> = {
  tcpmux: 1,
  echo: 7,
  discard: 9,
  systat: 11,
  daytime: 13,
  netstat: 15,
  qotd: 17,
  chargen: 19,
  "ftp-data": 20,
  ftp: 21,
  ssh: 22,
  telnet: 23,
  smtp: 25,
  time: 37,
  nameserver: 42,
  whois: 43,
  tacacs: 49,
  domain: 53,
  bootps: 67,
  bootpc: 68,
  tftp: 69,
  gopher: 70,
  finger: 79,
  http: 80,
  www: 80,
  kerberos: 88,
  "iso-tsap": 102,
  rtelnet: 107,
  pop2: 109,
  pop3: 110,
  sunrpc: 111,
  auth: 113,
  nntp: 119,
  ntp: 123,
  "netbios-ns": 137,
  "netbios-dgm": 138,
  "netbios-ssn": 139,
  imap2: 143,
  imap: 143,
  snmp: 161,
  "snmp-trap": 162,
  snmptrap: 162,
  xdmcp: 177,
  bgp: 179,
  irc: 194,
  ldap: 389,
  https: 443,
  submission: 587,
  ldaps: 636,
  imaps: 993,
  pop3s: 995,
};

const wellKnown: FieldKind<Services> = {
  json: "words",
  read(tokens) {
    const protocol = number(tokens.unquoted("the protocol"), protocols, 255, "protocol");
    const ports = new Set<number>();
    while (!tokens.isAtEnd)
      ports.add(readPart(tokens, "a port", (tokens, what) => number(tokens.unquoted(what), services, 65535, "port")));
    return { protocol, ports: [...ports].sort((a, b) => a - b) };
  },
  format: ({ protocol, ports }) => [protocol, ...ports].join(" "),
  decode(wire) {
    const protocol = wire.uint(1);
    const octets = [...wire.takeRest()].map((octet) => octet.charCodeAt(0));
    if (octets.at(-1) === 0 || octets.length > 8192)
      throw new Fault("rdata-wire", "the port bitmap in the RDATA ends with empty octets");
    const ports = octets.flatMap((octet, at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (128 >> bit)).map((bit) => at * 8 + bit),
    );
    return { protocol, ports };
  },
  encode({ protocol, ports }, wire) {
    wire.uint(1, protocol);
    const octets = new Uint8Array(((ports.at(-1) ?? -8) >> 3) + 1);
    for (const port of ports) octets[port >> 3] = (octets[port >> 3] ?? 0) | (128 >> (port & 7));
    wire.octets(Buffer.from(octets).toString("latin1"));
  },
};

function number(text: string, names: Readonly<Record<string, number>>, most: number, what: string): number {
  const known = Object.hasOwn(names, text.toLowerCase()) ? names[text.toLowerCase()] : undefined;
  const value = known ?? (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
  if (value <= most) return value;
  throw new Fault(
    "rdata-service",
    `"${text}" is not a ${what} that zonewright knows`,
    `Write its number, from 0 to ${most}.`,
  );
}

/** RFC 1035 §3.4.2 */
export const WKS = recordType<{ address: string; services: Services }>({
  type: "WKS",
  fields: {
    address: { kind: address4, about: "the IPv4 address of the host", example: "192.0.2.1" },
    services: { kind: wellKnown, about: "a protocol and its ports", example: "6 25 80" },
  },
});
