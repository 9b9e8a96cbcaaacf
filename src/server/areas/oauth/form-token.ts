import type { PublicContext } from "../../entities/context.ts";
import { PageError } from "./errors.ts";
import type { Session } from "./session.ts";

/** Time to fill in a form, in seconds. */
const formTime = 60 * 60;

const purpose = "form";

/**
 * The token of a form: only this browser can send it, for an hour, and only with the content that was shown. Another
 * site cannot make the browser send a form of its own.
 */
export function createFormToken(content: string, session: Session, { secrets, now }: PublicContext): string {
  const expires = Math.floor(now.getTime() / 1000) + formTime;
  return `${expires}.${secrets.sign(signedText(content, session, expires), purpose)}`;
}

/** @throws {PageError} 403 unless the token is that of the form with this content */
export function requireFormToken(
  token: string | null,
  content: string,
  session: Session,
  { secrets, now }: PublicContext,
): void {
  const [, expires, signature = ""] = /^(\d{1,12})\.([\w-]+)$/.exec(token ?? "") ?? [];
  const isCurrent = Number(expires) * 1000 > now.getTime();
  if (isCurrent && secrets.isSigned(signedText(content, session, Number(expires)), signature, purpose)) return;
  throw new PageError(
    403,
    "This form is no longer valid",
    "It is older than an hour, or your browser did not send the cookie of this site. Go back and try again.",
  );
}

function signedText(content: string, { key }: Session, expires: number): string {
  return [key, expires, content].join("\n");
}
