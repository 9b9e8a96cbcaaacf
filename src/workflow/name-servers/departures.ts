import { join, relative } from "node:path";
import * as z from "zod";
import type { NameKey } from "../../dns/name/name.ts";
import { readOctetsIfPresent, writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";

/** A zone that is to leave a target, as far as NS sets name the servers of this target. */
const departureSchema = z.object({
  /** The longest TTL of an NS set that named them, in seconds. */
  ttl: z.number(),
  /** When no NS set named them any more, if that was seen. */
  since: z.string().optional(),
});

export type Departure = z.infer<typeof departureSchema>;

const fileSchema = z.object({ zones: z.record(z.string(), departureSchema) });

function fileOf(project: Project): string {
  return relative(project.cwd, join(stateFolder(project), "departures.json"));
}

/** The departures that this machine has seen, by zone; none if the file is damaged. */
export function readDepartures(project: Project): Readonly<Record<string, Departure>> {
  const text = readOctetsIfPresent(project.cwd, fileOf(project))?.toString() ?? "";
  try {
    return fileSchema.parse(JSON.parse(text)).zones;
  } catch {
    return {}; // seen again
  }
}

export async function keepDepartures(
  { cwd, signal }: Pick<RunContext, "cwd" | "signal">,
  project: Project,
  departures: ReadonlyMap<NameKey, Departure>,
): Promise<void> {
  const zones = { ...readDepartures(project), ...Object.fromEntries(departures) };
  const ignore = relative(project.cwd, join(stateFolder(project), ".gitignore"));
  const files = [
    { file: ignore, text: "*\n" },
    { file: fileOf(project), text: `${JSON.stringify({ zones })}\n` },
  ];
  await writeFiles({ cwd, signal }, files, "Make the folder writable for this user.");
}
