import { classify } from "../../client/failure.ts";
import type { Redactor } from "../../client/secret.ts";
import type { Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Name, withoutDot } from "../../dns/name/name.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import type { WriteFailure } from "../target.ts";

/** A request to the API of PowerDNS that failed, or whose outcome is unknown. */
export class PowerDnsError extends ProblemError {
  readonly failure: WriteFailure;
  /** The reason of a rejected request in the words of the server, which is not for people. */
  readonly reason: string | undefined;

  constructor(
    failure: WriteFailure,
    id: ProblemId,
    summary: string,
    { reason, ...more }: { readonly fix?: Fix; readonly owner?: Name; readonly reason?: string } = {},
  ) {
    super(problem(id, summary, more));
    this.reason = reason;
    this.name = "PowerDnsError";
    this.failure = failure;
  }
}

/** A request, for its errors: the zone or the server that it is about, where it went, and whether it writes. */
export interface FailedRequest {
  readonly zone: Name | undefined;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly serverId: string;
  readonly isWrite: boolean;
  readonly redactor: Redactor;
}

/** A reply that is not the wanted one. */
export interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function showZone(zone: Name): string {
  return escapeControl(withoutDot(zone) || ".");
}

/** The zone and the service, at the start of a summary. */
function subject({ zone, origin }: Pick<FailedRequest, "zone" | "origin">): string {
  return zone === undefined ? origin : `${showZone(zone)}, ${origin}`;
}

function ofZone({ zone }: Pick<FailedRequest, "zone">): { owner?: Name } {
  return zone === undefined ? {} : { owner: zone };
}

const unknownOutcome = "; it is not known whether the change took effect";

/** A request without a reply. */
export function unansweredError(to: FailedRequest, error: unknown): PowerDnsError {
  const { kind, outcome, what, fix } = classify(error, to.origin, to.redactor);
  const isLost = outcome === "ambiguous" && to.isWrite;
  const summary = `${to.zone === undefined ? "" : `${showZone(to.zone)}: `}${what}${isLost ? unknownOutcome : ""}`;
  const own = fixes.get(kind) ?? (typeof fix === "string" ? fix.replace("the base URL", "`url` of the target") : fix);
  return new PowerDnsError(isLost ? "lost" : "unavailable", `transport/${kind}`, summary, {
    ...(own !== undefined && { fix: own }),
    ...ofZone(to),
  });
}

/** Advice about a PowerDNS that a target names. */
const fixes: ReadonlyMap<string, string> = new Map([
  [
    "refused",
    "Start PowerDNS with `api=yes` and `webserver-address` and `webserver-port` as in `url` of the target, or correct `url`.",
  ],
  ["dns", "Correct `url` of the target, or check the DNS settings of this machine."],
  ["connect", "Check `url` of the target, the network and any firewall in between."],
  ["timeout", "Check the load of PowerDNS and of its database, and the network. Then run the command again."],
  ["reset", "Check that `webserver-allow-from` of PowerDNS has the address of this machine, and its log."],
  ["too-long", "Read such large zones by transfers: a target of the kind `rfc2136` does."],
  ["reply", "Check that the API of PowerDNS is what listens at `url` of the target."],
]);

/** A reply with an error status, or one that is not the API's. */
export function refusalError(to: FailedRequest, reply: FailedReply): PowerDnsError {
  const { status, headers } = reply;
  const at = subject(to);
  const reason = reasonOf(reply);
  const quotedReason = to.redactor.quote(reason, longestReason);
  const location = headers.get("Location");
  if (status >= 300 && status < 400) {
    const where = location === null ? "" : ` to ${to.redactor.quote(location)}`;
    return new PowerDnsError("refused", "powerdns/reply", `${at}: ${status}, a redirect${where}`, {
      fix: "Set `url` of the target to the address of PowerDNS itself: the key is sent to no other host.",
    });
  }
  switch (status) {
    case 401:
    case 403:
      return new PowerDnsError("refused", "powerdns/key", `${at}: PowerDNS rejects the API key (${status})`, {
        fix: "Compare it with `api-key` of PowerDNS.",
      });
    case 409:
      return zoneExistsError(to);
    case 422:
    case 400:
      return new PowerDnsError("invalid", "powerdns/rejected", `${at}: PowerDNS rejects the request: ${quotedReason}`, {
        reason,
        ...ofZone(to),
      });
    case 503:
      return new PowerDnsError("unavailable", "powerdns/failed", `${at}: 503: ${quotedReason}`, { fix: checkLog });
    default:
  }
  if (status >= 500) return failedError(to, `${status}: ${quotedReason}`);
  return foreignError(to, reply);
}

const checkLog = "Check the log of PowerDNS, its database and any proxy in between. Then run the command again.";

/** An error of PowerDNS or of a proxy in the middle of a request. */
function failedError(to: FailedRequest, what: string): PowerDnsError {
  const end = to.isWrite ? unknownOutcome : "";
  return new PowerDnsError(
    to.isWrite ? "lost" : "unavailable",
    "powerdns/failed",
    `${subject(to)}: PowerDNS failed (${what})${end}`,
    { fix: checkLog, ...ofZone(to) },
  );
}

/** A zone with a record that PowerDNS does not read, for which its API fails as a whole. */
export function unreadableZoneError(zone: Name, { problem: failure }: PowerDnsError): PowerDnsError {
  const summary = `${showZone(zone)}: PowerDNS has the zone, and cannot read its records (${failure.summary})`;
  return new PowerDnsError("refused", "powerdns/records", summary, {
    fix: `Run \`pdnsutil check-zone ${showZone(zone)}\`, which names the records, and correct them in the database of PowerDNS.`,
    owner: zone,
  });
}

/** A reply that is not the API's. */
export function foreignError(to: FailedRequest, reply: FailedReply): PowerDnsError {
  const { status, headers, text } = reply;
  const type = to.redactor.quote(headers.get("Content-Type") ?? "an unknown type");
  const body = text === "" ? "an empty body" : `a body (${type}) that is not the API's: ${to.redactor.quote(text)}`;
  return new PowerDnsError("refused", "powerdns/reply", `${subject(to)}: ${status} with ${body}`, {
    fix: "Check that `url` of the target is the address of PowerDNS's API, such as http://127.0.0.1:8081, and any proxy in between.",
  });
}

/** An API without the server of the target. */
export function noServerError(to: FailedRequest): PowerDnsError {
  const summary = `${to.origin} has no server "${escapeControl(to.serverId)}" (404)`;
  return new PowerDnsError("refused", "powerdns/server", summary, {
    fix: "Check `url` and `server_id` of the target: PowerDNS calls its own server `localhost`.",
  });
}

/** A zone that does not exist; with `record`, one that does not have this record. */
export function noZoneError(zone: Name, record?: Id): PowerDnsError {
  const what =
    record === undefined ? "PowerDNS has no such zone" : `PowerDNS does not have ${escapeControl(String(record))}`;
  const fix = "Someone else may have removed it. Make a new plan.";
  return new PowerDnsError("gone", "powerdns/gone", `${showZone(zone)}: ${what} any more`, { fix, owner: zone });
}

export function zoneExistsError(to: Pick<FailedRequest, "zone" | "origin">): PowerDnsError {
  return new PowerDnsError("invalid", "powerdns/exists", `${subject(to)}: the zone exists already`, ofZone(to));
}

export function conflictError(zone: Name): PowerDnsError {
  const summary = `${showZone(zone)}: someone else changed RRsets of this write since they were read`;
  return new PowerDnsError("changed", "powerdns/changed", summary, { owner: zone });
}

/** The kind of a zone, and the addresses that it is transferred from. */
interface SecondaryZone {
  readonly kind: string;
  readonly masters?: readonly string[] | undefined;
}

/** A zone whose records come from elsewhere, although the API would store others until the next transfer. */
export function secondaryError(zone: Name, { kind, masters = [] }: SecondaryZone): PowerDnsError {
  const isCatalog = kind.toLowerCase() === "producer";
  const from =
    masters.length === 0 ? (isCatalog ? "PowerDNS itself" : "its primary") : masters.map(escapeControl).join(", ");
  const summary = `${showZone(zone)}: PowerDNS has it as a zone of the kind ${escapeControl(kind)}, whose records come from ${from}`;
  return new PowerDnsError("refused", "powerdns/secondary", summary, {
    fix: isCatalog
      ? "Set the catalog of each member in PowerDNS, or make it a Native or Primary zone first."
      : "Change it at its primary, or make it a Native or Primary zone in PowerDNS first.",
    owner: zone,
  });
}

/** A zone that was signed elsewhere, whose signatures a change would break. */
export function presignedError(zone: Name): PowerDnsError {
  const summary = `${showZone(zone)}: the zone was signed outside of PowerDNS, and a change would break its signatures`;
  return new PowerDnsError("refused", "powerdns/presigned", summary, {
    fix: "Change it where it is signed, or remove its RRSIG records and have PowerDNS sign it.",
    owner: zone,
  });
}

/** The text of an error as the API states it, or a reply of another program. */
function reasonOf({ text }: FailedReply): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "error" in value && typeof value.error === "string")
      return value.error;
  } catch {
    // The API also replies with plain text.
  }
  return text.trim() || "no reason";
}

const longestReason = 300;
