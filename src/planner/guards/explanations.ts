import type { GuardId, Thresholds } from "./guard.ts";

/** A guard in detail, for `explain` and the documentation. */
export interface GuardExplanation {
  /** The counted or compared changes, and their limit. */
  readonly counts: string;
  readonly thresholds?: readonly (keyof Thresholds)[];
  /** The setting of a zone file that switches it off for one name. */
  readonly zoneSetting?: string;
  readonly example?: GuardExample;
}

/** Changes that a guard blocks with the default thresholds. */
export interface GuardExample {
  /**
   * Records of example.com in master file syntax, with the sign of their change; `zone NAME` begins another zone, and
   * `{1..4}` stands for four lines.
   */
  readonly lines: readonly string[];
  /** The message of the plan. */
  readonly finding: string;
  /** The zone of the acknowledgement; by default example.com. */
  readonly zone?: string;
}

const ofZone = ["zone_deletes_least", "zone_deletes_percent", "zone_deletes_most"] as const;
const ofRun = ["run_deletes", "run_zones"] as const;
const zoneLimit =
  "The limit is `zone_deletes_least`, or `zone_deletes_percent` of the records in the zone if that is more, but then at most `zone_deletes_most`.";
const runLimit = "The limits are `run_deletes` changes, and `run_zones` zones with such changes.";
const each = "There is no limit: each one is blocked.";

export const guardExplanations: Readonly<Record<GuardId, GuardExplanation>> = {
  G01: {
    counts: `Counts the \`-\` in the header of the plan: deleted records, but neither swaps nor records of which an equal one stays. ${zoneLimit}`,
    thresholds: ofZone,
    example: {
      lines: ["- h{1..4} A 192.0.2.1", "  h5 A 192.0.2.1"],
      finding: "example.com: deletes 4 of 5 records; the limit is 3",
    },
  },
  G02: {
    counts: `Counts the \`-\` in the headers of all zones of the plan. ${runLimit}`,
    thresholds: ofRun,
    example: {
      lines: ["- h{1..26} A 192.0.2.1", "  h{27..300} A 192.0.2.1"],
      finding: "this run: deletes 26 records in one run; the limit is 25",
      zone: "*",
    },
  },
  G03: {
    counts:
      "Counts the records that a zone has after the plan, and the A, AAAA and CNAME records of its apex and of www. At least one has to remain if there was one.",
    example: {
      lines: ["- www A 192.0.2.1", "  @ MX 10 mail.example.net."],
      finding: "www.example.com A: deletes the last address",
    },
  },
  G04: {
    counts: `Looks for NS and DS records that are created, changed or deleted. ${each}`,
    example: { lines: ["+ sub NS ns.example.net."], finding: "sub.example.com NS: creates the delegation" },
  },
  G05: {
    counts:
      "Compares the MX records, SPF and DMARC of each changed name before and after the plan. An SPF policy may accept 65,536 more IPv4 addresses (a /16), or a /32 of IPv6; for everything else, there is no limit.",
    example: {
      lines: ["- @ MX 10 mail.example.net.", "  @ A 192.0.2.1"],
      finding: "example.com MX: deletes the last MX",
    },
  },
  G06: {
    counts: `Looks for deleted domains, and for changes of \`status\` and \`type\`. ${each}`,
    example: {
      lines: ["- zone lab.example.com", "- www A 192.0.2.1"],
      finding: "lab.example.com: deletes the domain and its record",
      zone: "lab.example.com",
    },
  },
  G08: {
    counts: `Looks for records in the zones with files whose target is a deleted name. ${each}`,
    example: {
      lines: ["- vpn A 192.0.2.1", "  www CNAME vpn"],
      finding: "vpn.example.com A: www.example.com points here",
    },
  },
  G09: {
    counts: `Looks for wildcards that get or lose a record type. ${each}`,
    example: { lines: ["+ * A 192.0.2.1"], finding: "*.example.com A: answers for every name that does not exist" },
  },
  G10: {
    counts:
      "Simulates every plan before it is shown. A plan is blocked if its steps would break a rule of DNS or not end at the desired zones. That is a bug in zonewright: please report the plan.",
  },
  G11: {
    counts: `Compares the answers for the names in a zone that starts or stops being served with those of the zone above. ${each}`,
    example: {
      lines: ["  * A 192.0.2.1", "+ zone sub.example.com", "+ www A 192.0.2.2"],
      finding:
        "sub.example.com: hides sub.example.com, *.sub.example.com of example.com: the new zone has no such records",
      zone: "sub.example.com",
    },
  },
  G12: {
    counts: `Looks for new addresses in the IANA special-purpose registries and similar blocks. ${each}`,
    zoneSetting: "lenient: [private-address]",
    example: {
      lines: ["+ intranet A 10.0.0.1"],
      finding: "intranet.example.com A: publishes the private address 10.0.0.1 (10.0.0.0/8, RFC 1918)",
    },
  },
  G13: {
    counts: `Counts the \`~\` in the header of the plan: settings, and records changed in place, including changes of only the TTL. ${zoneLimit}`,
    thresholds: ofZone,
    example: {
      lines: ["- h{1..4} A 192.0.2.1", "+ h{1..4} A 192.0.2.2", "  h5 A 192.0.2.1"],
      finding: "example.com: changes 4 of 5 records in place; the limit is 3",
    },
  },
  G14: {
    counts: `Counts the \`~\` in the headers of all zones of the plan. ${runLimit}`,
    thresholds: ofRun,
    example: {
      lines: ["- h{1..26} A 192.0.2.1", "+ h{1..26} A 192.0.2.2", "  h{27..300} A 192.0.2.1"],
      finding: "this run: changes 26 records in place in one run; the limit is 25",
      zone: "*",
    },
  },
  G15: {
    counts: `Counts the A and the AAAA records of the apex. At least one of each has to remain if there was one.`,
    example: {
      lines: ["  @ A 192.0.2.1", "- @ AAAA 2001:db8::1"],
      finding: "example.com AAAA: deletes the last IPv6 address (1 AAAA record); 1 A record remains",
    },
  },
  G16: {
    counts: `Compares the preference of new MX records with the lowest of those that remain. An equal one is fine.`,
    example: {
      lines: ["  @ MX 10 a.example.net.", "+ @ MX 5 b.example.net."],
      finding: "example.com MX: mail is delivered to b.example.net (5) before a.example.net (10)",
    },
  },
  G17: {
    counts: `Compares SPF and DMARC of each changed name before and after the plan. ${each}`,
    example: {
      lines: ['- _dmarc TXT "v=DMARC1; p=none"', '+ _dmarc TXT "v=DMARC1; p=reject"'],
      finding: "_dmarc.example.com TXT: DMARC rejects more mail: from p=none to p=reject",
    },
  },
  G18: {
    counts: `Compares the DKIM key of each changed selector before and after the plan. A new key in its place is fine.`,
    example: {
      lines: ['- s._domainkey TXT "v=DKIM1; p=MCowBQYDK2VwAyEA"', "  @ A 192.0.2.1"],
      finding: "s._domainkey.example.com TXT: deletes the DKIM key",
    },
  },
  G19: {
    counts: `Compares the authorities that may issue certificates for each changed name before and after the plan. ${each}`,
    example: {
      lines: ['  @ CAA 0 issue "ca.example"', '+ @ CAA 0 issue "other.example"'],
      finding: "example.com CAA: CAA lets other.example issue certificates",
    },
  },
  G20: {
    counts: `Compares the records of MTA-STS and TLS reporting before and after the plan. ${each}`,
    example: {
      lines: ['- _mta-sts TXT "v=STSv1; id=1"', "  @ A 192.0.2.1"],
      finding: "_mta-sts.example.com TXT: deletes the MTA-STS record",
    },
  },
  G21: {
    counts: "Compares the TTL with the longest one that the set had. The limit is 86,400 seconds, a day.",
    example: {
      lines: ["- @ 3600 A 192.0.2.1", "+ @ 172800 A 192.0.2.1"],
      finding: "example.com A: the TTL is 172800 seconds (2 days); the limit is 86400",
    },
  },
  G22: {
    counts: `Looks for new addresses in \`axfr_ips\`, and for changes of \`master_ips\`. ${each}`,
    example: { lines: ["+ ;@ axfr_ips: 192.0.2.53"], finding: "example.com: lets 192.0.2.53 transfer the zone" },
  },
  G23: {
    counts: `Compares the records of each wildcard and type before and after the plan. ${each}`,
    example: {
      lines: ["- * A 192.0.2.1", "+ * A 192.0.2.2"],
      finding: "*.example.com A: A of every name that does not exist changes",
    },
  },
  G24: {
    counts: `Compares new A and AAAA records with the addresses that nodes lost in the last 90 days. ${each}`,
    example: {
      lines: ["+ www A 203.0.113.24"],
      finding:
        'www.example.com A: points to 203.0.113.24, which the node "web-1" had until 2026-03-01 and no node of the account has now',
    },
  },
  G25: {
    counts: `Looks for deleted TXT records that prove the ownership of a name at a hosted service. ${each}`,
    example: {
      lines: ["- asuid.www TXT 5f2a", "  www CNAME shop.azurewebsites.net."],
      finding:
        "asuid.www.example.com TXT: www.example.com still points to Azure App Service, where anyone can then claim it",
    },
  },
  G26: {
    counts: `Compares the targets of new records with a list of hosted services. ${each}`,
    zoneSetting: "lenient: [hosted-target]",
    example: {
      lines: ["+ www CNAME shop.s3.amazonaws.com."],
      finding:
        'www.example.com CNAME: points to "shop.s3.amazonaws.com." at Amazon S3, where others can claim such names',
    },
  },
  G27: {
    counts: `Looks up each new name, the names above it, and targets of records below it, with and without the plan. One address family is enough, and names of services such as _dmarc need no address. For everything else, each lost type of the wildcard is blocked.`,
    example: {
      lines: ["  * A 192.0.2.1", "+ x.shop A 192.0.2.2"],
      finding:
        "x.shop.example.com A: leaves shop.example.com without the A of *.example.com, which answers only for names that do not exist",
    },
  },
  G28: {
    counts: `Looks up the addresses of each changed name to which records of zones with files point, also through aliases. At least one has to remain if there was one.`,
    example: {
      lines: ["- mail A 192.0.2.25", "  mail TXT text", "  @ MX 10 mail"],
      finding: "mail.example.com A: deletes the last address; example.com points here",
    },
  },
  G29: {
    counts:
      "Compares `expire_sec` before and after the plan. The limit is `expire_sec_least`; a time that is raised is fine.",
    thresholds: ["expire_sec_least"],
    example: {
      lines: ["- ;@ expire_sec: 1209600", "+ ;@ expire_sec: 3600"],
      finding:
        "example.com: secondaries stop answering after 1 hour without a refresh (expire_sec); the limit is 1 day",
    },
  },
  G30: {
    counts: `Compares the A and AAAA records of name servers in the zones that they serve, or beside their delegation. The first address of a name is fine; an alias in place of addresses is not. ${each}`,
    example: {
      lines: ["  sub NS ns.sub", "- ns.sub A 192.0.2.1", "+ ns.sub A 192.0.2.2"],
      finding: "ns.sub.example.com A: changes the glue of sub.example.com",
    },
  },
  G31: {
    counts: `Looks up the TXT record by which another domain accepts the reports (RFC 9990 section 4), in the zones with files. A destination that the policy had before is fine. ${each}`,
    example: {
      lines: ['+ _dmarc TXT "v=DMARC1; p=none; rua=mailto:in@lab.example"', "  zone lab.example", "  @ MX 10 mail"],
      finding:
        '_dmarc.example.com TXT: lab.example accepts no DMARC reports of example.com: "example.com._report._dmarc.lab.example" has no TXT "v=DMARC1"',
    },
  },
  G32: {
    counts: `Follows the aliases of the apex, www and mail before and after the plan. A change from one unmanaged name to another is fine. ${each}`,
    example: {
      lines: ["- www A 192.0.2.1", "+ www CNAME shop.example.net."],
      finding: "www.example.com A, CNAME: points www.example.com to shop.example.net, which is in no managed zone",
    },
  },
  G33: {
    counts:
      "Counts the `+` in the header of the plan. The limit is `zone_creates_least`, or `zone_creates_percent` of the records in the zone if that is more, but then at most `zone_creates_most`. There is no limit for a zone that is new, empty or not served yet.",
    thresholds: ["zone_creates_least", "zone_creates_percent", "zone_creates_most"],
    example: {
      lines: ["  h{1..4} A 192.0.2.1", "+ n{1..26} A 192.0.2.1"],
      finding: "example.com: creates 26 records in a zone of 4; the limit is 25",
    },
  },
  G34: {
    counts: `Counts the \`⇄\` in the header of the plan, and in the headers of all zones. ${zoneLimit} For all zones together, the limits are \`run_deletes\` swaps, and \`run_zones\` zones with swaps.`,
    thresholds: [...ofZone, ...ofRun],
    example: {
      lines: ["- h{1..4} A 192.0.2.1", "+ h{1..4} CNAME x.example.net.", "  h5 A 192.0.2.1"],
      finding: "example.com: swaps 4 of 5 records; the limit is 3",
    },
  },
};
