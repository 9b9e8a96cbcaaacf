import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";

/** A refusal of a request: the status and the entries of its error body (first document, Errors). */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly ApiErrorEntry[];

  constructor(status: number, errors: readonly ApiErrorEntry[]) {
    super(errors.map(({ reason, field }) => (field === undefined ? reason : `${field}: ${reason}`)).join("; "));
    this.name = "ApiError";
    this.status = status;
    this.errors = errors;
  }
}

/** One entry about one field of the request. */
export function errorEntry(field: string, reason: string): ApiErrorEntry {
  return { reason, field };
}

/** 400 when there is something to say. */
export function refuse(problems: readonly ApiErrorEntry[]): void {
  if (problems.length > 0) throw new ApiError(400, problems);
}

/** 400 about the request as a whole. */
export function refusal(reason: string): ApiError {
  return new ApiError(400, [{ reason }]);
}

/** Unknown path, unknown id, somebody else's id: the caller cannot tell them apart (service: Plumbing). */
export function notFound(): ApiError {
  return new ApiError(404, [{ reason: reasons.notFound }]);
}

/** A restricted user without a grant for this (service: Plumbing). */
export function unauthorized(): ApiError {
  return new ApiError(403, [{ reason: reasons.unauthorized }]);
}
