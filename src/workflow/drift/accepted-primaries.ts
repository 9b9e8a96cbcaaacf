import { join, relative } from "node:path";
import * as z from "zod";
import type { NameKey } from "../../dns/name/name.ts";
import { readOctetsIfPresent, writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";

/** The primary and the name servers of a zone, as texts to compare and to show. */
const apexSchema = z.object({ primary: z.string(), servers: z.string() });

export type Apex = z.infer<typeof apexSchema>;

/** Accepted since a run or a snapshot, of which another one takes its place. */
const acceptedSchema = apexSchema.extend({ since: z.string() });

export type AcceptedApex = z.infer<typeof acceptedSchema>;

const fileSchema = z.object({ zones: z.record(z.string(), acceptedSchema) });

type AcceptedZones = Readonly<Record<string, AcceptedApex>>;

function fileOf(project: Project): string {
  return relative(project.cwd, join(stateFolder(project), "primaries.json"));
}

/** The zones whose primary and name servers were accepted on this machine; none if the file is damaged. */
export function readAccepted(project: Project): AcceptedZones {
  const text = readOctetsIfPresent(project.cwd, fileOf(project))?.toString() ?? "";
  try {
    return fileSchema.parse(JSON.parse(text)).zones;
  } catch {
    return {}; // asked for again
  }
}

/** Keeps the primary and name servers that zones have now; those of other zones stay. */
export async function keepAccepted(
  { cwd, signal }: RunContext,
  project: Project,
  accepted: ReadonlyMap<NameKey, AcceptedApex>,
): Promise<void> {
  const zones = { ...readAccepted(project), ...Object.fromEntries(accepted) };
  const file = fileOf(project);
  const ignore = relative(project.cwd, join(stateFolder(project), ".gitignore"));
  const files = [
    { file: ignore, text: "*\n" },
    { file, text: `${JSON.stringify({ zones })}\n` },
  ];
  await writeFiles({ cwd, signal }, files, "Make the folder writable for this user.");
}
