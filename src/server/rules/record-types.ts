import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ApiRecordType } from "../../contract/resources/record.ts";
import { errorEntry } from "../kit/api-error.ts";
import { nameProblems } from "./name.ts";
import { addressProblems, caaProblems, hostnameProblems, textProblems } from "./target.ts";

/** The fields of a record, as stored, that its type has rules for. */
export interface RecordFields {
  name: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  tag: string | null;
}

/** Where a record is to stand, and who asks. */
export interface Zone {
  readonly domain: string;
  readonly remoteAddress: string | undefined;
}

interface TypeRules {
  /** Fields that a record of the type cannot be without. */
  readonly required: readonly (keyof RecordFields)[];
  /** A target that a request gives, as stored. */
  target(sent: string, zone: Zone): string;
  /** What is wrong with the record on its own. */
  problems(record: RecordFields, zone: Zone): ApiErrorEntry[];
}

export function rulesOf(type: ApiRecordType): TypeRules {
  return rules[type];
}

/** service: Records, one row for each type. */
const rules: Record<ApiRecordType, TypeRules> = {
  A: { required: ["target"], target: callersAddress, problems: ({ target }) => addressProblems(target, 4) },
  AAAA: { required: ["target"], target: callersAddress, problems: ({ target }) => addressProblems(target, 6) },
  CNAME: {
    required: ["target"],
    target: withoutDot,
    problems: ({ name, target }) => [
      ...(name === "" ? [errorEntry("name", "A CNAME needs a name below the domain")] : []),
      ...hostnameProblems(target),
    ],
  },
  MX: {
    required: ["target"],
    target: withoutDot,
    // No target is the null MX of RFC 7505: the name says that it takes no mail. The service speaks of the apex only;
    // real zones have it below too, where a refusal would leave them without a way to say it.
    problems: ({ target }) => (target === "" ? [] : hostnameProblems(target)),
  },
  NS: {
    required: ["target"],
    target: withoutDot,
    problems: ({ name, target }) => [...delegationProblems(name), ...hostnameProblems(target)],
  },
  PTR: { required: ["target"], target: withoutDot, problems: ({ target }) => hostnameProblems(target) },
  TXT: { required: ["target"], target: verbatim, problems: ({ target }) => textProblems(target) },
  SRV: {
    required: ["service", "protocol", "port", "priority", "weight", "target"],
    target: serverOfService,
    problems: srvProblems,
  },
  CAA: {
    required: ["tag", "target"],
    target: verbatim,
    problems: ({ tag, target }) => (tag === null ? [] : caaProblems(tag, target)),
  },
};

function verbatim(sent: string): string {
  return sent;
}

function withoutDot(sent: string): string {
  return sent.replace(/\.$/, "");
}

function callersAddress(sent: string, { remoteAddress }: Zone): string {
  return sent === "[remote_addr]" ? (remoteAddress ?? sent) : sent;
}

/** `.`, the service is not offered (RFC 2782), is stored as no target; a single label is a host of the zone. */
function serverOfService(sent: string, { domain }: Zone): string {
  const host = withoutDot(sent);
  return host === "" || host.includes(".") ? host : `${host}.${domain}`;
}

function delegationProblems(name: string): ApiErrorEntry[] {
  if (name === "") {
    return [
      errorEntry("name", "The name servers of the domain itself are the service's own; name a subdomain to delegate"),
    ];
  }
  return name.startsWith("*") ? [errorEntry("name", "A wildcard cannot be delegated")] : [];
}

function srvProblems({ name, service, protocol, target }: RecordFields, { domain }: Zone): ApiErrorEntry[] {
  const parts = [
    ...labelProblems("service", service, domain),
    ...(service?.includes(".") ? [errorEntry("service", "Must be one label")] : []),
    ...labelProblems("protocol", protocol, domain),
  ];
  return [
    ...(parts.length > 0 ? parts : nameProblems(name, domain, "protocol")),
    ...(target === "" ? [] : hostnameProblems(target)),
  ];
}

function labelProblems(field: "service" | "protocol", value: string | null, domain: string): ApiErrorEntry[] {
  const text = value?.replace(/^_/, "") ?? "";
  return text === "" ? [errorEntry(field, `${field} is required`)] : nameProblems(`_${text}`, domain, field);
}
