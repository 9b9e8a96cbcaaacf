import type { newTicketReply } from "../contract/resources/ticket.ts";
import { usageError } from "../diagnostics/problem.ts";
import { isStorable } from "../server/store/language.ts";

/** A text that users of the API may send. */
export type TextAttribute = typeof newTicketReply.shape.description;

/**
 * Checks a text as the API does: its length, whether people can see it, and whether databases can store it.
 * @throws {ProblemError} `usage`
 */
export function requireText(what: string, text: string, attribute: TextAttribute): void {
  const { minLength, maxLength } = attribute;
  const [issue] = attribute.safeParse(text).error?.issues ?? [];
  if (issue?.code === "custom") throw usageError(`${what} must contain a visible character.`);
  if (issue) throw usageError(`${what} must have ${minLength} to ${maxLength} characters.`);
  if (!isStorable(text)) throw usageError(`${what} contains a character that cannot be stored.`);
}
