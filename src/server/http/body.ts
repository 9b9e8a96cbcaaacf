import { reasons } from "../../contract/errors.ts";
import { ApiError, refusal } from "../kit/api-error.ts";

/** The largest body: a TXT record of 65,535 characters fits in any JSON spelling of it. */
const most = 1024 * 1024;

/**
 * The body of a request as text; it is never held beyond the limit.
 * @throws {ApiError} 413 over 1 MiB, 400 `Invalid JSON` when it is not UTF-8, or breaks off.
 */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) throw tooLarge();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > most) throw tooLarge();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    // Not UTF-8, or not whole, because who sent it is gone.
    throw error instanceof ApiError ? error : refusal(reasons.invalidJson);
  }
}

function tooLarge(): ApiError {
  return new ApiError(413, [{ reason: "The request body is larger than 1 MiB" }]);
}
