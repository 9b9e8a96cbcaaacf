/**
 * The suites of each folder of `src`: those to run after a change there, nearest first. A folder without an entry has
 * those of the folder above. `test/house/suites.test.ts` prints test/README.md from this, and checks that each suite
 * exists and that each file of `src` is loaded by one of its suites. A word is a file below `test/` without its ending,
 * or a folder with all its suites.
 */
const suites: Readonly<Record<string, string>> = {
  src: "make-folder cli/start library/library",
  "src/action": "action/inputs action/metadata action/bundle action/security ci/trust ci/hooks",
  "src/action/commands": "action/plan action/approved action/commands action/drift",
  "src/cli": "cli/command cli/terminal cli/print-error cli/progress-display cli/program cli/start cli/cache-scripts",
  "src/cli/api": "cli/api",
  "src/cli/commands": "cli docs/commands",
  "src/cli/demo": "demo",
  "src/client": "client server/linode-client",
  "src/config": "config cli/settings cli/bad-settings docs/tables formats/schemas",
  "src/contract": "contract openapi cli/api/requests",
  "src/contract/endpoints": "contract/openapi server/access spec",
  "src/contract/resources": "contract/openapi server/recorded server/sentences",
  "src/diagnostics": "diagnostics cli/print-error cli/mistakes",
  "src/diagnostics/ids": "cli/rules cli/explain architecture",
  "src/dns": "dns/rules dns/across",
  "src/dns-client": "dns-client dns/transfer workflow/parent-ds",
  "src/dns/across": "dns/across cli/rules",
  "src/dns/compiled": "server/nameserver/compiled-zones server/nameserver/changed-zones dns/transfer/axfr",
  "src/dns/lookup": "dns/lookup dns/rules planner/answerer",
  "src/dns/name":
    "dns/name dns/values formats/idn server/nameserver/serial server/nameserver/reverse-serials targets/api/freed-addresses",
  "src/dns/policies": "dns/policies dns/rules",
  "src/dns/rdata": "dns/wire dns/record-types",
  "src/dns/rules": "dns/rules dns/findings cli/rules cli/advice",
  "src/dns/transfer": "dns/transfer dns-client dns/zonemd workflow/compare server/nameserver/keys",
  "src/dns/types": "dns/record-types dns/verdicts dns/wire",
  "src/dns/zone": "planner/scope dns/zonemd formats/settings workflow/server-config",
  "src/executor": "executor cli/apply",
  "src/executor/journal": "executor/journal executor/once executor/resume cli/interruptions",
  "src/executor/verify": "executor/verify-servers cli/verify",
  "src/executor/write": "executor/walk executor/graph executor/write-order executor/queue executor/outcomes",
  "src/formats": "formats/files formats/rewrite formats/properties formats/templates formats/include formats/schemas",
  "src/formats/bind": "formats/plain-lines formats/zones formats/rewrite-bind-records formats/tree",
  "src/formats/dns-zonefile": "formats/dns-zonefile-read formats/dns-zonefile-write cli/dns-zonefile",
  "src/formats/edit": "formats/rewrite formats/rewrite-yaml-values formats/formatting workflow/check-written",
  "src/formats/foreign": "formats/dnscontrol formats/terraform formats/foreign-content cli/import-file",
  "src/formats/kit": "formats/headline formats/plain-lines formats/settings formats/scope formats/bounds",
  "src/formats/octodns": "formats/octodns formats/octodns-yaml formats/octodns-write cli/octodns",
  "src/formats/server-config": "formats/zone-list formats/secondaries formats/primaries workflow/server-config",
  "src/formats/yaml":
    "formats/yaml-tree formats/yaml-plain formats/zones formats/exact formats/templates formats/schemas",
  "src/github": "github workflow/approved-pulls cli/drift-open-pr",
  "src/library": "library",
  "src/planner": "planner/plan planner/cases planner/properties report/plan-places",
  "src/planner/approval": "planner/admit planner/approved-effects planner/rolled-back cli/admission",
  "src/planner/blocks": "planner/guard-examples planner/guards planner/guard-counts cli/guards",
  "src/planner/changes": "planner/digests planner/effects planner/admit planner/scope",
  "src/planner/guards": "planner/guard-examples planner/guards planner/guard-counts",
  "src/planner/match": "planner/match planner/properties",
  "src/planner/order": "planner/dark planner/faults planner/cases planner/answerer planner/change-sets",
  "src/planner/plan-file": "planner/admit cli/forged-plans cli/signed-plans",
  "src/planner/risk": "planner/guards planner/spf-senders planner/guard-counts",
  "src/report/api": "report/reply-text cli/api",
  "src/report/apply":
    "report/apply-text report/progress report/golden cli/runs cli/verify cli/troubles action/commands",
  "src/report/compare": "cli/compare report/tables-hostile",
  "src/report/drift": "report/drift-reports cli/drift",
  "src/report/findings": "report/findings report/findings-markdown report/sarif report/hostile-reports",
  "src/report/format": "report/markdown report/patch report/sarif report/golden report/hostile-reports",
  "src/report/import": "report/import-report report/tables-hostile cli/import-status",
  "src/report/plan":
    "report/plan-text report/plan-screen report/plan-html report/plan-markdown report/pull-request-comment report/golden",
  "src/report/text": "report/fit-lines report/plan-screen report/difference report/findings report/reply-text cli/help",
  "src/server": "server/steps server/health cli/serve",
  "src/server/areas/account": "server/account server/access server/cancel server/profile server/remembered-tokens",
  "src/server/areas/billing": "server/billing server/invoice-histories server/kill-invoices",
  "src/server/areas/catalog": "server/catalog-endpoints server/catalog",
  "src/server/areas/domains":
    "server/domains server/records server/import server/zone-file server/creates server/nameserver/waiting-domains",
  "src/server/areas/events": "server/events server/event-polls server/long-lists",
  "src/server/areas/mail": "server/mail",
  "src/server/areas/managed": "server/managed server/stored-secrets cli/operator-managed",
  "src/server/areas/nodes": "server/nodes server/node-states server/operations",
  "src/server/areas/nodes/addresses": "server/reverse-names server/resting-addresses server/freed-records server/vlans",
  "src/server/areas/nodes/jobs": "server/jobs server/node-states server/disks server/clones server/backup-states",
  "src/server/areas/nodes/operator": "cli/operator-node cli/operator-maintenance server/maintenance",
  "src/server/areas/nodes/rules": "server/node-request server/nodes server/vlans",
  "src/server/areas/oauth":
    "server/oauth server/oauth-clients server/oauth-attacks server/oauth-transactions cli/token",
  "src/server/areas/support": "server/sentences server/notifications cli/operator-ticket",
  "src/server/areas/transfers": "server/transfers server/transfer-histories server/moves",
  "src/server/areas/users": "server/access server/sign-in cli/token cli/user-key",
  "src/server/areas/zones": "server/zone-changes server/zone-lines server/zone-file server/nameserver/rows",
  "src/server/catalog": "server/catalog cli/serve-catalog",
  "src/server/console": "server/console server/console-browser",
  "src/server/entities": "server/tags server/jobs server/account server/access",
  "src/server/http": "server/plumbing server/node server/client-connections server/request-turns server/forwarded",
  "src/server/kit":
    "server/lists server/filter-budget server/list-of server/fair-limiter server/hostile-bodies server/health server/outages",
  "src/server/nameserver": "server/nameserver",
  "src/server/nameserver/zones":
    "server/nameserver/rows server/nameserver/notifier server/nameserver/stuck-zones server/nameserver/slow-masters server/nameserver/reverse-serials server/nameserver/catalog-zones server/hostile-primaries",
  "src/server/store": "server/store server/migrations server/record-counts cli/backup",
  "src/server/store/postgres": "server/postgres server/group-commit-postgres server/database-clock",
  "src/server/store/sqlite": "server/sqlite server/wal server/group-commit server/sqlite-version cli/backup",
  "src/server/web": "server/console server/oauth server/sign-in",
  "src/targets": "targets/memory/target targets/api/target targets/rfc2136 targets/powerdns targets/files",
  "src/targets/files": "targets/files",
  "src/targets/api": "targets/api formats/templates",
  "src/targets/memory": "targets/memory planner/change-sets",
  "src/targets/powerdns": "targets/powerdns",
  "src/targets/rfc2136": "targets/rfc2136",
  "src/workflow/api": "workflow/job-events cli/api",
  "src/workflow/apply": "workflow/jobs cli/apply cli/runs cli/interruptions",
  "src/workflow/ci-checks": "cli/doctor",
  "src/workflow/compare": "workflow/compare cli/compare",
  "src/workflow/drift": "workflow/drift-classes workflow/own-events cli/drift cli/drift-write",
  "src/workflow/edit": "workflow/edit-records cli/set cli/mistakes",
  "src/workflow/export": "cli/export cli/fmt workflow/jobs",
  "src/workflow/git": "workflow/run-git cli/snapshot-ref ci/hooks",
  "src/workflow/import": "workflow/ledger workflow/import-axfr workflow/import-servers cli/import-axfr cli/import-file",
  "src/workflow/plan": "workflow/approved-pulls cli/plan cli/approved cli/forged-plans",
  "src/workflow/connect": "workflow/connect workflow/kinds targets/rfc2136 targets/powerdns targets/files",
  "src/workflow/project": "workflow/connect workflow/jobs workflow/state-folder cli/settings cli/variables",
  "src/workflow/proposals": "cli/drift-open-pr action/drift",
  "src/workflow/snapshot": "cli/snapshot cli/snapshot-ref cli/validate",
  "src/workflow/start": "cli/init cli/doctor cli/explain",
  "src/workflow/zones": "workflow/merge-zone workflow/zone-from-live workflow/node-references workflow/parent-ds",
};

/** The folder of the table that a folder of `src` belongs to: itself or one above. */
function listedFolder(folder: string): string {
  return folder in suites || folder === "src" ? folder : listedFolder(folder.slice(0, folder.lastIndexOf("/")));
}

/** The words for the suites of a folder of `src`. */
export function suitesOf(folder: string): string[] {
  return suites[listedFolder(folder)]?.split(" ") ?? [];
}

/** The table as test/README.md shows it. */
export function suitesTable(): string {
  const rows = Object.keys(suites).map((folder) => {
    const words = suitesOf(folder).map((word) => `\`${word}\``);
    return `| \`${folder}\` | ${words.join(", ")} |`;
  });
  return ["| folder | suites |", "|---|---|", ...rows, ""].join("\n");
}

export const listedFolders: readonly string[] = Object.keys(suites);
