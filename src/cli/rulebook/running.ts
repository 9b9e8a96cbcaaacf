import type { Explained } from "./rulebook.ts";

type Row = readonly [id: string, why: string, severity?: Explained["severity"]];

const project: readonly Row[] = [
  ["ack-ended", "An acknowledgement of what a guard holds counts until its day.", "warning"],
  ["ack-useless", "An acknowledgement that fits nothing is of other effects than those that are planned.", "warning"],
  ["config-read", "The config file is there but cannot be read; without it other zones would be meant."],
  ["config-syntax", "The config file is one YAML document, and so is acks.yaml."],
  ["config-value", "A setting of the config file, or a part of acks.yaml, has a value that it cannot have."],
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
  ["git-missing", "What changed since a commit only git can say, in a work tree."],
  ["git-revision", "The revision is none that git has here."],
  ["guard-held", "A guard holds effects that are seldom meant; docs/guards.md lists them."],
  ["ignore-ended", "What an ignore pattern left alone until some day is deleted from then on.", "warning"],
  ["plan-consumed", "A plan file is applied once."],
  ["plan-digest", "A plan file that was edited is not the one that was reviewed."],
  ["plan-done", "Somebody did already what the plan would do.", "note"],
  ["plan-edited", "Somebody wrote to a zone of the plan since it was made, elsewhere than it does.", "warning"],
  ["plan-effects", "What is left to do is not among what was approved."],
  ["plan-expired", "A plan file may be applied for a time; the world moves on."],
  ["plan-files", "The zone files, or what the config says, are not those that the plan was made of."],
  ["plan-format", "The file is no plan file, or of a version that is not known."],
  ["plan-shape", "A part of the plan file is missing or of another kind."],
  ["plan-stale", "What the plan would change is not as it was when it was made."],
  ["plan-superseded", "A plan of a later commit was applied in the same zones; this one would take it back."],
  ["plan-syntax", "A plan file is JSON, whole."],
  ["plan-target", "The plan was made for another API or another account."],
  ["rewrite-format", "Files of this format are read, never written."],
  ["rewrite-generate", "A $GENERATE makes the record: one of many cannot be changed where they all are written."],
  ["rewrite-include", "It is written in a file that others may include too."],
  ["rewrite-inexact", "What was written would not read back as what was meant, so the file stays as it is."],
  ["rewrite-name", "The file holds another zone."],
  ["rewrite-ttl", "The record would take its TTL from lines that others take it from too."],
  ["rule-unknown", "No rule has this name; zonewright explain lists them."],
  ["snapshot-read", "The file is no snapshot of an account, or not whole."],
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
  ["listen", "The server cannot listen there."],
  ["live-record", "A stored record is none that DNS knows, so no plan can be made of it."],
  ["nameservers", "Name servers are given as names."],
  ["not-put-back", "A write failed, and the state before it could not be put back: look at this name first."],
  ["not-rendered", "The service has no zone file of this zone yet."],
  ["store-newer", "The database was written by a newer zonewright."],
  ["store-open", "The database cannot be opened."],
  ["token-missing", "The API asks for a token."],
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
];

/** What can be said besides rules and reading: of the project's files, and of the service and the way to it. */
export const running: readonly Explained[] = [
  ...project.map(explained("project")),
  ...service.map(explained("service")),
];

function explained(set: Explained["set"]): (row: Row) => Explained {
  return ([id, why, severity = "error"]) => ({ id, set, severity, why });
}
