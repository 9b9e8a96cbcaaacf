import type { Examination } from "../start/doctor.ts";
import type { WorkflowPermissions } from "./workflow-files.ts";

interface Line extends Pick<Examination, "state" | "next"> {
  readonly text: string;
}

/** The permissions that a job lacks for a command, and those that it does not need. */
export function comparePermissions(own: WorkflowPermissions, needs: WorkflowPermissions): Line[] {
  if (typeof needs !== "object" || needs === null) return [];
  const list = Object.entries(needs).map(([name, level]) => `\`${name}: ${level}\``);
  const next = `Give the job ${list.join(" and ")}.`;
  if (own === undefined || own === null)
    return [{ state: "warn", text: "the job names no permissions, so it has those of the repository", next }];
  const levelOf = (name: string) => (typeof own === "string" ? own.replace("-all", "") : (own[name] ?? "none"));
  const missing = Object.entries(needs).filter(([name, level]) => rank(levelOf(name)) < rank(level));
  const names = typeof own === "string" ? [] : Object.keys(own);
  const excess =
    own === "write-all" ? [own] : names.filter((name) => levelOf(name) === "write" && needs[name] !== "write");
  return [
    ...missing.map(([name, level]) => ({
      state: "fail" as const,
      text: `the job lacks the permission \`${name}: ${level}\``,
      next,
    })),
    ...excess.map((name) => {
      const what = name === "write-all" ? name : `${name}: write`;
      return { state: "warn" as const, text: `the job does not need the permission \`${what}\``, next };
    }),
  ];
}

function rank(level: string): number {
  return ["none", "read", "write"].indexOf(level);
}
