import * as z from "zod";
import type { NameKey } from "../../dns/name/name.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { keepZoneFacts, readZoneFacts } from "../project/zone-facts.ts";

/** The primary and the name servers of a zone, as texts to compare and to show. */
const apexSchema = z.object({ primary: z.string(), servers: z.string() });

export type Apex = z.infer<typeof apexSchema>;

/** Accepted since a run or a snapshot, of which another one takes its place. */
const acceptedSchema = apexSchema.extend({ since: z.string() });

export type AcceptedApex = z.infer<typeof acceptedSchema>;

const facts = { file: "primaries.json", schema: acceptedSchema };

/** The zones whose primary and name servers were accepted on this machine. */
export function readAccepted(project: Project): Readonly<Record<string, AcceptedApex>> {
  return readZoneFacts(project, facts);
}

/** Keeps the primary and name servers that zones have now. */
export function keepAccepted(
  context: RunContext,
  project: Project,
  accepted: ReadonlyMap<NameKey, AcceptedApex>,
): Promise<void> {
  return keepZoneFacts(context, project, facts, accepted);
}
