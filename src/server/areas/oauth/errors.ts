/** Error codes of RFC 6749 §4.1.2.1 and §5.2. */
type ErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_request"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** An error for the client, in a reply or in a redirect. `message` has no quotes and no text from outside. */
export class OAuthError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "OAuthError";
    this.code = code;
  }
}

/** An error for the person at the browser: nothing is sent to a client. */
export class PageError extends Error {
  readonly status: number;
  readonly title: string;
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | undefined;

  constructor(status: number, title: string, message: string, retryAfter?: number) {
    super(message);
    this.name = "PageError";
    this.status = status;
    this.title = title;
    this.retryAfter = retryAfter;
  }
}
