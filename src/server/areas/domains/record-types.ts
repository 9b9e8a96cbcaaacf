import type { ApiErrorEntry } from "../../../contract/errors.ts";
import type { ApiRecordType } from "../../../contract/resources/record.ts";
import type { Profile } from "../../entities/context.ts";
import { errorEntry } from "../../kit/api-error.ts";
import { nameErrors } from "../../kit/name.ts";
import { addressErrors, caaErrors, hostnameErrors, textErrors } from "../../kit/target.ts";
import type { RecordRow } from "../../store/tables.ts";

/** The stored fields of a record that its type has rules for. */
export type RecordFields = Pick<
  RecordRow,
  "name" | "target" | "priority" | "weight" | "port" | "service" | "protocol" | "tag"
>;

/** The domain of a record, the caller's address, and the behaviour of the service. */
export interface RecordPlacement {
  readonly domain: string;
  readonly profile: Profile;
  readonly remoteAddress: string | undefined;
}

interface TypeRules {
  /** Required fields. */
  readonly required: readonly (keyof RecordFields)[];
  /** The stored form of a target in a request. */
  target(sent: string, zone: RecordPlacement): string;
  /** Errors of the record's fields. */
  errors(record: RecordFields, zone: RecordPlacement): ApiErrorEntry[];
}

export function rulesOf(type: ApiRecordType): TypeRules {
  return rules[type];
}

/** The rules of each type (decisions/service#records). */
const rules: Record<ApiRecordType, TypeRules> = {
  A: { required: ["target"], target: callersAddress, errors: ({ target }) => addressErrors(target, 4) },
  AAAA: { required: ["target"], target: callersAddress, errors: ({ target }) => addressErrors(target, 6) },
  CNAME: {
    required: ["target"],
    target: withoutDot,
    errors: ({ name, target }) => [
      ...(name === "" ? [errorEntry("name", "A CNAME needs a name below the domain")] : []),
      ...hostnameErrors(target),
    ],
  },
  MX: {
    required: ["target"],
    target: withoutDot,
    // An empty target is the null MX of RFC 7505: the name accepts no mail. The service describes it at the apex only,
    // but real zones also need it below.
    errors: ({ target }) => (target === "" ? [] : hostnameErrors(target)),
  },
  NS: {
    required: ["target"],
    target: withoutDot,
    errors: ({ name, target }) => [...delegationErrors(name), ...hostnameErrors(target)],
  },
  PTR: { required: ["target"], target: withoutDot, errors: ({ target }) => hostnameErrors(target) },
  TXT: { required: ["target"], target: keepText, errors: ({ target }) => textErrors(target) },
  SRV: {
    required: ["port", "priority", "weight", "target"],
    target: serverOfService,
    errors: srvErrors,
  },
  CAA: {
    required: ["tag", "target"],
    target: keepText,
    errors: ({ tag, target }) => (tag === null ? [] : caaErrors(tag, target)),
  },
};

function keepText(sent: string): string {
  return sent;
}

function withoutDot(sent: string): string {
  return sent.replace(/\.$/, "");
}

function callersAddress(sent: string, { remoteAddress }: RecordPlacement): string {
  return sent === "[remote_addr]" ? (remoteAddress ?? sent) : sent;
}

/**
 * `.`, a service that is not offered (RFC 2782), is stored as an empty target; a single label is a host of the zone.
 */
function serverOfService(sent: string, { domain }: RecordPlacement): string {
  const host = withoutDot(sent);
  return host === "" || host.includes(".") ? host : `${host}.${domain}`;
}

function delegationErrors(name: string): ApiErrorEntry[] {
  if (name === "") {
    return [
      errorEntry("name", "The name servers of the domain itself are the service's own; name a subdomain to delegate"),
    ];
  }
  return name.startsWith("*") ? [errorEntry("name", "A wildcard cannot be delegated")] : [];
}

function srvErrors({ name, service, protocol, target }: RecordFields, { domain }: RecordPlacement): ApiErrorEntry[] {
  const parts = [
    ...labelErrors("service", service, domain),
    ...(service?.includes(".") ? [errorEntry("service", "Must be one label")] : []),
    ...labelErrors("protocol", protocol, domain),
  ];
  return [
    ...(parts.length > 0 || (service === null && protocol === null)
      ? parts
      : nameErrors(name, domain, protocol === null ? "service" : "protocol")),
    ...(target === "" ? [] : hostnameErrors(target)),
  ];
}

function labelErrors(field: "service" | "protocol", value: string | null, domain: string): ApiErrorEntry[] {
  if (value === null) return [];
  const text = value.replace(/^_/, "");
  return text === "" ? [errorEntry(field, `${field} is required`)] : nameErrors(`_${text}`, domain, field);
}
