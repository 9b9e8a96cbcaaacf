import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { findPython } from "../judges.ts";
import { folder, run, type serve } from "./run.ts";

const python = findPython("libcloud") ?? "python3";

const script = fileURLToPath(new URL("session.py", import.meta.url));

/**
 * An expression of Python, where `dns` and `compute` are drivers with our token and `other` one with a wrong token;
 * what it gives.
 */
export type Step = [expression: string, gives: unknown];

/** A session with the driver: each expression, with what it gives. */
export async function libcloud(api: Awaited<ReturnType<typeof serve>>, steps: readonly Step[]): Promise<Step[]> {
  const expressions = steps.map(([expression]) => expression);
  const given = {
    port: Number(new URL(api.url).port),
    tokens: { dns: api.token, compute: api.token, other: "wrong" },
    expressions,
  };
  const { code, out, talk } = await run([python, script], { cwd: folder(), input: JSON.stringify(given) });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  const lines = out.trimEnd().split("\n");
  return lines.map((line, i) => [expressions[i] ?? "", JSON.parse(line)]);
}
