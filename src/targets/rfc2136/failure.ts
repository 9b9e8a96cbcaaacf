import type { Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Name, relativeTo, withoutDot } from "../../dns/name/name.ts";
import { rcode, rcodeName } from "../../dns/transfer/codes.ts";
import { rejectedError, UnprovenError } from "../../dns/transfer/signed-answer.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import type { Update } from "../../dns/transfer/update.ts";
import type { UpdateReply } from "../../dns/transfer/update-reply.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import type { ExpectedSet, WriteFailure } from "../target.ts";
import { type ServerProgram, textsAbout } from "./server-program.ts";

/** An update that failed, or whose outcome is unknown. */
export class UpdateError extends ProblemError {
  readonly failure: WriteFailure;

  constructor(failure: WriteFailure, id: ProblemId, summary: string, fix?: Fix) {
    super(problem(id, summary, { fix }));
    this.name = "UpdateError";
    this.failure = failure;
  }
}

/** The zone, the server and the key of a request. */
export interface RequestTo {
  readonly zone: Name;
  readonly server: ServerAddress;
  readonly key: Key | undefined;
  /** The program of the server, which advice is about; undefined if it is not known. */
  readonly program?: ServerProgram | undefined;
}

/** The name and algorithm of a key. */
export function keyText({ name, algorithm }: Key): string {
  return `key ${escapeControl(withoutDot(name))} (${algorithm})`;
}

/** An error of a query or transfer, with the zone, the server and, if it is about the signature, the key. */
export function readError(
  { zone, server, key }: RequestTo,
  { problem: { id, summary, fix } }: TransferError,
): TransferError {
  const signer = key && id === "transfer/tsig" ? [keyText(key)] : [];
  const where = [escapeControl(withoutDot(zone)), serverText(server), ...signer].join(", ");
  return new TransferError(id, `${where}: ${summary}`, fixesOfTarget.get(id) ?? fix);
}

const askConfigured = "Check in the settings of the target that this is a name server of the zone, and its port.";

/** Advice about a server that the target names, which no other one can replace. */
const fixesOfTarget: ReadonlyMap<ProblemId, string> = new Map([
  ["transfer/answer", askConfigured],
  [
    "transfer/connect",
    "Check its address in the settings of the target, whether the server runs, and the network to it.",
  ],
  ["transfer/incomplete", "Run the command again. If the connection ends again, check the log of the server."],
  ["transfer/message", askConfigured],
  ["transfer/rcode", "Check the log of the server."],
  ["transfer/servfail", "Check the log of the server."],
  [
    "transfer/too-large",
    "No setting allows a larger zone: check that the server has the right one, and ends its transfers.",
  ],
  ["transfer/timeout", "Check the load of the server, and the network to it. Then run the command again."],
]);

/** A server that has the zone and refuses queries for it, as far as its replies tell. */
export function queryRefusedError(to: RequestTo): TransferError {
  const summary = `the server does not let ${senderText(to)} query the zone (REFUSED)`;
  const settings = textsAbout(to.program, {
    BIND: "`allow-query` in BIND, or with views a key of the view that has the zone",
    Knot: "the module `queryacl` in Knot",
  });
  const how = settings.length > 0 ? `: ${settings.join("; ")}` : "";
  const fix = `If it has the zone, allow it${how}. Otherwise add the zone to its configuration.`;
  return readError(to, new TransferError("transfer/refused", summary, fix));
}

/**
 * An error of a transfer. Knot replies NOTAUTH if it does not allow one, with BADKEY for a key that it knows, and
 * PowerDNS NOTAUTH.
 */
export function transferError(to: RequestTo, error: TransferError): TransferError {
  const isBadKey = error instanceof UnprovenError && error.tsigError === rcode.BADKEY;
  const code = isBadKey ? "BADKEY" : refusals.get(error.problem.id);
  if (code === undefined) return readError(to, error);
  const summary = `the server does not let ${senderText(to)} transfer the zone (${code})`;
  const other = isBadKey ? " A server that does not have the key replies this, too." : "";
  const settings = textsAbout(to.program, {
    BIND: "`allow-transfer` in BIND",
    Knot: "an `acl` with `action: transfer` in Knot",
    NSD: "`provide-xfr` in NSD",
    PowerDNS: "TSIG-ALLOW-AXFR in PowerDNS",
  });
  const fix = `Allow it${settings.length > 0 ? `: ${settings.join(", ")}` : ""}.${other}`;
  return readError({ ...to, key: undefined }, new TransferError(error.problem.id, summary, fix));
}

const refusals: ReadonlyMap<ProblemId, string> = new Map([
  ["transfer/refused", "REFUSED"],
  ["transfer/notauth", "NOTAUTH"],
]);

function senderText({ key }: RequestTo): string {
  return key ? `the ${keyText(key)}` : "this address";
}

/** A server to transfer from whose zone is not the one of the primary. */
export function olderError(
  to: RequestTo,
  primary: ServerAddress,
  [serial, current]: readonly [number, number | undefined],
): TransferError {
  const has = current === undefined ? "does not have the zone" : `has serial ${current}`;
  const summary = `the transferred zone has serial ${serial}, but the primary ${serverText(primary)} ${has}`;
  const fix = "Wait until this server has the zone of the primary, or leave `transfer_from` out.";
  return readError(to, new TransferError("transfer/behind", summary, fix));
}

/** A server that accepted an update, and still serves the zone from before it. */
export function unservedError(to: RequestTo, serial: number): TransferError {
  const summary = `the server accepted an update, and still serves the zone from before it, with serial ${serial}`;
  const fix =
    "If it is a secondary that forwards updates, name the primary in `server`. If it signs the zone, it may need longer: plan again later.";
  return readError(to, new TransferError("update/unserved", summary, fix));
}

/** Nothing was sent: the server could not be reached. */
export function unsentError(to: RequestTo, reason: TransferError): UpdateError {
  const { problem } = readError(to, reason);
  return new UpdateError("unavailable", problem.id, problem.summary, problem.fix);
}

/** An update without a reply that proves its outcome. */
export function lostError(to: RequestTo, reason: TransferError): UpdateError {
  const { problem } = readError(to, reason);
  const summary = `${problem.summary}; it is not known whether the update took effect`;
  return new UpdateError("lost", problem.id, summary, problem.fix);
}

/** An update that does not fit into one message, because its RRsets are too large. */
export function tooLargeError({ zone, server }: RequestTo, { prerequisites }: Update): UpdateError {
  const records = prerequisites.reduce((sum, one) => sum + (one.kind === "set equals" ? one.records.length : 0), 0);
  return new UpdateError(
    "invalid",
    "update/too-large",
    `${escapeControl(withoutDot(zone))}, ${serverText(server)}: an update that compares ${records} stored records does not fit into one message of 65,535 octets`,
    "Change so large an RRset with the tools of the server.",
  );
}

/** A server that never changes the TTL of the only name server. */
export function loneNsError(zone: Name, server: ServerAddress): UpdateError {
  return new UpdateError(
    "invalid",
    "update/lone-ns",
    `${escapeControl(withoutDot(zone))}, ${serverText(server)}: the server does not change the TTL of a single NS record of the zone`,
    "Add a second name server to the zone, or keep the TTL.",
  );
}

/** A CNAME beside other records of its name. */
export function crowdedError({ zone, server }: RequestTo, owner: Name): UpdateError {
  return new UpdateError(
    "invalid",
    "update/cname",
    `${serverText(server)} would ignore a CNAME record of ${escapeControl(relativeTo(owner, zone))} beside its other records`,
    "Remove the other records of this name, or the CNAME.",
  );
}

/** A zone that does not have a record, or none if it is not known which. */
export function goneError(zone: Name, record?: Id): UpdateError {
  const what = record === undefined ? "is not there" : `does not have ${escapeControl(String(record))}`;
  return new UpdateError("gone", "update/gone", `${escapeControl(withoutDot(zone))} ${what} any more`);
}

/** Zones are created, configured and deleted in the configuration of the server. */
export function zonesOfServerError(): UpdateError {
  const fix = "Do it in the configuration of the server.";
  return new UpdateError("refused", "update/zones", "dynamic updates create, configure and delete no zones", fix);
}

/** BIND's default for the records of an RRset, since 9.18.28. */
const mostRecordsOfBind = 100;

/** The RRset of an update that BIND's default does not allow, in words; empty for another server. */
function overDefault({ zone, program = "BIND" }: RequestTo, wanted: readonly ExpectedSet[]): string {
  if (program !== "BIND") return "";
  const large = wanted.find(({ records }) => records.length > mostRecordsOfBind);
  if (large === undefined) return "";
  const name = `${escapeControl(relativeTo(large.owner, zone))} ${large.type}`;
  return `, where the RRset ${name} would have ${large.records.length} records`;
}

/** The meaning of a reply that is an error. `wanted` are the RRsets after the update. */
export function replyError(to: RequestTo, reply: UpdateReply, wanted: readonly ExpectedSet[] = []): UpdateError {
  const { zone, server } = to;
  const [shown, at] = [escapeControl(withoutDot(zone)), serverText(server)];
  if (reply.tsigError === rcode.BADKEY) return notAllowedError(to, "BADKEY");
  if (reply.tsigError !== undefined) return signatureError(to, reply, reply.tsigError);
  switch (reply.rcode) {
    case rcode.YXDOMAIN:
    case rcode.YXRRSET:
    case rcode.NXRRSET:
      return new UpdateError(
        "changed",
        "update/changed",
        `${shown}: someone else changed records of this update (${rcodeName(reply.rcode)} from ${at})`,
      );
    case rcode.REFUSED:
      return new UpdateError(
        "refused",
        "update/refused",
        `${at} refused the update of ${shown} (REFUSED)`,
        refusedFix(to),
      );
    case rcode.NOTAUTH:
      return notAllowedError(to, "NOTAUTH");
    case rcode.NOTIMP:
      return new UpdateError(
        "refused",
        "update/notimp",
        `${at} takes no dynamic updates (NOTIMP)`,
        notImplementedFix(to.program),
      );
    case rcode.SERVFAIL:
      return new UpdateError(
        "unavailable",
        "update/servfail",
        `${at} failed to update ${shown}${overDefault(to, wanted)} (SERVFAIL)`,
        ["Check the log of the server.", ...textsAbout(to.program, causesOfServfail)].join(" "),
      );
    default:
      return new UpdateError(
        reply.rcode === rcode.FORMERR || reply.rcode === rcode.NOTZONE ? "invalid" : "refused",
        "update/rcode",
        `${at} rejected the update of ${shown} (${rcodeName(reply.rcode)})`,
        [
          "Check the log of the server.",
          ...(reply.rcode === rcode.FORMERR ? textsAbout(to.program, causesOfFormerr) : []),
        ].join(" "),
      );
  }
}

function notImplementedFix(program: ServerProgram | undefined): string {
  const ofPrograms = textsAbout(program, {
    PowerDNS: "Turn them on: `dnsupdate=yes` in PowerDNS.",
    NSD: "NSD takes none: use a target of `kind: files` on its machine, or another server as the primary.",
  });
  // It does not state a version.
  const own = "zonewright's own server takes changes by its API, as a target of `kind: api`.";
  return [...ofPrograms, ...(program === undefined ? [own] : [])].join(" ") || "Turn them on in its configuration.";
}

function refusedFix(to: RequestTo): string {
  const settings = textsAbout(to.program, {
    BIND: "`update-policy` in BIND",
    Knot: aclOfKnot,
    PowerDNS: "`dnsupdate=yes` and TSIG-ALLOW-DNSUPDATE in PowerDNS",
  });
  const causes = textsAbout(to.program, {
    BIND: "BIND also replies this as a secondary, to an address or MX record at a name that is no host name (`check-names`), and to an MX, SRV or NS record whose host in the zone has no address; its log names the reason.",
    Knot: "Knot also replies this to records below a DNAME.",
  });
  const allow = `${to.key ? "Allow" : "Set the TSIG key of the target, or allow"} ${senderText(to)} to update all names and types of it`;
  return [`${allow}${settings.length > 0 ? `: ${settings.join("; ")}` : ""}.`, ...causes].join(" ");
}

const aclOfKnot =
  "an `acl` with `action: update` in Knot, without `update-type` and `update-owner` or with all types and names of the update in them";

const causesOfServfail = {
  BIND: "BIND 9.18 replies this if an RRset would have more than 100 records (`max-records-per-type`) or a name more than 100 types (`max-types-per-name`).",
  Knot: "Knot replies this if an RRset would not fit into a message of 65,535 octets.",
  PowerDNS: "PowerDNS 4.7 replies this to every update after one with NSEC3PARAM, until it is restarted.",
};

const causesOfFormerr = { PowerDNS: "PowerDNS replies this to a record whose type it does not know." };

/** A server that is not the primary, or whose rules do not allow the update: Knot replies this to both. */
function notAllowedError(to: RequestTo, code: "NOTAUTH" | "BADKEY"): UpdateError {
  const summary = `${serverText(to.server)} takes no updates of ${escapeControl(withoutDot(to.zone))} from ${senderText(to)}: ${code}`;
  const [rule] = textsAbout(to.program, { Knot: `Allow it by ${aclOfKnot}.` });
  const others = `A secondary and a server without the key reply this${rule === undefined ? "" : ", too"}: name the primary in \`server\`, and compare the key.`;
  const id = code === "BADKEY" ? "update/badkey" : "update/notauth";
  return new UpdateError("refused", id, summary, rule === undefined ? others : `${rule} ${others}`);
}

/** A server that rejects the signature (RFC 8945 §5.2). */
function signatureError(to: RequestTo, { serverTime }: UpdateReply, error: number): UpdateError {
  const { id, summary, fix } = readError(to, rejectedError(error, serverTime)).problem;
  return new UpdateError("refused", signatureIds.get(error) ?? id, summary, fix);
}

const signatureIds: ReadonlyMap<number, ProblemId> = new Map([
  [rcode.BADSIG, "update/badsig"],
  [rcode.BADTIME, "update/badtime"],
  [rcode.BADTRUNC, "update/badtrunc"],
]);
