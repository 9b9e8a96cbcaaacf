import type * as z from "zod";
import type { ApiErrorEntry } from "../../contract/errors.ts";
import { errorEntry } from "../kit/api-error.ts";
import { isStorable } from "../store/text.ts";

/** The reason for an issue that the contract has no text for. */
export function reasonFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return `${fieldAt(issue.path ?? [])} is required`;
      if (isNumber(issue.expected)) return "Must be an integer";
      return `Must be of type ${issue.expected === "record" ? "Object" : capitalize(issue.expected)}`;
    case "invalid_value":
      return `Must be one of ${issue.values.join(", ")}`;
    case "too_big":
      return "Too large";
    case "too_small":
      return "Too small";
    default:
      return undefined;
  }
}

/** The errors that a schema found; for a field of the wrong type, only that. */
export function schemaErrors({ issues }: z.ZodError): ApiErrorEntry[] {
  const mistyped = new Set(issues.filter(isTypeIssue).map(({ path }) => fieldAt(path)));
  return issues
    .filter((issue) => isTypeIssue(issue) || !mistyped.has(fieldAt(issue.path)))
    .map(({ path, message }) => (path.length === 0 ? { reason: message } : errorEntry(fieldAt(path), message)));
}

function isTypeIssue({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_type";
}

/** Deeper than any schema, but not than the stack: a body may be nested half a million times. */
const deepest = 100;

/** Errors for texts that databases cannot store. */
export function unstorableErrors(value: unknown, path: readonly PropertyKey[] = []): ApiErrorEntry[] {
  if (typeof value === "string") {
    return isStorable(value) ? [] : [errorEntry(fieldAt(path), "Contains a character that cannot be stored")];
  }
  if (typeof value !== "object" || value === null || path.length > deepest) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    unstorableErrors(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** `["ipv4", 0, "range"]` is `ipv4[0].range` (decisions/service#replies). */
function fieldAt(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`;
    return field === "" ? String(key) : `${field}.${String(key)}`;
  }, "");
}

function isNumber(type: string): boolean {
  return type === "number" || type === "int";
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
