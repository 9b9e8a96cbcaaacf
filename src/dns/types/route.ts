import type { Name } from "../name/name.ts";
import { domainName, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 2230 §3 */
export const KX = recordType<{ preference: number; exchanger: Name }>({
  type: "KX",
  fields: {
    preference: { kind: uint16, about: "the preference, lowest first", example: "10" },
    exchanger: {
      apiName: "target",
      kind: domainName,
      about: "a host that exchanges keys for the name",
      example: "host.example.com.",
    },
  },
});

/** RFC 1183 §3.3 */
export const RT = recordType<{ preference: number; intermediate_host: Name }>({
  type: "RT",
  fields: {
    preference: { kind: uint16, about: "the preference, lowest first", example: "10" },
    intermediate_host: {
      apiName: "target",
      kind: domainName,
      about: "a host that routes to the name",
      example: "host.example.com.",
    },
  },
});

/** RFC 1183 §1 */
export const AFSDB = recordType<{ subtype: number; hostname: Name }>({
  type: "AFSDB",
  fields: {
    subtype: { kind: uint16, about: "the kind of server", example: "1" },
    hostname: {
      apiName: "target",
      kind: domainName,
      about: "a database server of the cell",
      example: "afsdb.example.com.",
    },
  },
});

/** RFC 2163 §4 */
export const PX = recordType<{ preference: number; map822: Name; mapx400: Name }>({
  type: "PX",
  fields: {
    preference: { kind: uint16, about: "the preference, lowest first", example: "10" },
    map822: { kind: domainName, about: "the domain of RFC 822 mail", example: "example.com." },
    mapx400: { kind: domainName, about: "the domain of X.400 mail", example: "px400.example.com." },
  },
});

/** draft-wijngaards-dnsop-trust-history-02 */
export const TALINK = recordType<{ previous: Name; next: Name }>({
  type: "TALINK",
  fields: {
    previous: { kind: domainName, about: 'the previous name, or "."', example: "h0.example.com." },
    next: { kind: domainName, about: 'the next name, or "."', example: "h2.example.com." },
  },
});
