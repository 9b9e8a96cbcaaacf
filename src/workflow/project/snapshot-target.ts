import * as z from "zod";
import { advise } from "../../diagnostics/advice.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { type ApiSnapshot, apiSnapshotFormat, apiSnapshotSchema } from "../../targets/api/snapshot.ts";
import { apiSnapshotTarget } from "../../targets/api/snapshot-target.ts";
import {
  type ContentSnapshot,
  contentSnapshotFormat,
  contentSnapshotSchema,
  readsOfContent,
} from "../../targets/content-snapshot.ts";
import type { PlanningTarget } from "../../targets/target.ts";
import { kindOf } from "./target-kind.ts";

/** Snapshots of the targets of projects, apart from `connect.ts`: a plan against one loads no client. */
export { freedToSave, type OtherDomain } from "../../targets/api/snapshot.ts";
export { type ApiSnapshot, apiSnapshotSchema };

const snapshotSchema = z.discriminatedUnion("format", [apiSnapshotSchema, contentSnapshotSchema], {
  error: ({ code }) =>
    code === "invalid_union" ? `must be ${apiSnapshotFormat} or ${contentSnapshotFormat}` : undefined,
});

/** Live zones of a service: of the API as it returns them, or of another one by their content. */
export type Snapshot = ApiSnapshot | ContentSnapshot;

/**
 * Reads a snapshot file, or that of a git ref.
 * @throws {ProblemError} `snapshot-read` if it is invalid or incomplete.
 */
export function parseSnapshot(file: string, text: string, ref?: string): Snapshot {
  const snapshotError = (why: string) => {
    const summary = `${file} is not a valid snapshot: ${why}`;
    const fix = advise`Create a new one with ${{ run: "snapshot", with: ref === undefined ? { out: "FILE" } : { ref } }}.`;
    return problemError("snapshot-read", summary, { fix });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw snapshotError("it is not valid JSON and may be truncated");
  }
  const parsed = snapshotSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw snapshotError(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

/** A service at the time of a snapshot. @throws {ProblemError} `snapshot-read` */
export function snapshotTarget(snapshot: Snapshot): PlanningTarget {
  return isOfApi(snapshot)
    ? apiSnapshotTarget(snapshot)
    : { ...kindOf(snapshot.target), read: readsOfContent(snapshot) };
}

export function isOfApi(snapshot: Snapshot): snapshot is ApiSnapshot {
  return "domains" in snapshot;
}

/** The numbers of zones and records in a snapshot. */
export function snapshotSize(snapshot: Snapshot): { readonly zones: number; readonly records: number } {
  const zones = isOfApi(snapshot) ? snapshot.domains : snapshot.contents;
  return { zones: zones.length, records: zones.reduce((sum, { records }) => sum + records.length, 0) };
}

/** The JSON Schema (draft 7, which editors know best) of a snapshot file. */
export function snapshotJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(snapshotSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:snapshot", title: "Snapshot", ...schema };
}
