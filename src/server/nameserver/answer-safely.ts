import { writeServfail } from "./answer.ts";
import type { QuerySender } from "./client.ts";
import { answerFast, type QueryPlace } from "./plain-answers.ts";
import { decodeQuery, type Query } from "./query.ts";
import { queryType, responseCode } from "./query-counts.ts";
import { checkQuerySignature, type QuerySignature, type ReplyContext, replies } from "./replies.ts";

export interface AnswerContext extends ReplyContext {
  /** Called for every unexpected error; its query is answered with SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

/** See `answerFast`. An unexpected error is reported, and the query left to `answerAny`. */
export function answerFastSafely(octets: Buffer, place: QueryPlace, context: AnswerContext) {
  try {
    return answerFast(octets, place, context);
  } catch (error) {
    context.onError(error);
    return undefined;
  }
}

/**
 * The replies to any query, see `replies`; after an unexpected error SERVFAIL, signed as all answers to a signed query
 * are (RFC 8945 §5.3): a secondary would report an unsigned one as an error of its key.
 */
export async function* answerAny(octets: Buffer, client: QuerySender, context: AnswerContext): AsyncGenerator<Buffer> {
  const { counts } = context;
  let query: Query | undefined;
  let signature: QuerySignature | undefined;
  let isAnswered = false;
  const count = (reply: Buffer) => {
    if (!isAnswered) counts?.countResponse(responseCode(reply));
    isAnswered = true;
    return reply;
  };
  try {
    query = decodeQuery(octets);
    if (query === undefined) return;
    counts?.countQuery(client.transport, queryType(query));
    signature = checkQuerySignature(query, context);
    for await (const reply of replies(query, signature, client, context)) yield count(reply);
  } catch (error) {
    if (client.transport === "tcp" && client.signal.aborted) return;
    context.onError(error);
    if (query === undefined) return;
    const reply = writeServfail(query);
    yield count(signature?.signer?.sign(reply) ?? reply);
  }
}
