import type { ZoneOfFile } from "../../formats/files.ts";
import { connectToRead } from "../connect/connect.ts";
import type { ApiOptions } from "../connect/connection.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { resolveNodes } from "./resolve-nodes.ts";

/** Asks the service for the addresses of the nodes that zone files refer to, for jobs that need it for nothing else. */
export function askForAddresses(
  context: RunContext,
  project: Project,
  options: ApiOptions,
  zones: readonly ZoneOfFile[],
): Promise<readonly ZoneOfFile[]> {
  return connectToRead(
    context,
    project,
    options,
    async ({ target }) => (await resolveNodes(project, zones, target)).zones,
  );
}
