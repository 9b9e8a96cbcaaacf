/** The name of a command or an option in the other doors; null if only the command line has it. */
interface Names {
  /** The command or the input of the action. */
  readonly action: string | null;
  /** The function of the library, or the option of its functions. */
  readonly library: string | null;
}

/** The options of a command that advice names. */
interface CommandNames extends Names {
  readonly options: readonly string[];
}

/** Only on the command line. */
const shell = { action: null, library: null } as const;
const shellCommand = { ...shell, options: [] } as const;
/** On the command line, with an option for the database of the server. */
const onDatabase = { ...shell, options: ["data"] } as const;

/** The commands that advice names. */
export const advisedCommands = {
  apply: { action: "apply", library: "apply", options: ["resume", "target"] },
  drift: { action: "drift", library: null, options: ["acceptPrimary", "target"] },
  doctor: shellCommand,
  expand: { ...shell, options: ["to"] },
  explain: shellCommand,
  export: { action: null, library: "exportLive", options: ["live", "role", "to"] },
  fmt: { action: null, library: "formatZones", options: ["to"] },
  help: shellCommand,
  "import api": { action: null, library: "importZones", options: [] },
  "import axfr": { ...shell, options: ["target"] },
  "import file": shellCommand,
  "import remote": shellCommand,
  init: { ...shell, options: ["ci"] },
  "server operator account list": onDatabase,
  "server operator account pay": onDatabase,
  "server operator client list": onDatabase,
  "server operator credential list": onDatabase,
  "server operator maintenance end": onDatabase,
  "server operator maintenance list": onDatabase,
  "server operator node list": onDatabase,
  "server operator notice list": onDatabase,
  "server operator ticket list": { ...shell, options: ["data", "all"] },
  "server operator ticket open": { ...shell, options: ["data", "text"] },
  plan: { action: "plan", library: "planZones", options: ["out", "sign", "report", "detailedExitcode", "target"] },
  runs: shellCommand,
  serve: { ...shell, options: ["profile", "records", "allowPublicSuffixes"] },
  snapshot: { action: "snapshot", library: "takeSnapshot", options: ["ref", "out", "target"] },
  undo: { action: null, library: "undo", options: [] },
  "server user access": { ...shell, options: ["data", "addDomains", "addNodes"] },
  "server user add": { ...shell, options: ["data", "account", "restricted"] },
  "server user grant": { ...shell, options: ["data", "on"] },
  "server user key list": onDatabase,
  "server user key remove": onDatabase,
  "server user list": onDatabase,
  "server user password": onDatabase,
  validate: { action: "validate", library: "validateZones", options: [] },
  verify: { action: "verify", library: "verifyZones", options: [] },
} as const satisfies Readonly<Record<string, CommandNames>>;

/** The options that advice names, alone or with a command. */
export const advisedOptions = {
  acceptPrimary: shell,
  account: shell,
  addDomains: shell,
  addNodes: shell,
  all: shell,
  allow: { action: "allow", library: "allow" },
  allowPublicSuffixes: { action: null, library: "allowsPublicSuffixes" },
  apiUrl: { action: "api-url", library: "apiUrl" },
  snapshot: { action: "snapshot", library: "snapshot" },
  catalog: shell,
  ci: shell,
  config: { action: "config", library: "config" },
  data: shell,
  deleteZone: { action: "delete-zones", library: "deleteZone" },
  detailedExitcode: shell,
  domain: shell,
  expires: { action: "expires", library: null },
  force: shell,
  full: shell,
  json: shell,
  live: shell,
  mail: shell,
  maxRecords: shell,
  nameserver: { action: "nameservers", library: "nameserver" },
  on: shell,
  origin: shell,
  out: shell,
  parent: shell,
  primary: shell,
  profile: { action: null, library: "profile" },
  quiet: shell,
  records: { action: null, library: "records" },
  ref: { action: "ref", library: null },
  report: shell,
  requireSignature: shell,
  resolver: shell,
  restricted: shell,
  resume: { action: null, library: "resume" },
  role: shell,
  secondary: shell,
  set: shell,
  sign: shell,
  skipInvalid: { action: "skip-invalid", library: "skipInvalid" },
  since: { action: null, library: "since" },
  state: shell,
  strict: { action: null, library: "strict" },
  summary: shell,
  target: { action: "target", library: "target" },
  text: shell,
  to: shell,
  tokenFile: { action: null, library: "tokenFile" },
  transferFrom: { action: null, library: "isAllowed" },
  tsigName: shell,
  volume: shell,
  wait: { action: "wait", library: null },
  wide: shell,
  yes: shell,
  zone: shell,
  zones: { action: null, library: "zones" },
} as const satisfies Readonly<Record<string, Names>>;

export type AdvisedCommand = keyof typeof advisedCommands;
export type AdvisedOption = keyof typeof advisedOptions;
