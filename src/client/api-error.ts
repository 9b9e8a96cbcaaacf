import { type ApiErrorEntry, reasons as known } from "../contract/errors.ts";
import { type Advice, advise, type Fix } from "../diagnostics/advice.ts";
import { durationInWords, momentText } from "../diagnostics/quantities.ts";
import type { Call } from "./call.ts";
import { ClientError } from "./client-error.ts";
import type { Redactor } from "./secret.ts";
import { lookFirst } from "./transport-error.ts";

export type ApiErrorKind =
  | "invalid"
  | "token"
  | "scope"
  | "grant"
  | "not-found"
  | "busy"
  | "rate"
  | "maintenance"
  | "server"
  | "other";

/** An error reply of the service. */
interface RefusedReply {
  status: number;
  headers: Headers;
  /** Empty if the body did not match the contract, which is accepted only from a 429 and during maintenance. */
  reasons: readonly ApiErrorEntry[];
  /** Time to wait before the next attempt, in milliseconds, from the headers of a 429 or 503. */
  retryAfterMs?: number | undefined;
  /** When it arrived, in milliseconds since 1970. */
  received: number;
}

/**
 * An error reply of the service (decisions/documents#errors, decisions/service#replies). `message` contains the
 * request, the status, the first reasons and the fix; untrusted text in it is escaped, and the token is removed.
 */
export class ApiError extends ClientError {
  /** Method and path, such as `POST /v4/domains/12/records`. */
  readonly request: string;
  readonly status: number;
  readonly kind: ApiErrorKind;
  /** `refused`: nothing was stored. `ambiguous`: 408 and 5xx, a write may have taken effect. */
  readonly outcome: "refused" | "ambiguous";
  /** As the service sent them: unescaped, but without the token. */
  readonly reasons: readonly ApiErrorEntry[];
  readonly retryAfterMs: number | undefined;

  /** @internal */
  constructor(call: Call, reply: RefusedReply, redactor: Redactor) {
    const kind = kindOf(call, reply);
    const outcome = kind === "server" || reply.status === 408 ? "ambiguous" : "refused";
    const reasons = reasonsText(reply.reasons, redactor);
    const summary = `${call.line}: ${reply.status} ${reasons || (titles[kind] ?? "without a reason")}`;
    super(`api/${kind}`, summary, advice({ kind, outcome }, call, reply, redactor));
    this.name = "ApiError";
    this.request = call.line;
    this.status = reply.status;
    this.kind = kind;
    this.outcome = outcome;
    this.reasons = reply.reasons.map(({ reason, field }) => ({
      reason: redactor.text(reason),
      ...(field !== undefined && { field: redactor.text(field) }),
    }));
    this.retryAfterMs = reply.retryAfterMs;
  }
}

/** Whether the reply is an error whatever its body. It may come from a proxy in front of the service. */
export function isBareRefusal(status: number, headers: Headers): boolean {
  return status === 429 || (status === 503 && headers.has("X-Maintenance-Mode"));
}

function kindOf({ endpoint }: Call, { status, headers, reasons }: RefusedReply): ApiErrorKind {
  if (status === 429) return "rate";
  // Unlike the job of a node, another change of a domain ends soon.
  const isBusy = reasons.some(({ field, reason }) => field === undefined && /\bbusy\.?$/i.test(reason));
  if (status === 400 && endpoint.path.startsWith("/domains") && isBusy) return "busy";
  if (isBareRefusal(status, headers)) return "maintenance";
  if (status >= 500) return "server";
  if (status === 401) return reasons.some(({ reason }) => reason === known.scope) ? "scope" : "token";
  return byStatus[status] ?? "other";
}

const byStatus: Readonly<Record<number, ApiErrorKind>> = { 400: "invalid", 403: "grant", 404: "not-found" };

const titles: Partial<Record<ApiErrorKind, string>> = { rate: known.tooManyRequests, maintenance: "Under maintenance" };

/** Maximum number of reasons in a message; further ones are counted. */
const mostReasons = 20;

function reasonsText(reasons: readonly ApiErrorEntry[], redactor: Redactor): string {
  const more = reasons.length - mostReasons;
  const shown = reasons.slice(0, mostReasons).map((entry) => reasonText(entry, redactor));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** A reason, with the field before it unless it begins with that. */
function reasonText({ field, reason }: ApiErrorEntry, redactor: Redactor): string {
  const text = redactor.quote(reason, 300).replace(/\.$/, "");
  const isNamed = field === undefined || reason.startsWith(`${field} `);
  return isNamed ? text : `${redactor.quote(field)}: ${text}`;
}

const otherOwner = "Use a token of the account that has that domain, or have the domain released there.";
const otherRecords = advise`${{ call: "listRecords" }} shows the records of a domain: delete or rename the others first.`;

const hostName =
  "Write a host name of two labels or more of ASCII letters, digits and hyphens, such as www.example.com.";
const lookedUp =
  "The name must lead back to the address: first create an A or AAAA record of this name with the address.";
const transferable =
  "A domain or node must belong to the account, be named once, and be in no other pending or accepted transfer. A domain is offered together with those of the account above and below it; a node has no unfinished job and no volume attached.";

const oneJob = advise`A node has one job at a time: ${{ call: "listEvents", with: { filter: "entity.type=node" } }} shows it. Send the request again when it has ended.`;

const payable = advise`Set a card that has not expired with ${{ call: "setCreditCard", with: { body: "@FILE" } }}: it pays the balance at once. The operator of the server can record a payment: ${{ run: "server operator account pay" }}.`;

/** The fixes of requests that are refused whatever their form. */
const byReason = new Map<string, Fix>([
  [
    known.zoneExists,
    advise`If ${{ call: "listDomains" }} does not show it, it belongs to another user or account: use a token of its owner, or have it released there.`,
  ],
  [known.zoneBelowOther, otherOwner],
  [known.zoneAroundOther, otherOwner],
  [
    known.zoneReserved,
    advise`Set the name of an address with ${{ call: "updateAddress" }}. The operator of the server can let one account have such domains: \`rdns_account\` in the catalogue.`,
  ],
  [known.zoneOfCatalog, "Choose another name: secondaries read there which zones they serve."],
  [
    known.domainNotValid,
    "Write two labels or more of ASCII letters, digits, hyphens and underscores, without a final dot, such as example.com.",
  ],
  [
    known.publicSuffix,
    advise`Create a domain below it, for the name that you registered. ${{ run: "serve", with: { allowPublicSuffixes: true } }} accepts it.`,
  ],
  [known.cnameConflict, otherRecords],
  [known.nullMxExists, otherRecords],
  [known.mxExists, otherRecords],
  [
    known.redirectUriNotValid,
    "Write an absolute URL without a fragment, as browsers show it: of http, https, or a scheme with a dot.",
  ],
  [
    known.ticketNotClosable,
    advise`It is closed already, or the operator opened it and closes it: then reply with ${{ call: "createTicketReply" }}.`,
  ],
  [known.nodeBusy, oneJob],
  [known.nodeBusyLive, oneJob],
  [known.ticketClosed, advise`Open another: ${{ call: "createTicket" }}.`],
  [known.balanceOwed, payable],
  [known.balanceOutstanding, payable],
  [known.labelTaken, "Another one of the account has this label: choose another label."],
  [
    known.configMissing,
    advise`Name one with ${{ set: "set", to: "config_id=ID" }}: ${{ call: "listNodeConfigs" }} shows them, and ${{ call: "createNodeConfig" }} creates one.`,
  ],
  [known.volumeAttached, advise`Detach it with ${{ call: "detachVolume" }}.`],
  [known.addressesLimited, advise`On ${{ run: "serve" }}, \`extra_public_ipv4\` in the catalogue allows more.`],
  [known.managedDisabled, advise`An unrestricted user can enable it: ${{ call: "enableManaged" }}.`],
  [
    known.transferNotPending,
    advise`It was accepted or cancelled before, or was not accepted within 24 hours. The account that sent it can offer another: ${{ call: "createServiceTransfer" }}.`,
  ],
  [known.transferOwn, "Accept it with a token of another account."],
]);

/** Advice on a reason; undefined for most. */
function fixOf({ field, reason }: ApiErrorEntry): Fix | undefined {
  const namesDomain = field !== undefined && /^domain(?:_id|s\[\d+\])$/.test(field);
  if (namesDomain && reason === `${field} is not valid`)
    return advise`${{ call: "listDomains" }} shows the ids of domains.`;
  if (field !== undefined && /^entities\.\w+\[\d+\]$/.test(field) && !reason.startsWith("Must be")) return transferable;
  if (field === "rdns" && reason === known.domainNotValid) return hostName;
  if (field === "rdns" && reason.startsWith(known.lookupFailed)) return lookedUp;
  const isOffered = field !== undefined && reason === `${field} is not valid`;
  return (isOffered ? offered[field] : undefined) ?? byReason.get(reason);
}

/** How to find the values of fields that take an entry of the service's catalogue. */
const offered: Readonly<Record<string, Fix>> = {
  region: advise`${{ call: "listRegions" }} shows the ids of regions.`,
  type: advise`${{ call: "listNodeTypes" }} shows the ids of types, if the service has profile live. ${{ run: "help", args: ["catalogue"] }} explains those of ${{ run: "serve" }}.`,
  image: advise`${{ call: "listImages" }} shows the ids of images, if the service has profile live. ${{ run: "help", args: ["catalogue"] }} explains those of ${{ run: "serve" }}.`,
  kernel: advise`${{ call: "listKernels" }} shows the ids of kernels.`,
};

function firstFix(reasons: readonly ApiErrorEntry[]): Fix | undefined {
  return reasons.map(fixOf).find((fix) => fix !== undefined);
}

/** The right that a restricted user needs, who gives it, and the command that does on our server. */
function rightAdvice({ endpoint, granted }: Call): Advice {
  const operator = advise`On ${{ run: "serve" }}, the operator gives it:`;
  const grant = `a grant${granted && ` on ${granted}`}`;
  if (endpoint.who === "account")
    return advise`Ask an unrestricted user for access to the account. ${operator} ${{ run: "server user access" }}.`;
  const created = endpoint.method === "POST" ? creations.find(({ path }) => path.test(endpoint.path)) : undefined;
  if (created === undefined) {
    const [type = ""] = /^(?:node|volume|firewall)(?= )/.exec(granted) ?? [];
    return advise`Ask an unrestricted user for ${grant}. ${operator} ${{ run: "server user grant", ...(type && { with: { on: type } }) }}.`;
  }
  const { objects, option, near = "" } = created;
  const needed = `the right to create ${objects}${granted && `, and ${grant}`}`;
  if (option === undefined)
    return advise`Ask an unrestricted user for ${needed}. On ${{ run: "serve" }}, only unrestricted users have it.`;
  return advise`Ask an unrestricted user for ${needed}. ${operator} ${{ run: "server user access", args: ["<name>"], with: { [option]: true } }}.${near}`;
}

/** The objects that a POST to a path creates, and the option of `zonewright server user access` that allows it. */
const creations: readonly { path: RegExp; objects: string; option?: "addDomains" | "addNodes"; near?: string }[] = [
  {
    path: /^\/domains(?:\/import|\/\{domainId\}\/clone)?$/,
    objects: "domains",
    option: "addDomains",
    near: " Above or below a domain of the account, the user also needs read_write on that one.",
  },
  { path: /^\/node\/instances(?:\/\{nodeId\}\/clone)?$/, objects: "nodes", option: "addNodes" },
  { path: /^\/volumes$/, objects: "volumes" },
  { path: /^\/networking\/firewalls$/, objects: "firewalls" },
];

function retryText(retryAfterMs: number | undefined, received: number): string {
  if (retryAfterMs === undefined) return "Try again later.";
  return `Try again in ${durationInWords(Math.ceil(retryAfterMs / 1000))}, at ${momentText(received + retryAfterMs)}.`;
}

function advice(
  { kind, outcome }: Pick<ApiError, "kind" | "outcome">,
  call: Call,
  { headers, reasons, retryAfterMs, received }: RefusedReply,
  redactor: Redactor,
): Fix | undefined {
  switch (kind) {
    case "token":
      return call.authorized
        ? "It is unknown, expired or revoked. Replace it with a valid one."
        : "No token was sent. Set ZONEWRIGHT_TOKEN.";
    case "scope": {
      const has = headers.get("X-OAuth-Scopes");
      const owned = has === null ? "" : `; it has ${redactor.quote(has)}`;
      const needed = headers.get("X-Accepted-OAuth-Scopes");
      const scope = needed === null ? call.translation.scope : redactor.quote(needed);
      return `It needs the scope ${scope}${owned}. Replace it with one that has it.`;
    }
    case "grant":
      if (call.endpoint.who === "unrestricted") return "Only an unrestricted user of the account may do this.";
      return advise`The token's user is restricted. ${rightAdvice(call)}`;
    case "not-found":
      if (call.object !== "")
        return `The ${call.object} does not exist${call.endpoint.scope === null ? "" : ", or this token may not access it"}.`;
      return call.endpoint.profile === "live"
        ? advise`Only a server with profile live has this path. Start it with ${{ run: "serve", with: { profile: "live" } }}, or check the base URL.`
        : `The service at ${call.origin} has no such path. Check the base URL.`;
    case "rate":
      return retryText(retryAfterMs, received);
    case "busy":
      return "Another change of the domain is under way, and this one was not made. Try again later.";
    case "maintenance":
      return `Nothing was changed. ${retryText(retryAfterMs, received)}`;
    case "invalid":
      return firstFix(reasons);
    case "server":
    case "other":
      if (outcome === "ambiguous") {
        const parts = [
          ...(call.endpoint.method === "GET" ? [] : [lookFirst]),
          ...(retryAfterMs === undefined ? [] : [retryText(retryAfterMs, received)]),
        ];
        return parts.length === 0 ? undefined : parts.join(" ");
      }
      return firstFix(reasons);
  }
}
