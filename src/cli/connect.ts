import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Client, createClient } from "../client/client.ts";
import { createSend } from "../client/send.ts";
import type { Context } from "./context.ts";
import { openProject, type ProjectOptions, refusal } from "./project.ts";

export interface ApiOptions extends ProjectOptions {
  readonly apiUrl?: string;
  readonly tokenFile?: string;
}

const defaultUrl = "http://127.0.0.1:4119";

/**
 * Calls `action` with a client of the API that flags, environment and config name, in this order, and closes its
 * connections afterwards.
 * @throws {Refusal} when there is no token.
 */
export async function withClient<T>(
  context: Context,
  options: ApiOptions,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  const { config } = openProject(context, options);
  const baseUrl = options.apiUrl ?? (context.env.ZONEWRIGHT_API_URL || config.api_url) ?? defaultUrl;
  const token = readToken(context, options);
  const send = createSend();
  try {
    return await action(createClient({ baseUrl, token, send }));
  } finally {
    await send.close();
  }
}

function readToken(context: Context, options: ApiOptions): string {
  const file = options.tokenFile ?? context.env.ZONEWRIGHT_TOKEN_FILE;
  const token = options.tokenFile === undefined ? context.env.ZONEWRIGHT_TOKEN?.trim() : undefined;
  if (token) return token;
  if (!file) {
    throw refusal(
      "token-missing",
      "there is no API token",
      "Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that holds it.",
    );
  }
  try {
    const text = readFileSync(resolve(context.cwd, file), "utf8").trim();
    if (text !== "") return text;
  } catch {
    throw refusal("token-missing", `the token file ${file} cannot be read`, "Name a file that holds the token.");
  }
  throw refusal("token-missing", `the token file ${file} is empty`, "Write the token into it.");
}
