import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";

/** A refused request: the status and the entries of its error body, each once (decisions/documents#errors). */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly ApiErrorEntry[];

  constructor(status: number, errors: readonly ApiErrorEntry[]) {
    const byContent = new Map(errors.map((entry) => [JSON.stringify([entry.field, entry.reason]), entry]));
    const distinct = [...byContent.values()];
    super(distinct.map(({ reason, field }) => (field === undefined ? reason : `${field}: ${reason}`)).join("; "));
    this.name = "ApiError";
    this.status = status;
    this.errors = distinct;
  }
}

/** 400 for the state of an object: no other body would be accepted, so errors of the body are not listed beside it. */
export class ObjectRefusal extends Refusal {
  constructor(errors: readonly ApiErrorEntry[]) {
    super(400, errors);
  }
}

/** An error entry about one field of the request. */
export function errorEntry(field: string, reason: string): ApiErrorEntry {
  return { reason, field };
}

/** @throws {Refusal} 400 if there are any errors. */
export function refuseIfAny(errors: readonly ApiErrorEntry[]): void {
  if (errors.length > 0) throw new Refusal(400, errors);
}

/** 400 about the request as a whole. */
export function badRequest(reason: string): Refusal {
  return new Refusal(400, [{ reason }]);
}

/**
 * 404 for an unknown path, an unknown id and another account's id, which the caller cannot tell apart
 * (decisions/service#replies).
 */
export function notFound(): Refusal {
  return new Refusal(404, [{ reason: reasons.notFound }]);
}

/** 403 for a restricted user without a grant (decisions/service#replies). */
export function unauthorized(): Refusal {
  return new Refusal(403, [{ reason: reasons.unauthorized }]);
}

/** 429 (decisions/service#replies). */
export function tooManyRequests(): Refusal {
  return new Refusal(429, [{ reason: reasons.tooManyRequests }]);
}
