import type { Explained } from "./rulebook.ts";

type Row = readonly [id: string, why: string, severity?: Explained["severity"]];

const project: readonly Row[] = [
  ["config-read", "The config file is there but cannot be read; without it other zones would be meant."],
  ["config-syntax", "The config file is one YAML document."],
  ["config-value", "A setting of the config file has a value that it cannot have."],
  ["file-exists", "What would be written stands there already, perhaps with changes that nobody has seen."],
  [
    "file-passed-over",
    "A file among zone files whose name has no ending of theirs is not read: perhaps it has a slip.",
    "note",
  ],
  ["file-read", "A file that cannot be read would leave a zone out."],
  ["file-write", "A file cannot be written; none of the others has changed."],
  ["fmt-inexact", "The canonical form would not read back as the file does, so the file stays as it is."],
  [
    "fmt-left-alone",
    "Canonical form has an order of its own: a comment about a part of a file, $INCLUDE, $GENERATE and aliases have no place in it.",
    "warning",
  ],
  ["rewrite-format", "Files of this format are read, never written."],
  ["rewrite-generate", "A $GENERATE makes the record: one of many cannot be changed where they all are written."],
  ["rewrite-include", "It is written in a file that others may include too."],
  ["rewrite-inexact", "What was written would not read back as what was meant, so the file stays as it is."],
  ["rewrite-name", "The file holds another zone."],
  ["rewrite-ttl", "The record would take its TTL from lines that others take it from too."],
  ["rule-unknown", "No rule has this name; zonewright explain lists them."],
  ["zone-twice", "Two files say one zone, and only one of them could count."],
  ["zone-unknown", "The word is neither a file nor a zone."],
  ["zones-empty", "There is no zone file; a plan of nothing is seldom meant."],
  ["zones-folder", "A folder with zone files cannot be read."],
];

const service: readonly Row[] = [
  ["api/grant", "The token's user is restricted and has no grant on this (403)."],
  ["api/invalid", "The API refused what was sent (400); nothing was stored."],
  ["api/maintenance", "The service is under maintenance (503); nothing was changed."],
  ["api/not-found", "The API has no such object, or this token may not see it (404)."],
  ["api/other", "The API answered with a status that its contract does not have here."],
  ["api/rate", "Too many requests in the window of the rate limit (429)."],
  ["api/scope", "The token lacks the scope that the request needs (401)."],
  ["api/server", "The service failed (5xx); a write may have been carried out."],
  ["api/token", "The API does not know the token, or it has expired (401)."],
  ["client/base-url", "The address of the API is a URL with http or https."],
  ["client/list-changed", "A list changed each time it was read: used together, its pages could lack an item."],
  ["client/token", "A token is printable characters without spaces."],
  ["dns-message", "The octets are no DNS message (RFC 1035 §4.1)."],
  ["grant-domain", "A grant is on a domain of the user's account."],
  ["listen", "The server cannot listen there."],
  ["live-record", "A stored record is none that DNS knows, so no plan can be made of it."],
  ["nameservers", "Name servers are given as names."],
  ["not-put-back", "A write failed, and the state before it could not be put back: look at this name first."],
  ["not-rendered", "The service has no zone file of this zone yet."],
  ["store-newer", "The database was written by a newer zonewright."],
  ["store-open", "The database cannot be opened."],
  ["token-missing", "The API asks for a token."],
  ["token-unknown", "No token of the server has this number."],
  ["transfer/aborted", "The question to a name server was given up."],
  ["transfer/answer", "What answers is no name server, or answers something else than it was asked."],
  ["transfer/class", "Zones of other classes than IN are not transferred."],
  ["transfer/connect", "No connection to the name server."],
  ["transfer/cut", "The answer ended before the zone did, so nothing of it counts (RFC 5936 §2.2)."],
  ["transfer/message", "The name server sent octets that are no DNS message."],
  ["transfer/notauth", "The name server does not hold the zone, or does not accept the TSIG key."],
  ["transfer/out-of-zone", "The name server sent a record of another zone; all it sent is in doubt."],
  ["transfer/rcode", "The name server answered with an error."],
  ["transfer/refused", "The name server does not give the zone to this address or this TSIG key."],
  ["transfer/servfail", "The name server has failed; often it has not loaded the zone."],
  ["transfer/soa", "A zone comes between its SOA record and the same SOA record (RFC 5936 §2.2)."],
  ["transfer/timeout", "The name server did not answer in time."],
  ["transfer/too-large", "The zone is larger than was allowed; it may have no end."],
  ["transfer/tsig", "A signature is missing or wrong, or the name server does not accept ours (RFC 8945)."],
  ["transport/aborted", "The request was given up."],
  ["transport/connect", "No connection to the service."],
  ["transport/dns", "The name of the service does not resolve."],
  ["transport/failed", "No reply from the service."],
  ["transport/refused", "No server listens there."],
  ["transport/reply", "What answers is not the API."],
  ["transport/reset", "The connection broke before the reply was whole."],
  ["transport/timeout", "The service did not answer in time."],
  ["transport/tls", "No trusted TLS connection to the service."],
  ["unexpected", "Something that nobody foresaw; please report it."],
  ["user-account", "A user belongs to one account."],
  ["user-exists", "The name of a user is theirs alone."],
  ["user-unknown", "The server has no user of this name."],
  ["user-unrestricted", "Grants say what restricted users may do; others may do everything in their account."],
];

/** What can be said besides rules and reading: of the project's files, and of the service and the way to it. */
export const running: readonly Explained[] = [
  ...project.map(explained("project")),
  ...service.map(explained("service")),
];

function explained(set: Explained["set"]): (row: Row) => Explained {
  return ([id, why, severity = "error"]) => ({ id, set, severity, why });
}
