import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { PastRun } from "../planner/approval.ts";

const begin = z.object({
  kind: z.literal("begin"),
  run: z.string(),
  at: z.string(),
  nonce: z.string().optional(),
  commit: z.string().optional(),
  zones: z.array(z.object({ zone: z.string() })),
});
const end = z.object({ kind: z.literal("end"), state: z.enum(["done", "partly"]) });

/** What the journals under `.zonewright/runs` say of the runs before, the oldest first. */
export function pastRuns(folder: string): PastRun[] {
  return names(join(folder, ".zonewright", "runs")).flatMap((name): PastRun[] => {
    const lines = linesOf(join(folder, ".zonewright", "runs", name, "journal.jsonl"));
    const first = begin.safeParse(lines[0]);
    if (!first.success) return []; // cut off before anything was sent
    const last = end.safeParse(lines.at(-1));
    const { run, at, nonce, commit, zones } = first.data;
    return [
      {
        id: run,
        begun: at,
        state: last.success ? last.data.state : "unfinished",
        ...(nonce !== undefined && { nonce }),
        ...(commit !== undefined && { commit }),
        zones: zones.map(({ zone }) => zone),
      },
    ];
  });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // no run yet
  }
}

function linesOf(file: string): unknown[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).flatMap((line) => parsed(line)); // biome-ignore format: one thought
  } catch {
    return [];
  }
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // torn
  }
}
