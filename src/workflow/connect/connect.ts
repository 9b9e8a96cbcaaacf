import type { TargetKindName } from "../../config/target-kinds.ts";
import type { Name } from "../../dns/name/name.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { requireView } from "../project/targets.ts";
import type { ApiOptions, Connection, Connector, ReadingConnection } from "./connection.ts";

/** The connector of each kind of target. The job that connects loads it. */
const connectors: { readonly [Kind in TargetKindName]: () => Promise<Connector> } = {
  api: async () => (await import("./connect-api.ts")).apiConnector,
  rfc2136: async () => (await import("./connect-rfc2136.ts")).rfc2136Connector,
  powerdns: async () => (await import("./connect-powerdns.ts")).powerDnsConnector,
  files: async () => (await import("./connect-files.ts")).filesConnector,
};

/** @throws {ProblemError} `usage` for a project with several targets */
async function connectorOf(project: Project): Promise<Connector> {
  requireView(project);
  return connectors[project.view?.kind ?? "api"]();
}

/**
 * Calls `action` with the service of the project, which flags, environment and config name, in this order, and closes
 * the connections afterwards. A missing token fails the first request, so that `action` reports wrong arguments and
 * files before.
 */
export async function connect<T>(
  context: RunContext,
  project: Project,
  options: ApiOptions,
  action: (connection: Connection) => Promise<T>,
): Promise<T> {
  return (await connectorOf(project)).connect(context, project, options, action);
}

/** Connects for work that ends with writes: a token that may only read is refused at the first reply. */
export async function connectToWrite<T>(
  context: RunContext,
  project: Project,
  options: ApiOptions,
  action: (connection: Connection) => Promise<T>,
): Promise<T> {
  return (await connectorOf(project)).connect(context, project, { ...options, isWriting: true }, action);
}

/** Connects for work that only reads: nothing in reach of `action` can write. */
export async function connectToRead<T>(
  context: RunContext,
  project: Project,
  options: ApiOptions & { readonly zoneNames?: readonly Name[] },
  action: (connection: ReadingConnection) => Promise<T>,
): Promise<T> {
  return (await connectorOf(project)).connectToRead(context, project, options, action);
}
