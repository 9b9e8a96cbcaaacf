import { join, resolve } from "node:path";
import { listen } from "../../server/node.ts";
import { createServer } from "../../server/server.ts";
import { openStore } from "../../server/store/store.ts";
import { createToken, hasTokens } from "../../server/tokens.ts";
import type { Context } from "../context.ts";
import { type ExitCode, exitCode, UsageError } from "../exit-code.ts";

export interface ServeOptions {
  readonly port: string;
  readonly host: string;
  readonly data: string;
  readonly token?: string;
  readonly ephemeral?: boolean;
  readonly profile: "documented" | "live";
}

/** `zonewright serve`: the API on this machine until it is interrupted. */
export async function serve(context: Context, options: ServeOptions): Promise<ExitCode> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new UsageError(`--port is a number from 0 to 65535, not ${options.port}.`);
  const store = await openStore(
    options.ephemeral ? ":memory:" : join(resolve(context.cwd, options.data), "zonewright.db"),
  );
  try {
    const now = context.now();
    const first =
      (options.token ?? (await hasTokens(store))) ? undefined : await createToken(store, { username: "admin", now });
    if (options.token !== undefined) await createToken(store, { username: "admin", now, token: options.token });
    const server = createServer({
      store,
      clock: context.now,
      profile: options.profile,
      onError: (error) => context.talk(`${describe(error)}\n`),
    });
    const { url, close } = await listen(server, { host: options.host, port });
    context.out(`${url}\n`);
    context.talk(`zonewright serves ${options.ephemeral ? "from memory" : options.data}; Ctrl-C stops it\n`);
    if (first !== undefined)
      context.talk(`first start; this token is shown once:\n\nexport ZONEWRIGHT_TOKEN=${first}\n\n`);
    await aborted(context.signal);
    context.talk("finishing the requests under way\n");
    await close();
    return exitCode.done;
  } finally {
    await store.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
