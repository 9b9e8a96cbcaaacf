import type { Send } from "../../client/send.ts";
import type { TargetKindName } from "../../config/target-kinds.ts";
import type { Fix } from "../../diagnostics/advice.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import type { Name } from "../../dns/name/name.ts";
import type { ApiReadingTarget } from "../../targets/api/target.ts";
import type { ReadingTarget, Target } from "../../targets/target.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";

export interface ApiOptions {
  readonly apiUrl?: string;
  readonly tokenFile?: string;
  /** The name of the token in messages; by default that of its variable. */
  readonly tokenName?: string;
  /** Called with the headers of each reply. */
  readonly onReply?: (headers: Headers) => void;
  /** Sends the requests, as for `createClient`; the caller closes its connections. */
  readonly send?: Send;
  /** Time limit of a reply in milliseconds, and the maximum number of retries; by default those of the client. */
  readonly limits?: { readonly timeoutMs: number; readonly retries: number };
}

/** A service and its address. */
export interface Connection {
  readonly target: Target;
  /** The kind of the target in the config; absent for the API. */
  readonly kind?: TargetKindName;
  readonly api: string;
  /** The name of the target in the config; absent in a project without targets. */
  readonly name?: string;
  /** HMAC-SHA256 of a text in hexadecimal; the key is the token. Without it, a run keeps no approvals. */
  readonly sign?: (text: string) => string;
  /** The setting that the token or key is from, by name. */
  readonly tokenFrom?: Fix;
  /** The whole path of the file with the token or key. */
  readonly tokenFile?: string;
  /** The notes about the service so far, as `onNote` has told them. */
  readonly notes?: () => readonly Problem[];
}

/** A service that is only read, and its address. Plans, checks and comparisons need no more. */
export interface ReadingConnection {
  readonly target: ReadingTarget;
  /** The kind of the target in the config; absent for the API. */
  readonly kind?: TargetKindName;
  readonly api: string;
  /** The name of the target in the config; absent in a project without targets. */
  readonly name?: string;
  /** The notes about the service so far, as `onNote` has told them. */
  readonly notes?: () => readonly Problem[];
}

/** A connection that can neither write nor sign. */
export function readingConnection({ target, kind, api, name }: Connection): ReadingConnection {
  const { writes, ...reading } = target;
  return { target: reading, api, ...(kind !== undefined && { kind }), ...(name !== undefined && { name }) };
}

export interface ApiReadingConnection extends ReadingConnection {
  readonly target: ApiReadingTarget;
}

/** How the targets of a kind are reached. A missing token or key fails the first request, not these calls. */
export interface Connector {
  /** `isWriting`: for work that ends with writes; a token that may only read is refused at the first reply. */
  connect<T>(
    context: RunContext,
    project: Project,
    options: ApiOptions & { readonly isWriting?: boolean },
    action: (connection: Connection) => Promise<T>,
  ): Promise<T>;
  /**
   * Nothing in reach of `action` can write. `zoneNames`: the zones to look for on a service that lists none; by default
   * those of the project.
   */
  connectToRead<T>(
    context: RunContext,
    project: Project,
    options: ApiOptions & { readonly zoneNames?: readonly Name[] },
    action: (connection: ReadingConnection) => Promise<T>,
  ): Promise<T>;
}
