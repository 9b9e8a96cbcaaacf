import { advise } from "../advice.ts";
import type { Entries } from "./entry.ts";

/** Problems with the files of a project, with plans and with runs. */
export const project = {
  "account-changed": {
    kind: "refused",
    why: "Each target stays with the account of its first apply. With the token of another account, a plan would change the zones of someone else.",
  },
  "account-new": {
    severity: "note",
    why: "The first apply on a target keeps the account of its token, so that a wrong token is noticed later.",
  },
  "ack-expired": {
    severity: "warning",
    why: "An acknowledgement approves blocked changes until the end of the day that it names.",
  },
  "action-input": {
    kind: "usage",
    why: "An input of the GitHub action is missing or invalid, or its command does not read it.",
  },
  "ack-unused": {
    severity: "warning",
    why: "The acknowledgement matches no blocked change of this plan: the zone, guard or effects differ.",
  },
  "config-name": {
    why: "The config file is named zonewright.yaml and the acknowledgements file acks.yaml. Files with other names would be ignored.",
  },
  "config-read": {
    why: "The config file exists but cannot be read. Without its settings, zonewright might manage the wrong zones.",
  },
  "config-syntax": {
    why: "zonewright.yaml, acks.yaml and the catalogue of a server each consist of one YAML document.",
  },
  "config-value": {
    why: "A setting in zonewright.yaml or in the catalogue of a server, or an entry of acks.yaml, has an invalid value.",
  },
  "catalog-member": {
    severity: "note",
    why: "A zone leaves a catalog only when it is deleted, because secondaries delete the zones that leave it (RFC 9432 §5.1).",
  },
  "catalog-zone": { why: "A catalog zone is written by zonewright, and is never a member of itself (RFC 9432 §4.1)." },
  "delete-zone-file": { why: "A domain is not deleted while the project has a zone file for it." },
  "delete-zone-unknown": { why: "Only an existing domain that the token can access can be deleted." },
  "dnssec-ds": {
    severity: "warning",
    why: "While the parent zone has DS records, resolvers that validate reject unsigned answers. The service does not sign zones, so the zone would go dark when it moves (RFC 6781 §4.3.5).",
  },
  "dnssec-unsigned": {
    severity: "warning",
    why: "The service does not sign zones, so the signatures of a zone are lost when it moves.",
  },
  "zone-orphaned": {
    severity: "warning",
    why: "A zone whose file is removed or renamed is not deleted: it keeps answering, and nothing in git describes it any more.",
  },
  "drift-snapshot": {
    severity: "note",
    why: "The newest event is read before the zones. A change between the two is in the snapshot, and its event after it.",
  },
  "drift-baseline": {
    severity: "note",
    why: "Where the service keeps no log of events, live zones are compared with the state after the last run, which the run saves beside its journal, or with a published snapshot that is newer.",
  },
  "drift-log": {
    severity: "note",
    why: "The journals of runs list writes whose events the service does not show. So other events may be missing, too.",
  },
  "drift-own-write": {
    severity: "warning",
    why: "The user of this token made a change that no run of this project recorded. Someone else may use the token, or runs are recorded elsewhere.",
  },
  "drift-state": { why: "A file that a poll for drift did not write is neither continued nor replaced." },
  "edit-unmanaged": {
    severity: "warning",
    why: "`manage` and `ignore` leave some live records to others. Editing the file does not change those.",
  },
  "export-changed": {
    severity: "note",
    why: "The form of the other program has one way to write such a record. Its meaning stays the same, but not its text.",
  },
  "export-lost": {
    severity: "warning",
    why: "The form of the other program cannot contain the record, so the export is not complete.",
  },
  "export-settings": {
    severity: "note",
    why: "Settings of a zone, such as its contact address and tags, have no place in the files of other programs.",
  },
  "file-exists": {
    why: "Existing files are not overwritten, because they may contain changes that exist nowhere else.",
  },
  "file-skipped": {
    severity: "note",
    why: "The extension of the file is not that of a zone file, so it is skipped. It may be misspelled.",
  },
  "file-read": { why: "If a zone file that cannot be read were skipped, its zone would be missing from the plan." },
  "file-write": { kind: "failed", why: "The file cannot be written. No other file was changed." },
  "fmt-inexact": { why: "The formatted file would not read back as the same zone, so the file is left unchanged." },
  "fmt-skipped": {
    severity: "warning",
    why: "The file contains something that reordering would separate from its place: a comment on a section, $INCLUDE, $GENERATE or an alias.",
  },
  "foreign-id": {
    severity: "note",
    why: "The account has this zone already, under this id. Importing it creates nothing.",
  },
  "foreign-omitted": {
    severity: "warning",
    why: "A file of another tool has a part that a zone file cannot contain, so it is not imported.",
  },
  "foreign-sensitive": { why: "The other tool marks a value as secret, but zone files and DNS are public." },
  "freed-unknown": {
    severity: "note",
    why: "The event log and the list of the nodes' addresses tell which addresses nodes no longer have. Without them, records that point to such addresses are not found.",
  },
  "git-branch": {
    why: "Drift is committed on a branch of its own. A branch with other work, or one that is checked out, is never replaced.",
  },
  "git-missing": { why: "Changes since a commit and published snapshots need git and a git work tree." },
  "git-ref": { why: "A git ref for published snapshots is missing, or contains something else." },
  "git-revision": { why: "The git repository has no such revision." },
  "git-write": { kind: "failed", why: "Git could not write to the repository, or push to `origin`." },
  "guard-blocked": {
    why: advise`Guards block risky changes until someone explicitly approves them. For a description of a guard, run ${{ run: "explain" }} with its name, such as G05.`,
  },
  "ignore-expired": {
    severity: "warning",
    why: "Records that match an ignore pattern are left alone until the end of the day that it names, and are deleted after that.",
  },
  "import-contact": {
    severity: "warning",
    why: "The service needs a contact address for each zone, and the source of this one has no SOA record, or one whose contact is not an e-mail address.",
  },
  "import-delegated": {
    severity: "note",
    why: "A delegated name is a zone of its own, often on the same name server. It does not move with the zone above it.",
  },
  "import-equal-zones": {
    severity: "note",
    why: "Zones with the same records can share a template, so that a change is made once.",
  },
  "import-own-file": {
    why: "The files of the project's zones folders are the result of imports. Importing one into itself would only rewrite it.",
  },
  "import-templates": {
    why: "Templates are part of the project of a zone file. In another project they may be missing, or different.",
  },
  "import-changed": {
    severity: "note",
    why: "A zone file has one TTL for each RRset, and each record once (RFC 2181 §5).",
  },
  "journal-write": {
    kind: "failed",
    why: "The journal of the run cannot be written. A write is sent only after it is recorded there.",
  },
  "path-outside": {
    why: "In CI, zone files and the config may come from a pull request. Links and paths in them must not lead to other files of the machine, whose contents would be shown.",
  },
  "plan-approved": {
    severity: "note",
    kind: "refused",
    why: "A plan file that was named approves these changes. Only changes that such a file includes are applied.",
  },
  "plan-consumed": {
    kind: "refused",
    why: "A plan file approves its changes once. They were applied, and changed again since.",
  },
  "plan-digest": {
    kind: "refused",
    why: "The plan file was edited after it was made, so it is not the plan that was reviewed.",
  },
  "plan-edited": {
    severity: "warning",
    kind: "refused",
    why: "Someone changed records that the plan file does not, in one of its zones, since it was made. The zone file would revert that; the plan file does not approve it.",
  },
  "plan-effects": {
    kind: "refused",
    why: "The changes include some that no approved plan file includes. An approval is for effects: zone, name, type, value and TTL, before and after.",
  },
  "plan-events": {
    severity: "note",
    kind: "refused",
    why: "The events of the account since planning show who changed the zones of this plan.",
  },
  "plan-expired": {
    kind: "refused",
    why: "A plan file can be applied for a limited time, because the zones may change after that.",
  },
  "plan-files": {
    kind: "refused",
    why: "A plan file has no zone files in it: its changes are planned again from those that it was made from.",
  },
  "plan-format": { kind: "refused", why: "The file is not a plan file, or its version is not supported." },
  "plan-rolled-back": {
    kind: "refused",
    why: "Someone applied these changes and reverted them. Applying them again would override that decision.",
  },
  "plan-shape": { kind: "refused", why: "A part of the plan file is missing or has the wrong type." },
  "plan-signature": {
    kind: "refused",
    why: "A signature shows that a plan file comes from a job that has the signing key. The digests in the file do not: anyone who edits it can compute them again.",
  },
  "plan-stale": {
    kind: "refused",
    why: "Records that this plan changes or deletes, or their domain, were changed since it was made.",
  },
  "plan-skipped": {
    kind: "refused",
    why: "The plan left out a zone that had errors, or that needed such a zone. The live records of that zone have changed since: a record would point to nothing.",
  },
  "plan-superseded": {
    kind: "refused",
    why: "A later run changed the same zones. The checked-out files do not have its changes, so they may be older, too.",
  },
  "plan-syntax": {
    kind: "refused",
    why: "The plan file is not valid JSON, for example because it is truncated, or not JSON that every reader understands in the same way.",
  },
  "plan-target": { kind: "refused", why: "The plan was made for another API or another account." },
  "project-missing": { why: "Without a config and a folder of zone files, a command has no zones to read." },
  "remote-added": {
    severity: "warning",
    why: "The service has records that the name server does not have, so an import would add them.",
  },
  "remote-exists": {
    why: "An import creates a domain. A domain of the account may contain records of its own, so it is never touched.",
  },
  "remote-failed": { kind: "failed", why: "The service did not transfer or store the zone." },
  "remote-unseen": {
    severity: "warning",
    why: "The zone of the name server cannot be compared completely with that of the service, so records may be missing.",
  },
  "record-absent": { why: "Only a record that the zone file has can be removed from it." },
  "rewrite-format": { why: "Files of this format can be read but not written." },
  "rewrite-generate": {
    why: "The record comes from a $GENERATE line. Such a line makes many records, and one of them cannot be changed alone.",
  },
  "rewrite-include": { why: "The record is in an included file, which other zones may include too." },
  "rewrite-inexact": { why: "The changed file would not read back as the desired zone, so it is left unchanged." },
  "rewrite-name": { why: "The file contains another zone." },
  "rewrite-template": {
    severity: "warning",
    why: "Imports and edits by commands change the file of one zone and never a template, because other zones may use it too.",
  },
  "rewrite-ttl": { why: "The record takes its TTL from a line that sets it for other records too." },
  "rule-unknown": { why: advise`No rule, guard or exit code has this name. Run ${{ run: "explain" }} to list them.` },
  "run-approvals": {
    severity: "note",
    why: advise`An unfinished run keeps its approvals for the run that continues it: apply ${{ set: "resume" }}, apply with the same plan file, or the same undo. They cover the effects and facts that were approved, and are signed with the token.`,
  },
  "run-elsewhere": { why: "The run was made against another API, so it does not apply to the zones of this one." },
  "run-locked": {
    kind: "later",
    why: "Another apply of this project is in progress. Two at once could overwrite each other's changes.",
  },
  "run-unknown": { why: "The project has no run with this id." },
  "signing-key": { why: "Plan files are signed and verified with ed25519 keys in PEM format (RFC 8410)." },
  "snapshot-read": { why: "The file is not a snapshot of an account, or it is incomplete." },
  "snapshot-target": {
    why: "The snapshot is of another API, or has other records, so its zones are not those of this one.",
  },
  "state-committed": {
    why: "The folder `.zonewright` has the lock and the journals of runs on this machine, which approve and explain changes. From a commit, they would be those of whoever wrote it, and a link would lead elsewhere.",
  },
  "undo-last": {
    why: "After a complete undo, the last run is the undo itself. Reverting it makes the same changes again, so that needs the id of the undo.",
  },
  "undo-skipped": {
    severity: "note",
    why: "Someone else changed these records after the run, so undo leaves them as they are.",
  },
  usage: { kind: "usage", why: "The command line is invalid." },
  "write-invalid": {
    kind: "failed",
    why: "Every zone file is read back and checked before it is kept. Errors that its source does not have come from a mistake of the writer, so the file is not written.",
  },
  "findings-elsewhere": {
    severity: "note",
    why: "A plan lists the findings about names that it changes, and those that it makes true. The others were there before.",
  },
  "zone-disabled": {
    severity: "warning",
    why: "A zone that is disabled in the account stays so unless its file says `status: active`. Its records are written, but it is not served.",
  },
  lock: {
    severity: "note",
    why: "The service compares the stored records with those that were read before the write, and refuses it if someone else changed them.",
  },
  "keys-differ": {
    kind: "refused",
    why: "A resolver may take the keys of a zone from one name server and signatures from another. Zones on several targets are unsigned, or each target has the keys that sign the records of all (RFC 8901).",
  },
  "keys-awaited": {
    severity: "warning",
    why: "A signed zone comes to a further target before its keys do. Until each target has the keys that sign the records of all (RFC 8901), resolvers must not be led to that target.",
  },
  "keys-unknown": {
    severity: "note",
    why: "Zones on several targets are unsigned, or each target has the keys that sign the records of all. The name servers of a target tell that, if its config names them and they answer.",
  },
  "name-server-missing": {
    severity: "warning",
    why: "Some services answer with name servers of their own, which cannot be changed. On several targets, the NS records of the zone are all name servers of all targets, or resolvers see two sets.",
  },
  "name-server-assumed": {
    severity: "warning",
    why: "A zone is stored with NS records. One whose name servers do not answer yet starts with those of its target, which answer once they have it.",
  },
  "name-server-silent": {
    severity: "warning",
    why: "A resolver that follows an NS record to a server without the zone gets no answer. A name server enters the NS records of a zone once it answers with its records.",
  },
  "no-lock": {
    severity: "note",
    why: "Some services accept a write whatever became of the records since they were read. zonewright reads a zone right before its first write, so only an edit during the run can be lost.",
  },
  "primary-accepted": {
    severity: "note",
    why: "Zones of a name server are known by their primary and name servers. Who changes them tells so once.",
  },
  "primary-changed": {
    kind: "refused",
    why: "A zone stays with the primary and name servers that the last run left. The key of another view, or another server, would have its own zone of this name changed.",
  },
  "ttl-lowered": {
    severity: "warning",
    why: "BIND lowers a TTL above `max-zone-ttl` to that limit without an error, so such a record never is as in its file.",
  },
  "zone-not-creatable": {
    why: "Some services only change records: their operator adds and removes zones.",
  },
  "zone-records-limit": {
    severity: "warning",
    why: "Deletions come first in a zone near the service's limit of records, as far as no name loses its answer. Creations above the limit fail.",
  },
  "zone-records-signed": {
    severity: "note",
    why: "A name server that signs a zone keeps its signatures and keys itself, and some keep their state in private types. Both are neither compared nor sent.",
  },
  "zone-records-disabled": {
    severity: "warning",
    why: "Some services store records that they do not serve. They are neither compared nor changed.",
  },
  "zone-records-case": {
    severity: "warning",
    why: "A name server looks names up in lower case. Where its database distinguishes case, it does not find a name that is stored in upper case.",
  },
  "zone-records-conflict": {
    why: "Some records of a service are neither compared nor changed. A CNAME record is the only one at its name (RFC 1034 §3.6.2), an ALIAS record answers for A and AAAA, and the records of a name and type have one TTL (RFC 2181 §5.2).",
  },
  "zone-secondary": {
    why: "A service replaces the records of a secondary zone by those of its primary at the next transfer.",
  },
  "zone-records-unknown": {
    severity: "warning",
    why: "The account has records of types that zonewright cannot read or write. They are not compared and not changed, but a CNAME record cannot coexist with them.",
  },
  "zone-status": {
    severity: "warning",
    why: "The service may not serve a zone with another status than active, such as `has_errors` or `edit_mode`.",
  },
  "zone-type": {
    why: "The records of a secondary zone come from its masters. A file with records that does not say which kind it wants would replace them.",
  },
  "zone-target": {
    why: "A zone file can name those targets of its folder that its zone is applied to, and a `lenient` entry those for which it holds. With another name, the zone or the entry would be left out without a word.",
  },
  "zone-twice": { why: "Two files describe the same zone, and only one of them can be applied." },
  "zone-skipped": {
    severity: "warning",
    why: "A plan can leave out zones whose files have errors, and zones that need them.",
  },
  "zone-unknown": { why: "The argument is neither a file nor a zone of the project." },
  "zones-empty": { why: "The project has no zone files. A plan without zones is most likely a mistake." },
  "zones-folder": { why: "A folder of zone files cannot be read." },
} as const satisfies Entries;
