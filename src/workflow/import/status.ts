import { withoutDot } from "../../dns/name/name.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { ImportState } from "./state.ts";

/** The last import of a project with a ledger, for people. */
export interface ImportProgress {
  readonly begun: string;
  /** Absent if it was interrupted, or still runs. */
  readonly ended?: string;
  /** The command that continues it, for a shell. */
  readonly command: string;
  readonly zones: number;
  readonly imported: number;
  /** The files that differ and were not overwritten. */
  readonly kept: readonly string[];
  /** The zones, or files without a zone, that failed. */
  readonly failed: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  /** The number of zones that were not reached. */
  readonly left: number;
}

/** Reads how far the last import came; undefined if there is none. */
export function readImportProgress({ now }: Pick<RunContext, "now">, project: Project): ImportProgress | undefined {
  const last = new ImportState(project, now).read();
  if (!last) return undefined;
  const { begun, ended, command, imported, kept } = last;
  const failed = [...last.failed.values()].map(({ zone, from, problems }) => ({
    name: zone === undefined ? (from ?? "") : withoutDot(zone),
    reasons: problems.map(({ summary }) => summary),
  }));
  // Sources can fail that are not among the zones, because their zones are unknown.
  const reached = imported.size + kept.size + failed.length;
  const zones = ended === undefined ? Math.max(last.zones, reached) : reached;
  const files = [...kept.values()];
  const left = zones - reached;
  return { begun, ...(ended && { ended }), command, zones, imported: imported.size, kept: files, failed, left };
}
