import { isIP } from "node:net";
import { plain } from "../diagnostics/plain.ts";
import { ProblemError, problem } from "../diagnostics/problem.ts";
import { plainAddress } from "../dns/address.ts";
import { asName, isSameName } from "../dns/name.ts";
import { readKeys } from "../dns/transfer/key-file.ts";
import type { Key } from "../dns/transfer/tsig.ts";
import { type KeyFor, keyFor } from "../server/kit/remote.ts";

import { readText } from "../workflow/files.ts";
import type { Terminal } from "./terminal.ts";

export interface KeyOptions {
  readonly tsigKey?: string;
  readonly keyFor?: readonly string[];
}

export interface Keys {
  /** Of the file: who signs with one of them may transfer every zone. */
  readonly keys: readonly Key[];
  /** The key that signs messages to an address. */
  readonly keyFor: KeyFor;
}

/**
 * The keys of `--tsig-key`, and those that `--key-for` chooses among them.
 * @throws {ProblemError} `usage`, `tsig-key`, `file-read`
 */
export function readKeyOptions({ cwd }: Pick<Terminal, "cwd">, { tsigKey, keyFor: chosen = [] }: KeyOptions): Keys {
  if (tsigKey === undefined && chosen.length > 0)
    throw new ProblemError(problem("usage", "--key-for chooses a key of --tsig-key."));
  const keys = tsigKey === undefined ? [] : readKeys(readText(cwd, tsigKey, "Name a file with TSIG keys."), tsigKey);
  const byAddress = new Map<string, Key>();
  for (const text of chosen) {
    const [, address = "", name = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (isIP(address) === 0 || address.includes("%"))
      throw new ProblemError(
        problem(
          "usage",
          `--key-for is an IP address and the name of a key such as 192.0.2.1=transfer.example.net, not ${plain(text)}.`,
        ),
      );
    const key = keys.find((key) => isSameName(key.name, asName(name.replace(/\.?$/, "."))));
    if (key === undefined)
      throw new ProblemError(
        problem("usage", `--key-for ${plain(text)}: there is no such key in ${plain(tsigKey ?? "")}.`),
      );
    if (byAddress.has(plainAddress(address)))
      throw new ProblemError(problem("usage", `--key-for names ${plain(address)} twice.`));
    byAddress.set(plainAddress(address), key);
  }
  return { keys, keyFor: keyFor(byAddress) };
}
