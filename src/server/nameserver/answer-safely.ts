import { writeServfail } from "./answer.ts";
import type { Client } from "./client.ts";
import { answerPlain, type QueryPlace } from "./plain-answers.ts";
import { decodeQuery, type Query } from "./query.ts";
import { type ReplyContext, replies } from "./replies.ts";

export interface AnswerContext extends ReplyContext {
  /** Called for every unexpected error; its query is answered with SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

/** See `answerPlain`. An unexpected error is reported, and the query left to `answerOther`. */
export function answerPlainSafely(octets: Buffer, place: QueryPlace, context: AnswerContext) {
  try {
    return answerPlain(octets, place, context);
  } catch (error) {
    context.onError(error);
    return undefined;
  }
}

/** The replies to any query, see `replies`; SERVFAIL after an unexpected error. */
export async function* answerOther(octets: Buffer, client: Client, context: AnswerContext): AsyncGenerator<Buffer> {
  let query: Query | undefined;
  try {
    query = decodeQuery(octets);
    if (query) yield* replies(query, client, context);
  } catch (error) {
    if (client.transport === "tcp" && client.signal.aborted) return;
    context.onError(error);
    if (query) yield writeServfail(query);
  }
}
