/**
 * The floors of the house, from the top: rooms of `src`, then the folders and files inside each room. A file imports
 * from a lower floor, or from its own entry in the drawing. `test/architecture.test.ts` checks this, and
 * `npm run house -- --draw` prints it for CONTRIBUTING.md.
 */
export interface Floor {
  /** Names of folders and files; `*` are the other files of the room. */
  readonly names: readonly string[];
  readonly purpose: string;
}

const floor = (names: string, purpose: string): Floor => ({ names: names.split(" "), purpose });

export const rooms: readonly Floor[] = [
  floor(
    "cli action library",
    "argv, env, exit codes, a terminal · inputs and outputs of a CI step · the doors of the package",
  ),
  floor("report", "results → text, Markdown, HTML, JSON, JUnit, SARIF"),
  floor("workflow", "the user's job: it returns a value and prints nothing"),
  floor("executor server", "apply plans and recover · run the API"),
  floor("planner targets github", "decide · services that hold zones · pull requests and comments"),
  floor("formats dns-client", "files in and out · questions over the wire"),
  floor("client dns config", "calls of the API · the RFCs · the user's settings"),
  floor("contract diagnostics", "the API as data · everything a person can be told"),
  floor(
    "clock.ts file-system.ts group-by.ts packaged-file.ts",
    "time that tests replace · files that end, and folders · lists by key · files of the package",
  ),
  floor("lazy-packages.ts", "packages that are loaded at their first use"),
];

export const insides: Readonly<Record<string, readonly Floor[]>> = {
  cli: [
    floor("main.ts", "the process"),
    floor("program.ts", "all commands, what goes wrong, the exit code"),
    floor("commands", "one file a command: flags, and the words for its result"),
    floor("demo usage-hint.ts", "the scenes of `zonewright demo` · the next step after a usage error"),
    floor("api", "operations of the API on the command line"),
    floor("*", "the terminal, flags, errors, progress"),
  ],
  action: [
    floor("main.ts", "the process"),
    floor("run-action.ts", "one run of the action"),
    floor("commands", "one file a command"),
    floor("*", "inputs, outputs, comments, annotations"),
  ],
  report: [
    floor("drift", "drift"),
    floor("plan import", "plans and pull requests · imports"),
    floor("apply findings compare api", "runs and their checks · findings · name servers · replies of the API"),
    floor("format", "what documents share: Markdown, HTML, SARIF, JUnit"),
    floor("text", "words, columns and colours"),
  ],
  workflow: [
    floor("ci-checks", "`doctor --ci`: one file per check"),
    floor("start", "init, doctor, explain"),
    floor("proposals", "drift as pull requests"),
    floor("compare", "answers of name servers"),
    floor("import", "zones from accounts, files and name servers"),
    floor("export", "zone files to write, fmt"),
    floor("apply", "apply, verify, undo, runs"),
    floor("plan", "plans, their files and approvals"),
    floor("name-servers", "NS records and keys of zones on several targets, by what their servers answer"),
    floor("drift", "live changes and who made them"),
    floor("edit", "one RRset of a zone file"),
    floor("snapshot", "live zones in a file, validate"),
    floor("zones", "zones of the project and their live state"),
    floor("git api", "revisions, branches, pushes · one operation of the API"),
    floor("connect", "a connection to the service of a target, and its secret"),
    floor("project", "config, files: everything that a job starts with"),
  ],
  executor: [
    floor("*", "apply, undo, resume"),
    floor("write verify", "one write after another · name servers and zones afterwards"),
    floor("journal", "what was done, on disk before it is done; waits after a lost reply"),
  ],
  server: [
    floor("*", "createServer, serveNames"),
    floor("http", "requests and replies"),
    floor("console nameserver", "the pages of a browser · DNS"),
    floor("areas", "all of a thing in one folder: its rows, rules, handlers, jobs, and the operator's commands"),
    floor("entities", "what every area uses: accounts, events, jobs, grants, tags"),
    floor("kit web", "what most endpoints share · documents of a browser"),
    floor("store catalog", "tables and SQL · what the service offers, embedded or from a file"),
  ],
  "server/areas": [
    floor("support/handlers account", "tickets · the account, its users, invoices and notifications"),
    floor("transfers", "transfers of entities between accounts"),
    floor("managed events", "monitoring of services · the event log"),
    floor("nodes", "virtual machines"),
    floor("catalog support/rows", "images, kernels, regions, types · rows of tickets"),
    floor("billing", "charges and invoices"),
    floor("aliases", "addresses of ALIAS records"),
    floor("nodes/addresses", "addresses of nodes and their names"),
    floor("domains oauth", "domains and records · authorization"),
    floor("users zones mail", "users, tokens, logins · what the name service serves · messages"),
  ],
  "server/areas/nodes": [
    floor("operator", "the operator's commands"),
    floor("handlers", "the endpoints"),
    floor("jobs", "what takes time, and what it shares"),
    floor("rows rules", "SQL · what a request may ask"),
    floor("addresses", "a floor of its own below"),
  ],
  "server/nameserver": [floor("*", "queries and answers"), floor("zones", "the zones that it has loaded")],
  "server/store": [
    floor("copy-to-postgres.ts", "all rows of a store in another one"),
    floor("store.ts", "one store, in SQLite or PostgreSQL"),
    floor("sqlite postgres", "the drivers"),
    floor("*", "tables, statements, filters, pages, migrations"),
  ],
  planner: [
    floor("*", "Plan: changes of all zones in their order"),
    floor("approval", "effects that reviewers approved"),
    floor("plan-file", "plans on disk, signed"),
    floor("blocks", "the list of guards, what they block in a plan, approvals"),
    floor("guards", "one file a guard: what a person must approve"),
    floor("risk", "what guards share: zones before and after a plan, policies, counts"),
    floor("plan.ts", "one zone after another"),
    floor("order", "the order of writes that never leaves a name unresolvable"),
    floor("match", "records that stay, change, appear and go"),
    floor("changes", "changes and their effects"),
  ],
  targets: [
    floor(
      "api memory rfc2136 powerdns files",
      "the hosted API · a service in memory, for tests and programs · name servers, by updates, PowerDNS's API or files",
    ),
    floor("*", "the interface of a service that holds zones"),
  ],
  formats: [
    floor("*", "the list of formats, files, folders, templates"),
    floor("foreign octodns", "files of other tools, which are only imported · octoDNS's files, in the tree of yaml"),
    floor("bind yaml dns-zonefile server-config", "one pipeline each · named.conf and its kin"),
    floor("edit", "the new text of a file: what changes, what stays"),
    floor("kit", "text with positions, tokens, lines"),
  ],
  dns: [
    floor("compiled", "zones as a name server holds them, and its answers and referrals"),
    floor("*", "the lists of rules"),
    floor("rules across transfer", "one file a rule · the same for several zones · messages, TSIG, AXFR"),
    floor("policies", "SPF, DKIM, DMARC"),
    floor("lookup", "answers of a zone to a name; what rules share"),
    floor("zone", "zones, records, owners, settings"),
    floor("types", "one file a record type"),
    floor("rdata", "fields and wire format of RDATA"),
    floor("name", "names, addresses, texts, times"),
  ],
  contract: [
    floor("openapi.ts openapi-3.0.ts openapi-replies.ts openapi-schemas.ts", "the contract as an OpenAPI document"),
    floor("endpoints", "the endpoints of each area"),
    floor("resources", "the schemas of each resource"),
    floor("*", "bounds, stored times, filters, pages, errors, scopes"),
  ],
  diagnostics: [
    floor("*", "problems and how they are shown"),
    floor("ids", "every problem: reason, kind, severity"),
    floor("advice.ts advised.ts shell-word.ts", "advice as data, and its words in each door"),
  ],
};

/** The name of the floors that `path` belongs to, a folder or a file, or a part of the folder. */
export function nameOf(floors: readonly Floor[], path: string): string | undefined {
  const names = floors.flatMap(({ names }) => names);
  const parts = path.split("/");
  for (let length = parts.length; length > 0; length--) {
    const part = parts.slice(0, length).join("/");
    if (names.includes(part)) return part;
  }
  return parts.length === 1 && path.endsWith(".ts") && names.includes("*") ? "*" : undefined;
}

/** The floor of a path, counted from the bottom, where `floors` are given from the top; NaN if no floor has it. */
export function floorOf(floors: readonly Floor[], path: string): number {
  const name = nameOf(floors, path);
  return name === undefined ? Number.NaN : floors.length - floors.findIndex(({ names }) => names.includes(name));
}

/** The drawings of CONTRIBUTING.md: the rooms, and the inside of each. */
export function drawings(): readonly [rooms: string, insides: string] {
  const width = 34;
  const rows = (floors: readonly Floor[]) =>
    floors.map(({ names, purpose }) => `${names.join("  ").padEnd(width - 2)}  ${purpose}`);
  const parts = Object.entries(insides).map(([room, floors]) => [`${room}/`, ...rows(floors).map((row) => `  ${row}`)]);
  return [rows(rooms).join("\n"), parts.map((part) => part.join("\n")).join("\n\n")];
}
