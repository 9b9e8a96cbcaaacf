export interface Access {
    readonly time: string;
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly milliseconds: number;
    readonly username: string | null;
    readonly address: string | null;
    readonly ignored?: readonly string[];
}

export type AddressFilter = (address: string, port?: number) => boolean;

export interface AliasOptions {
    readonly resolvers?: readonly ServerAddress[] | undefined;
    readonly networks?: readonly Network[] | undefined;
}

export interface AxfrZone {
    readonly records: readonly ZoneRecord[];
    readonly unread: readonly UnreadRecord[];
}

export type Catalog = {
  regions: { id: string; label: string; country: string; capabilities: string[]; status: "ok" | "outage"; resolvers: { ipv4: string; ipv6: string; }; price_percent: number; pools: { public: string; private: string; slaac: string; }; }[];
  types: { id: string; label: string; class: "dedicated" | "gpu" | "highmem" | "nanode" | "premium" | "standard"; disk: number; memory: number; vcpus: number; gpus: number; transfer: number; network_out: number; price: { hourly: number; monthly: number; }; backups: { hourly: number; monthly: number; }; successor: string | null; }[];
  images: { id: string; label: string; size: number; filesystem: "ext3" | "ext4" | "initrd" | "raw" | "swap"; vendor: string | null; }[];
  kernels: { id: string; label: string; version: string; kvm: boolean; xen: boolean; architecture: "i386" | "x86_64"; pvops: boolean; deprecated: boolean; built: string; }[];
  deployscripts: { id: number; images: string[]; fields: { name: string; label: string; default?: string | undefined; }[]; }[];
  tax: { [x: string]: number; };
  extra_public_ipv4: number;
  prices: { public_ipv4: { hourly: number; monthly: number; }; volume_gb: { hourly: number; monthly: number; }; transfer_gb: number; };
  rdns_domain: string;
  rdns_account: string;
};

export interface Connection {
    readonly remoteAddress?: string | undefined;
    readonly isEncrypted?: boolean | undefined;
    readonly unread?: UnreadReply;
}

export interface ConnectionLimits {
    readonly connections: number;
    readonly octets: number;
}

export interface JobDriver {
    readonly name: string;
    seconds(usual: number): number | "until told";
}

export type KeyFor = (address: string) => Key | undefined;

export interface ListenOptions {
    readonly host?: string;
    readonly port: number;
    readonly timeouts?: Partial<Timeouts>;
    readonly limits?: ConnectionLimits;
    readonly proxies?: readonly Network[];
}

export interface Listening {
    readonly url: string;
    close(): Promise<void>;
}

export interface LockWait {
    readonly total: number;
    now(): number;
    sleep(ms: number): Promise<void>;
}

export interface Maildir {
    add(name: string, message: string): Promise<void>;
}

export interface NameServer {
    readonly port: number;
    close(): Promise<void>;
}

export interface NameServiceOptions {
    readonly host?: string;
    readonly port: number;
    readonly secondaries?: readonly ServerAddress[];
    readonly keys?: readonly Key[];
    readonly keyFor?: KeyFor;
    readonly isAllowed?: AddressFilter;
    readonly perSecond?: number | undefined;
    readonly slavesAtOnce?: number | undefined;
    readonly nsid?: string | undefined;
    readonly zonesInMemory?: {
        readonly zones?: number;
        readonly octets?: number;
    };
}

export interface Network {
    readonly address: string;
    readonly prefix: number;
}

export interface NewToken {
    readonly username: string;
    readonly account?: string;
    readonly scopes?: string;
    readonly label?: string;
    readonly token?: string;
    readonly expires?: Date;
    readonly now: Date;
}

export declare class ProblemError extends Error {
    readonly problems: readonly Problem[];
    get problem(): Problem;
    constructor(problems: Problem | readonly Problem[], options?: ErrorOptions);
}

export type Profile = TtlProfile;

export interface RateLimit {
    readonly requests: number;
    readonly seconds: number;
}

export type RecordsSetting = (typeof recordsSettings)[number];

export interface Remote {
    transfer(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<AxfrZone>;
    soa(zone: Name, server: ServerAddress, signal?: AbortSignal): Promise<ZoneRecord<"SOA">>;
}

export interface RemoteOptions {
    readonly isAllowed: AddressFilter;
    readonly bounds?: Partial<Bounds & TimeBounds & UdpBounds>;
    readonly keyFor?: KeyFor;
}

export interface Server {
    (request: Request, connection?: Connection): Promise<Response>;
}

export interface ServerOptions {
    readonly store: Store;
    readonly clock: () => Date;
    readonly monotonic?: () => number;
    readonly profile?: Profile;
    readonly records?: RecordsSetting;
    readonly catalog?: Catalog;
    readonly nameservers?: readonly string[];
    readonly catalogZone?: Name | undefined;
    readonly renderDelay?: number;
    readonly mostRecords?: number;
    readonly textRoom?: number;
    readonly allowsPublicSuffixes?: boolean;
    readonly remote?: Remote;
    readonly secretKey?: () => Uint8Array;
    readonly hasConsole?: boolean;
    readonly refusesUnservedKeys?: boolean;
    readonly jobDriver?: JobDriver;
    readonly authUrl?: string;
    readonly surveyLink?: string;
    readonly rateLimit?: RateLimit;
    readonly listLimit?: RateLimit;
    readonly onAccess?: (access: Access) => void;
    readonly onError?: (error: unknown) => void;
}

export interface Service {
    readonly url: string;
    readonly dnsPort?: number;
    close(): Promise<void>;
}

export interface ServiceOptions extends Omit<ServerOptions, "remote" | "health" | "metrics">, Omit<ListenOptions, "limits"> {
    readonly transferNetworks?: readonly Network[];
    readonly probeNetworks?: readonly Network[];
    readonly aliases?: AliasOptions;
    readonly keyFor?: KeyFor;
    readonly dns?: Omit<NameServiceOptions, "keyFor" | "isAllowed" | "slavesAtOnce" | "onHealth" | "onMetrics"> & {
        readonly slaveRecords?: number;
    };
    readonly mail?: {
        readonly maildir: Maildir;
        readonly sender: string;
    };
    readonly metrics?: boolean;
    readonly onStarted?: () => Promise<void>;
    readonly log?: (line: string) => void;
}

export interface Store {
    readonly place: string;
    close(): Promise<void>;
}

export interface Timeouts {
    readonly headers: number;
    readonly request: number;
    readonly reply: number;
}

export type TtlProfile = "documented" | "live";

export interface UnreadReply {
    readonly status: number;
    readonly reason: string;
}

export declare function allowAddresses(allowed?: readonly Network[]): AddressFilter;

export declare function createRemote({ isAllowed, bounds, keyFor }: RemoteOptions): Remote;

export declare function createServer(options: ServerOptions): Server;

export declare function createToken(store: Store, wanted: NewToken): Promise<string>;

export declare const defaultRate: RateLimit;

export declare function keyFor(keys: Iterable<readonly [address: string, key: Key]>): KeyFor;

export declare function listen(server: Server, options: ListenOptions): Promise<Listening>;

export declare function openMaildir(folder: string): Maildir;

export declare function openStore(place: string, lockWait?: LockWait): Promise<Store>;

export declare function readCatalog(file: string, content: string | Uint8Array): Catalog;

export declare function readNetwork(text: string): Network | undefined;

export declare function serveNames(options: ServerOptions, names: NameServiceOptions): Promise<NameServer>;

export declare function simulatedDriver(factor: number): JobDriver;

export declare function startService(options: ServiceOptions): Promise<Service>;
