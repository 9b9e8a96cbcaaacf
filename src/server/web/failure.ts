import { count } from "../../diagnostics/plain.ts";

/** A failure outside of the API, as far as replies show it. */
export interface Failure {
  readonly status: number;
  readonly reason: string;
  /** Seconds until another attempt makes sense. */
  readonly retryAfter?: number;
}

/** The title and the text of the page of a failure. */
export function describeForPeople({ reason, retryAfter }: Failure): { title: string; message: string } {
  return retryAfter === undefined
    ? { title: "Something went wrong", message: `${reason}.` }
    : { title: reason, message: `Wait ${count(retryAfter, "second")} before you try again.` };
}

/** The header of a reply that asks to wait for so many seconds. */
export function retryHeader(retryAfter: number | undefined): Readonly<Record<string, string>> {
  return retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
}
