import { escapeControl } from "../diagnostics/escape.ts";
import { usageError } from "../diagnostics/problem.ts";
import { readKeys } from "../dns/transfer/key-file.ts";
import type { Key } from "../dns/transfer/tsig.ts";
import { readSecret } from "../workflow/connect/target-secret.ts";
import type { Terminal } from "./terminal.ts";

/** The TSIG key of a file or of the environment; a secret on the command line would be shown to every user. */
export function readKey({ cwd, env }: Terminal, file: string | undefined): Key | undefined {
  if (file === undefined && !env.ZONEWRIGHT_TSIG_KEY) return undefined;
  const secret = { word: "TSIG key", setting: "--tsig-key" };
  const [text, from] =
    file === undefined
      ? [env.ZONEWRIGHT_TSIG_KEY ?? "", "ZONEWRIGHT_TSIG_KEY"]
      : [readSecret({ cwd }, { ...secret, path: file }).value, file];
  const [key, other] = readKeys(text, from);
  if (!other) return key;
  throw usageError(`${escapeControl(from)} has several TSIG keys. Leave the one to sign with.`);
}
