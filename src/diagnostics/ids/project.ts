import type { Entries } from "./entry.ts";

/** Problems with the files of a project, with plans and with runs. */
export const project = {
  "ack-ended": { severity: "warning", why: "An acknowledgement of what a guard holds counts until its day." },
  "ack-useless": {
    severity: "warning",
    why: "The acknowledgement matches no blocked change of this plan: its zone, guard or effects are others.",
  },
  "config-name": {
    why: "The config is zonewright.yaml and the acknowledgements are acks.yaml; under other names they would be ignored.",
  },
  "config-read": { why: "The config file is there but cannot be read; without it other zones would be meant." },
  "config-syntax": { why: "The config file is one YAML document, and so is acks.yaml." },
  "config-value": { why: "A setting of the config file, or a part of acks.yaml, has a value that it cannot have." },
  "delete-zone-file": { why: "A domain that a zone file describes is not deleted, whoever asks." },
  "delete-zone-unknown": { why: "A domain that is to be deleted is there, and the token sees it." },
  "file-exists": { why: "What would be written stands there already, perhaps with changes that nobody has seen." },
  "file-passed-over": {
    severity: "note",
    why: "A file among zone files whose name has no ending of theirs is not read: perhaps it has a slip.",
  },
  "file-read": { why: "A file that cannot be read would leave a zone out." },
  "file-write": { kind: "failed", why: "A file cannot be written; none of the others has changed." },
  "fmt-inexact": { why: "The canonical form would not read back as the file does, so the file stays as it is." },
  "fmt-left-alone": {
    severity: "warning",
    why: "Canonical form has an order of its own: a comment about a part of a file, $INCLUDE, $GENERATE and aliases have no place in it.",
  },
  "git-missing": { why: "What changed since a commit only git can say, in a work tree." },
  "git-revision": { why: "The revision is none that git has here." },
  "guard-held": {
    why: "Guards block risky changes until someone explicitly approves them. zonewright explain G05 describes a guard.",
  },
  "ignore-ended": {
    severity: "warning",
    why: "What an ignore pattern left alone until some day is deleted from then on.",
  },
  "journal-write": {
    kind: "failed",
    why: "The journal of the run cannot be written; a write that is not in it is not sent.",
  },
  "plan-consumed": { kind: "refused", why: "A plan file is applied once." },
  "plan-digest": { kind: "refused", why: "A plan file that was edited is not the one that was reviewed." },
  "plan-done": { severity: "note", kind: "refused", why: "Somebody did already what the plan would do." },
  "plan-edited": {
    severity: "warning",
    kind: "refused",
    why: "Somebody wrote to a zone of the plan since it was made, elsewhere than it does.",
  },
  "plan-effects": { kind: "refused", why: "What is left to do is not among what was approved." },
  "plan-events": {
    severity: "note",
    kind: "refused",
    why: "The account's events since the plan: who changed the zones that it touches.",
  },
  "plan-expired": { kind: "refused", why: "A plan file may be applied for a time; the world moves on." },
  "plan-files": {
    kind: "refused",
    why: "The zone files, or what the config says, are not those that the plan was made of.",
  },
  "plan-format": { kind: "refused", why: "The file is no plan file, or of a version that is not known." },
  "plan-rolled-back": {
    kind: "refused",
    why: "Somebody applied what the plan wants and took it back; applying it again would overrule them.",
  },
  "plan-shape": { kind: "refused", why: "A part of the plan file is missing or of another kind." },
  "plan-stale": { kind: "refused", why: "What the plan would change is not as it was when it was made." },
  "plan-superseded": {
    kind: "refused",
    why: "A plan of a later commit was applied in the same zones; this one would take it back.",
  },
  "plan-syntax": { kind: "refused", why: "A plan file is JSON, whole." },
  "plan-target": { kind: "refused", why: "The plan was made for another API or another account." },
  "rewrite-format": { why: "Files of this format are read, never written." },
  "rewrite-generate": {
    why: "A $GENERATE makes the record: one of many cannot be changed where they all are written.",
  },
  "rewrite-include": { why: "It is written in a file that others may include too." },
  "rewrite-inexact": { why: "What was written would not read back as what was meant, so the file stays as it is." },
  "rewrite-name": { why: "The file holds another zone." },
  "rewrite-ttl": { why: "The record would take its TTL from lines that others take it from too." },
  "rule-unknown": { why: "No rule has this name; zonewright explain lists them." },
  "run-elsewhere": { why: "The run was made with another API, whose zones these are not." },
  "run-locked": {
    kind: "later",
    why: "Another apply of this project is at work; two at once would write against each other.",
  },
  "run-unknown": { why: "The project has no such run." },
  "snapshot-read": { why: "The file is no snapshot of an account, or not whole." },
  "undo-left": {
    severity: "note",
    why: "What was written has been changed since by somebody else, so undo leaves it.",
  },
  usage: { kind: "usage", why: "The command line makes no sense, whatever the files and the service say." },
  "zone-twice": { why: "Two files say one zone, and only one of them could count." },
  "zone-unknown": { why: "The word is neither a file nor a zone." },
  "zones-empty": { why: "There is no zone file; a plan of nothing is seldom meant." },
  "zones-folder": { why: "A folder with zone files cannot be read." },
} as const satisfies Entries;
