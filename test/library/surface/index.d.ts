export type About = Readonly<Pick<JournalLineOf<"begin">, "api" | "target" | "user" | "commit" | "approvedPlans" | "resumes" | "firstPass" | "undoes" | "approved">>;

export declare class Advice {
    toString(): string;
    toJSON(): string;
}

export interface ApiOptions {
    readonly apiUrl?: string;
    readonly tokenFile?: string;
    readonly tokenName?: string;
    readonly onReply?: (headers: Headers) => void;
    readonly send?: Send;
    readonly limits?: {
        readonly timeoutMs: number;
        readonly retries: number;
    };
}

export type ApiSnapshot = {
  format: "zonewright.snapshot/1";
  time: string;
  target: { name?: string | undefined; api: string; account: string | null; records?: "open" | undefined; };
  lastEvent?: number | undefined;
  zones?: string[] | undefined;
  domains: { ttl_sec: number; refresh_sec: number; retry_sec: number; expire_sec: number; id: number; type: OpenWord<"master" | "slave">; domain: string; status: OpenWord<"active" | "disabled">; description: string; group: string; soa_email: string; master_ips: string[]; axfr_ips: string[]; tags: string[]; created?: string | undefined; updated?: string | undefined; errors?: string | undefined; records: { id: number; type: OpenWord<"A" | "AAAA" | "CAA" | "CNAME" | "MX" | "NS" | "PTR" | "SRV" | "TXT">; name: string; target: string; priority: number; weight: number; port: number; service: string | null; protocol: string | null; ttl_sec: number; tag: OpenWord<"iodef" | "issue" | "issuewild"> | null; created: string; updated: string; flags?: number | undefined; rdata?: string | undefined; }[]; }[];
  freed?: { address: string; node: string; until?: string | undefined; transferred?: true | undefined; }[] | undefined;
  nodes?: { id: number; label: string; ipv4: string[]; ipv6: string | null; }[] | undefined;
};

export type ApplyEvent = {
    readonly kind: "zone-begun";
    readonly zone: Name;
    readonly writes: number;
}
 | {
    readonly kind: "zone-created";
    readonly zone: Name;
    readonly domainId: Id;
}
 | {
    readonly kind: "zone-deleted";
    readonly zone: Name;
    readonly domainId: Id;
} | {
    readonly kind: "record-written";
    readonly zone: Name;
    readonly change: RecordChange;
}
 | {
    readonly kind: "record-undone";
    readonly zone: Name;
    readonly change: RecordChange;
}
 | {
    readonly kind: "duplicate-removed";
    readonly zone: Name;
    readonly record: LiveRecord;
    readonly kept: Id;
} | {
    readonly kind: "settings-written";
    readonly zone: Name;
    readonly names: readonly string[];
}
 | {
    readonly kind: "ambiguous";
    readonly zone: Name;
    readonly change: RecordChange | undefined;
    readonly error: unknown;
}
 | {
    readonly kind: "resolved";
    readonly zone: Name;
    readonly change: RecordChange | undefined;
    readonly isDone: boolean;
}
 | {
    readonly kind: "zone-warned";
    readonly zone: Name;
    readonly problem: Problem;
}
 | {
    readonly kind: "zone-done";
    readonly zone: Name;
    readonly left: ZonePlan | undefined;
    readonly loweredBy?: string;
}
 | {
    readonly kind: "zone-failed";
    readonly zone: Name;
    readonly written: number;
    readonly writes: number;
    readonly error: unknown;
}
 | {
    readonly kind: "zone-stopped";
    readonly zone: Name;
    readonly written: number;
    readonly writes: number;
};

export interface ApplyHooks {
    readonly onPlan?: (report: PlanReport) => void;
    readonly confirm: (report: PlanReport) => Promise<boolean>;
    readonly onEvent?: (event: ApplyEvent) => void;
    readonly onUnanswered?: OnUnanswered;
}

export type ApplyReport = {
    readonly plan: PlanReport;
    readonly about: About;
} & ({
    readonly state: "empty";
} | {
    readonly state: "declined";
} | {
    readonly state: "run";
    readonly run: RunResult;
});

export interface ApplyRequest extends LoadPlanOptions, ApplyHooks {
    readonly names: readonly string[];
    readonly resume?: boolean;
}

export interface ApprovedPlan extends ReadPlan {
    readonly name: string;
    readonly partOf?: string;
}

export interface Check {
    readonly zone: Name;
    readonly where: string;
    readonly verdict: Verdict;
    readonly text: Fix;
}

export type Config = {
  api_url?: string | undefined;
  api_words?: "documented" | "live" | undefined;
  api_records?: "documented" | "open" | undefined;
  targets?: Record<string, TargetSettings> | undefined;
  zones: string | (string | { path: string; targets?: string | string[] | undefined; format?: "octodns" | undefined; default_ttl?: string | number | undefined; split_extension?: string | undefined; })[] | { path: string; targets?: string | string[] | undefined; format?: "octodns" | undefined; default_ttl?: string | number | undefined; split_extension?: string | undefined; };
  templates: string;
  defaults: { [x: string]: string | number | string[] | undefined; };
  policy: { strict: boolean; };
  rules: { [x: string]: "error" | "note" | "off" | "warning"; };
  manage: "all" | "listed";
  ignore: { name?: string | undefined; type?: string | undefined; value?: string | undefined; reason: string; until?: string | undefined; }[];
  guards: { zone_deletes_least: number; zone_deletes_percent: number; zone_deletes_most: number; zone_creates_least: number; zone_creates_percent: number; zone_creates_most: number; run_deletes: number; run_zones: number; expire_sec_least: number; };
  nameservers: string[];
};

export type ConfiguredTarget = TargetSettings & {
    readonly name: string;
    readonly variable: string | undefined;
    readonly target: TargetKind;
};

export interface Connection {
    readonly target: Target;
    readonly kind?: TargetKindName;
    readonly api: string;
    readonly name?: string;
    readonly sign?: (text: string) => string;
    readonly tokenFrom?: Fix;
    readonly tokenFile?: string;
    readonly notes?: () => readonly Problem[];
}

export type ContentSnapshot = {
  format: "zonewright.snapshot/2";
  time: string;
  target: { name: string; kind: "api" | "files" | "powerdns" | "rfc2136"; api: string; account: null; };
  zones: string[];
  contents: { zone: string; records: { owner: string; type: string; ttl: number; rdata: string; }[]; others?: { name: string; type: string; isOfService?: true | undefined; isDisabled?: true | undefined; hasUpperCase?: true | undefined; }[] | undefined; settings?: Record<string, string | number | string[]> | undefined; secondaryOf?: string[] | undefined; isSigned?: true | undefined; }[];
};

export interface Deletion extends LiveZone {
    readonly gaps?: readonly Gap[];
}

export interface DesiredRecord extends ZoneRecord {
    readonly otherTtl?: number;
    readonly fileTtl?: number;
}

export interface DesiredZone {
    readonly name: Name;
    readonly settings: ZoneSettings;
    readonly unstated?: readonly ("type" | "status")[];
    readonly formerSerial?: number;
    readonly isUnactivated?: boolean;
    readonly otherTimes: Partial<ZoneTimes>;
    readonly fileTimes?: Partial<ZoneTimes>;
    readonly defaultTimes: ZoneTimes;
    readonly records: readonly DesiredRecord[];
    readonly unsupported?: readonly ZoneRecord[];
    readonly apexServers?: readonly Name[];
    readonly scope?: Scope;
    readonly excused?: readonly Excuse[];
    readonly dotlessTargets?: Zone["dotlessTargets"];
    readonly file?: string;
    readonly fileFormat?: Zone["fileFormat"];
    readonly places?: Zone["places"];
    readonly isCatalog?: true;
}

export interface EditedFile {
    readonly zone: Name;
    readonly owner: Name;
    readonly type: string;
    readonly file: string;
    readonly before: Uint8Array;
    readonly after: Uint8Array;
    readonly problems: readonly Problem[];
}

export interface Effect {
    readonly zone: NameKey;
    readonly kind: "create" | "change" | "delete" | "setting" | "domain";
    readonly name: NameKey;
    readonly type: string;
    readonly before: string | null;
    readonly after: string | null;
}

export interface ExpandedZone {
    readonly zone: Zone;
    readonly problems: readonly Problem[];
    readonly files: readonly IncludedFile[];
    readonly fromTemplates: FromTemplates;
}

export type ExportForm = FormatName | "octodns" | "dns-zonefile" | "records";

export interface ExportOptions {
    readonly to: ExportForm;
    readonly origin?: string;
    readonly out?: string;
}

export interface Exported {
    readonly zones: readonly ExportedZone[];
    readonly problems: readonly Problem[];
}

export interface ExportedZone {
    readonly name: Name;
    readonly text: string;
}

export type FindPlans = () => Promise<FoundPlans>;

export type FindSnapshot = (view: Project) => Promise<ValidatingOptions>;

export interface Finding {
    readonly text: string;
    readonly effects: readonly Effect[];
    readonly isWide?: true;
    readonly facts?: readonly string[];
}

export type Fix = string | Advice;

export interface Folder {
    readonly path: string;
    readonly file: string;
}

export type FolderFormat = keyof typeof folderFormats;

export type FormatName = keyof typeof readers;

export interface FormatOptions {
    readonly sort?: boolean;
    readonly to?: FormatName;
}

export interface FormatReport {
    readonly changes: readonly FormattedFile[];
    readonly problems: readonly Problem[];
    readonly files: number;
}

export interface FormattedFile {
    readonly file: string;
    readonly newFile: string;
    readonly before: Uint8Array;
    readonly after: Uint8Array;
    readonly lost: readonly number[];
}

export interface FoundPlans {
    readonly plans: readonly ApprovedPlan[];
    readonly refusals: readonly Problem[];
    readonly fix: Fix;
}

export interface FromTemplates {
    readonly records: ReadonlySet<ZoneRecord>;
    readonly settings: ZoneSettings;
}

export interface Gap {
    readonly owner: NameKey;
    readonly types: readonly string[];
    readonly seconds: number;
}

export interface GuardBlock {
    readonly guard: GuardId;
    readonly zone: NameKey | "*";
    readonly findings: readonly Finding[];
    readonly effectDigest: string;
}

export type GuardId = `G${number}`;

export type Id = (string | number) & {
    readonly [opaque]: true;
};

export type ImportedZone = {
    readonly name: Name;
    readonly file: string;
    readonly notes: readonly string[];
} & ({
    readonly state: "same";
}
 | {
    readonly state: "secondary";
} | {
    readonly state: "new";
    readonly text: string;
} | {
    readonly state: "changed";
    readonly before: string;
    readonly text: string;
    readonly problems: readonly Problem[];
}
 | {
    readonly state: "read-only";
    readonly format: FolderFormat;
}
 | {
    readonly state: "manual";
    readonly problems: readonly Problem[];
});

export interface IncludedFile {
    readonly file: string;
    readonly bytes: Uint8Array;
    readonly identity: string;
}

export interface JudgedBlock extends GuardBlock {
    readonly state: "blocked" | "allowed" | "acknowledged";
    readonly reason?: string;
    readonly target?: string;
}

export interface LiveRecord extends ZoneRecord {
    readonly id: Id;
    readonly created?: string;
    readonly updated?: string;
}

export interface LiveZone {
    readonly name: Name;
    readonly id: Id;
    readonly settings: ZoneSettings;
    readonly state?: string;
    readonly secondaryOf?: readonly string[];
    readonly defaultTimes: ZoneTimes;
    readonly records: readonly LiveRecord[];
    readonly unknownRecords?: readonly UnknownRecord[];
    readonly serial?: number;
    readonly isSigned?: true;
}

export interface LoadPlanOptions extends PlanningOptions {
    readonly approved?: readonly ApprovedPlan[];
    readonly findPlans?: FindPlans;
    readonly signatures?: SignatureRules;
}

export type OnProgress = (event: ProgressEvent) => void;

export type OnUnanswered = (ms: number, writes: readonly string[]) => void;

export type OpenWord<Word extends string> = Word | (string & {});

export interface Place {
    file: string;
    line: number;
    column: number;
    length: number;
}

export interface Plan {
    readonly zones: readonly ZonePlan[];
    readonly inSync: number;
    readonly ignored: number;
    readonly unsupported: readonly Pick<DesiredRecord, "owner" | "type">[];
    readonly deletions: readonly Deletion[];
    readonly unmanaged: readonly Name[];
    readonly overLimit?: readonly ZoneOverLimit[];
    readonly tooLarge?: readonly TooLargeChange[];
    readonly unproved: readonly string[];
}

export type PlanFile = {
  format: "zonewright.plan/1";
  tool: { name: "zonewright"; version: string; };
  source: { commit?: string | undefined; config: string; zones: { zone: NameKey; files: { file: string; sha256: string; }[]; desired?: { settings: string; records: string; scope: string; } | undefined; nodes?: { label: string; type: string; private?: true | undefined; address: string; }[] | undefined; }[]; };
  target: { name?: string | undefined; api: string; account: string | null; };
  observed: { time: string; lastEvent?: Id | undefined; zones: { zone: NameKey; domainId: Id | null; digest: string | null; records: number; }[]; };
  changes: ({ zone: NameKey; name: NameKey; type: string; step: number; requires: number[]; requiresZones?: string[] | undefined; gaps?: { owner: NameKey; types: string[]; seconds: number; }[] | undefined; inverse: "change" | "create" | "delete"; at?: string | undefined; via?: string[] | undefined; kind: "create"; before: null; after: { ttl_sec: number; isDefault?: true | undefined; rdata: string; }; } | { zone: NameKey; name: NameKey; type: string; step: number; requires: number[]; requiresZones?: string[] | undefined; gaps?: { owner: NameKey; types: string[]; seconds: number; }[] | undefined; inverse: "change" | "create" | "delete"; at?: string | undefined; via?: string[] | undefined; kind: "change"; before: { ttl_sec: number; isDefault?: true | undefined; rdata: string; id: Id; updated?: string | undefined; }; after: { ttl_sec: number; isDefault?: true | undefined; rdata: string; }; } | { zone: NameKey; name: NameKey; type: string; step: number; requires: number[]; requiresZones?: string[] | undefined; gaps?: { owner: NameKey; types: string[]; seconds: number; }[] | undefined; inverse: "change" | "create" | "delete"; at?: string | undefined; via?: string[] | undefined; kind: "delete"; before: { ttl_sec: number; isDefault?: true | undefined; rdata: string; id: Id; updated?: string | undefined; }; after: null; } | { zone: NameKey; name: NameKey; kind: "setting"; type: string; before: string | null; after: string; gaps?: { owner: NameKey; types: string[]; seconds: number; }[] | undefined; } | { zone: NameKey; name: NameKey; kind: "domain"; type: string; before: string | null; after: string | null; gaps?: { owner: NameKey; types: string[]; seconds: number; }[] | undefined; })[];
  inSync: number;
  ignored: number;
  unsupported?: { name: NameKey; type: string; }[] | undefined;
  unmanaged: string[];
  skipped?: { zone: NameKey; file: string; reason: string; }[] | undefined;
  reads: number;
  writes: number;
  notes: { severity: "error" | "note" | "warning"; rule: string; summary: string; at?: { file: string; line: number; column: number; length: number; } | undefined; }[];
  guards: { guard: string; zone: string; state: "acknowledged" | "allowed" | "blocked"; reason?: string | undefined; texts: string[]; facts?: string[] | undefined; effects: string; }[];
  effectDigest: string;
  comment?: string | undefined;
  expires: string;
  nonce: string;
  signature?: { algorithm: "ed25519"; key: string; value: string; } | undefined;
  planDigest: string;
};

export interface PlanReport {
    readonly plan: Plan;
    readonly purpose?: string;
    readonly desired?: readonly DesiredZone[];
    readonly skipped?: readonly SkippedZone[];
    readonly silent?: readonly SilentServer[];
    readonly notes: readonly Problem[];
    readonly guards: readonly JudgedBlock[];
    readonly ackUntil: string;
    readonly reads: number;
    readonly writes: number;
    readonly writeRequests: number;
    readonly applyReads: number;
    readonly limit: number | "unlimited" | undefined;
    readonly handEdits?: readonly ZoneFinding[];
    readonly next?: string;
    readonly commit?: string;
    readonly observed?: {
        readonly from: "service" | "snapshot";
        readonly time: Date;
    };
}

export interface PlanRequest extends PlanningOptions {
    readonly names: readonly string[];
    readonly since?: string | undefined;
    readonly snapshot?: string | undefined;
    readonly lifeSeconds?: number | undefined;
    readonly signingKey?: KeyObject | undefined;
}

export interface PlanResult {
    readonly report: PlanReport;
    readonly isEmpty: boolean;
    readonly isBlocked: boolean;
    readonly isPartial: boolean;
    readonly file?: PlanFile;
    readonly since?: ReadSince;
}

export interface PlanningOptions {
    readonly allow?: readonly string[];
    readonly deleteZone?: readonly string[];
    readonly skipInvalid?: boolean;
    readonly withholdsServers?: boolean;
}

export interface PlanningTarget extends TargetKind {
    readonly read: PlanningReads;
}

export interface Problem {
    readonly id: ProblemId;
    readonly kind: ProblemKind;
    readonly severity: Severity;
    readonly summary: string;
    readonly headline?: Advice;
    readonly detail?: Fix;
    readonly fix?: Fix;
    readonly place?: Place;
    readonly owner?: string;
    readonly via?: readonly Place[];
}

export declare class ProblemError extends Error {
    readonly problems: readonly Problem[];
    get problem(): Problem;
    constructor(problems: Problem | readonly Problem[], options?: ErrorOptions);
}

export type ProblemId = RuleId | keyof typeof reading | keyof typeof project | keyof typeof service | keyof typeof github;

export type ProblemKind = "input" | "usage" | "refused" | "later" | "failed";

export interface ProgressEvent extends WorkProgress {
    readonly details?: readonly string[];
}

export interface Project extends TargetsOfProject {
    readonly config: Config;
    readonly settings: readonly Setting[];
    readonly root: string;
    readonly isConfined: boolean;
    readonly isStrict: boolean;
    readonly templates: TemplateFolder;
    readonly defaults: ZoneSettings;
    readonly places: Zone["places"];
    readonly switches: Switches;
    readonly scope: Scope;
    readonly today: string;
    readonly signal: AbortSignal;
    readonly onProgress?: OnProgress;
}

export interface ProjectFolder extends ZoneFileRef {
    readonly targets?: readonly string[];
}

export interface ProjectOptions {
    readonly config: string;
    readonly zones?: string[];
    readonly strict?: boolean;
    readonly target?: readonly string[];
    readonly kind?: TargetKind;
    readonly kinds?: Readonly<Record<string, TargetKind>>;
}

export interface Question {
    readonly owner: NameKey;
    readonly type: string;
}

export interface ReadOptions {
    readonly signal?: AbortSignal | undefined;
}

export interface ReadPlan {
    readonly plan: PlanFile;
    readonly signedBy?: string;
}

export interface ReadSince extends ReadZones {
    readonly commit: string;
    readonly known: number;
    readonly deleted: readonly string[];
    readonly isEvery: boolean;
}

export interface ReadingConnection {
    readonly target: ReadingTarget;
    readonly kind?: TargetKindName;
    readonly api: string;
    readonly name?: string;
    readonly notes?: () => readonly Problem[];
}

export type ReadingTarget = Omit<Target, "writes">;

export type RecordChange = {
    readonly kind: "create";
    readonly after: DesiredRecord;
} | {
    readonly kind: "update";
    readonly before: LiveRecord;
    readonly after: DesiredRecord;
} | {
    readonly kind: "delete";
    readonly before: LiveRecord;
};

export interface RecordWords {
    readonly name: string;
    readonly type: string;
    readonly values: readonly string[];
    readonly zone?: string | undefined;
    readonly ttl?: string | undefined;
}

export type RuleId = keyof typeof api | keyof typeof dns | keyof typeof practice;

export interface RunContext {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    readonly now: () => Date;
    readonly nonce: () => string;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
    readonly repeat: (ms: number, action: () => void) => () => void;
    readonly pid: number;
    readonly isAlive: (pid: number) => boolean;
    readonly endGroup?: (group: number) => void;
    readonly resolvers: () => readonly string[];
    readonly onProgress?: OnProgress;
    readonly onWait?: (why: string | undefined, seconds: number) => void;
    readonly onNote?: (note: Problem) => void;
    readonly onSilence?: (origin: string, seconds: number) => void;
}

export interface RunResult {
    readonly id: string;
    readonly zones: number;
    readonly done: number;
    readonly written: number;
    readonly differing: readonly Name[];
    readonly loweredBy?: string;
    readonly errors: readonly unknown[];
    readonly unanswered: readonly UnansweredWrite[];
    readonly isInterrupted: boolean;
    readonly journalFailure: unknown;
}

export type Send = (request: Request) => Promise<Response>;

export interface Setting {
    readonly name: string;
    readonly kind: "text" | "list" | "duration" | "choice";
    readonly choices?: readonly [string, ...string[]];
    readonly default: SettingValue;
    readonly about: string;
    readonly example: string;
    readonly isInherited?: boolean;
    readonly transfers?: "to" | "from";
}

export interface SettingChange {
    readonly name: string;
    readonly before: SettingValue | undefined;
    readonly after: SettingValue | undefined;
}

export type Severity = "error" | "warning" | "note";

export interface SignatureRules {
    readonly keys: readonly KeyObject[];
    readonly isRequired: boolean;
}

export interface SilentServer {
    readonly zone: NameKey;
    readonly server: Name;
    readonly reason: Fix;
    readonly isDeclared: boolean;
    readonly ask: () => Promise<Fix | undefined>;
}

export interface SkippedZone {
    readonly name: NameKey;
    readonly file: string;
    readonly reason: string;
    readonly errors: readonly Problem[];
    readonly record?: ZoneRecord;
}

export type Snapshot = ApiSnapshot | ContentSnapshot;

export interface SnapshotToPlan {
    readonly target: PlanningTarget;
    readonly source: Snapshot["target"] & {
        readonly time: Date;
        readonly lastEvent?: Id | undefined;
    };
}

export interface Step {
    readonly id: number;
    readonly kind: "write" | "swap";
    readonly set?: number;
    readonly writes: readonly RecordChange[];
    readonly needs: readonly number[];
    readonly needsZones?: readonly Name[];
    readonly gaps?: readonly Gap[];
}

export type Switches = Readonly<Record<string, Severity | "off">>;

export interface Target extends TargetKind {
    readonly read: TargetReads;
    readonly writes: TargetWrites;
}

export interface TargetKind {
    readonly name: string;
    readonly ttlLimit?: string;
    readonly capabilities: Capabilities;
    readonly fileSettings?: readonly Setting[];
    readonly isOwnType?: (type: string) => boolean;
    readonly isLeftBehind?: (type: string) => boolean;
    readonly accept: (zone: Zone, options?: AcceptOptions) => Accepted;
    readonly recordLimits: ReadonlySet<string>;
    readonly strictRules: ReadonlySet<string>;
}

export type TargetKindName = keyof typeof configKinds;

export type TargetSettings = {
  nameservers?: string[] | Record<string, string> | undefined;
  kind: "api" | "files" | "powerdns" | "rfc2136";
};

export interface TargetsOfProject {
    readonly cwd: string;
    readonly file: string;
    readonly folders: readonly ProjectFolder[];
    readonly allFolders: readonly ProjectFolder[];
    readonly target: TargetKind;
    readonly targets: readonly ConfiguredTarget[];
    readonly selected: readonly ConfiguredTarget[];
    readonly view?: ConfiguredTarget;
}

export declare class TemplateFolder {
    #private;
    readonly folder: Folder;
    constructor(folder: Folder, settings: readonly Setting[]);
    files(): ReadonlyMap<string, string>;
    nameOf(path: string): string | undefined;
    readAlone(name: string): IncludedFile & {
        readonly problems: readonly Problem[];
    };
    expand(zone: Zone): ExpandedZone;
}

export interface TooLargeChange {
    readonly zone: Name;
    readonly writes: readonly RecordChange[];
}

export interface UnansweredWrite {
    readonly zone: Name;
    readonly change: RecordChange | undefined;
}

export type UndoReport = ApplyReport | {
    readonly state: "nothing-left";
    readonly notes: readonly Fix[];
};

export interface UndoRequest extends PlanningOptions, ApplyHooks {
    readonly run: string;
}

export interface UnknownRecord {
    readonly name: string;
    readonly type: string;
    readonly ttl?: number;
    readonly isOfService?: boolean;
    readonly isDisabled?: boolean;
    readonly hasUpperCase?: boolean;
}

export interface ValidatingOptions {
    readonly against?: SnapshotToPlan | undefined;
    readonly note?: Problem | undefined;
}

export interface Validation {
    readonly problems: readonly Problem[];
    readonly files: readonly string[];
    readonly zones: number;
    readonly records: number;
    readonly templates: number;
}

export type Verdict = "pass" | "fail" | "inconclusive";

export interface Verification {
    readonly zone: DesiredZone;
    readonly domainId: Id;
    readonly questions?: readonly Question[];
}

export interface Verified {
    readonly checks: readonly Check[];
    readonly left: number;
}

export type VerifyDepth = "api" | "rendered" | "auth";

export interface VerifyingOptions {
    readonly nameserver?: readonly string[];
    readonly project?: Pick<Project, "file" | "view" | "targets">;
    readonly wait: string;
    readonly depth?: VerifyDepth;
}

export interface WorkProgress {
    readonly task: string;
    readonly unit: string;
    readonly done: number;
    readonly total: number;
}

export interface ZoneFileRef {
    readonly path: string;
    readonly file: string;
    readonly root?: Folder;
    readonly format?: FolderFormat | undefined;
    readonly defaultTtl?: number | undefined;
    readonly splitExtension?: string | undefined;
    readonly split?: Split | undefined;
}

export interface ZoneFinding {
    readonly zone: NameKey;
    readonly finding: DriftFinding;
}

export interface ZoneOverLimit {
    readonly zone: Name;
    readonly records: number;
    readonly limit: number;
}

export interface ZonePlan {
    readonly zone: DesiredZone;
    readonly domainId: Id | undefined;
    readonly settings: readonly SettingChange[];
    readonly defaultTtl: {
        readonly before: number;
        readonly after: number;
    };
    readonly steps: readonly Step[];
    readonly activation?: Pick<Step, "needs" | "needsZones" | "gaps">;
    readonly unchanged: number;
    readonly ignored: number;
}

export interface ZoneTimes {
    readonly ttl_sec: number;
    readonly [name: string]: number;
}

export declare function apply(context: RunContext, project: Project, connection: Connection, request: ApplyRequest): Promise<ApplyReport>;

export declare function connect<T>(context: RunContext, project: Project, options: ApiOptions, action: (connection: Connection) => Promise<T>): Promise<T>;

export declare function connectToRead<T>(context: RunContext, project: Project, options: ApiOptions & {
    readonly zoneNames?: readonly Name[];
}, action: (connection: ReadingConnection) => Promise<T>): Promise<T>;

export declare function createRunContext({ cwd, env, pid, kill }: Pick<NodeJS.Process, "cwd" | "env" | "pid" | "kill">, signal?: AbortSignal): RunContext;

export declare function exportFiles(project: Project, names: readonly string[], options: ExportOptions): Promise<Exported>;

export declare function exportLive(project: Project, { read }: Pick<Target, "read">, names: readonly string[], options: ExportOptions & ReadOptions): Promise<Exported>;

export declare function formatZones(project: Project, names: readonly string[], options: FormatOptions): Promise<FormatReport>;

export declare function importZones(project: Project, { accept, read }: Pick<Target, "accept" | "read">, names: readonly string[], options: ReadOptions & {
    readonly to: FormatName;
}): Promise<AsyncGenerator<ImportedZone>>;

export declare function openProject(context: RunContext, options: ProjectOptions): Project;

export declare function planZones(context: RunContext, project: Project, from: ReadingConnection | SnapshotToPlan, { names, since, snapshot, lifeSeconds, signingKey, ...options }: PlanRequest): Promise<PlanResult>;

export declare function readApprovedPlan(name: string, text: string, rules?: SignatureRules): ApprovedPlan;

export declare function readApprovedPlans({ cwd }: Pick<RunContext, "cwd">, files: readonly string[], rules?: SignatureRules): ApprovedPlan[];

export declare function readSignatureRules({ env }: Pick<RunContext, "env">, isRequired: boolean): SignatureRules;

export declare function readSigningKey({ env }: Pick<RunContext, "env">): KeyObject;

export declare function readSnapshot(context: Pick<RunContext, "cwd" | "now">, place: string): SnapshotToPlan;

export declare function setRecords(project: Project, words: RecordWords): Promise<EditedFile>;

export declare function setsOfPlan({ zones }: Plan): Map<DesiredZone, Verification["questions"]>;

export declare function takeSnapshot({ now, signal, onProgress }: RunContext, connection: ReadingConnection, zones?: readonly NameKey[], { withNodes }?: {
    readonly withNodes?: boolean;
}): Promise<Snapshot>;

export declare function targetViews<P extends TargetsOfProject>(project: P): readonly P[];

export declare function undo(context: RunContext, project: Project, connection: Connection, request: UndoRequest): Promise<UndoReport>;

export declare function unsetRecords(project: Project, words: Omit<RecordWords, "ttl">): Promise<EditedFile>;

export declare function validateZones(project: Project, names: readonly string[], options?: ValidatingOptions | FindSnapshot): Promise<Validation>;

export declare function verifyZones({ now, sleep, signal, resolvers, onProgress }: RunContext, target: ReadingTarget, zones: ReadonlyMap<DesiredZone, Verification["questions"]>, options: VerifyingOptions): Promise<Verified>;

export declare function writeEdited({ cwd, signal }: Project, { file, after }: EditedFile): Promise<void>;

export declare function writeFormatted(project: Project, changes: readonly FormattedFile[]): Promise<void>;

export declare function writeImported({ cwd, signal }: Project, zone: {
    readonly file: string;
    readonly text: string;
}): Promise<void>;

export declare function zonesToVerify(project: Project, names: readonly string[], target?: ReadingTarget): Promise<Map<DesiredZone, undefined>>;
