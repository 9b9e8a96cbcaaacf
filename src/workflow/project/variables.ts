import { resolve } from "node:path";
import { readConfig } from "../../config/config.ts";
import { isSecretVariable, secretVariable } from "../../config/target-kinds.ts";
import { type AdvisedStep, advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { readIfPresent } from "../../file-system.ts";
import type { RunContext } from "./run-context.ts";
import { allKinds, settingsOf } from "./target-kind.ts";

/** The environment variables of the program, and their meaning. */
export const variables: ReadonlyMap<string, string> = new Map([
  ["ZONEWRIGHT_API_URL", "scheme and host of the API; overrides api_url of zonewright.yaml"],
  ["ZONEWRIGHT_API_WORDS", "words of the API, documented or live; overrides api_words of zonewright.yaml"],
  ["ZONEWRIGHT_TOKEN", "token for the API"],
  ["ZONEWRIGHT_TOKEN_FILE", "file that contains the token"],
  ["ZONEWRIGHT_SIGNING_KEY", "private ed25519 key that signs plan files (PEM)"],
  ["ZONEWRIGHT_VERIFY_KEYS", "public keys that plan files may be signed with (PEM, one or more)"],
  ["ZONEWRIGHT_TSIG_KEY", "key that signs zone transfers, name:algorithm:secret"],
  ["ZONEWRIGHT_SERVE_TOKEN", "token that the server also accepts"],
  ["ZONEWRIGHT_SECRET_KEY", "key of the server that signs forms and encrypts secrets"],
]);

/** Secrets of the workflows that `init --ci` writes, which pass them on as the token. */
const ofWorkflows = /^ZONEWRIGHT_(?:READ|WRITE)_TOKEN$/;

/** Options for which people expect a variable. */
const options = [
  { set: "allow" },
  { set: "snapshot" },
  { set: "config" },
  { set: "expires" },
  { set: "nameserver" },
  { set: "quiet" },
  { set: "report" },
  { set: "strict" },
  { set: "zones" },
] as const satisfies AdvisedStep[];

/** A sentence for each variable that looks like one of ours and is not read. `config` names the file with targets. */
export function unknownVariables({ env, cwd }: Pick<RunContext, "env" | "cwd">, config: string): Fix[] {
  const unknown = Object.keys(env).filter(
    (name) => /^ZONEWRIGHT_/i.test(name) && env[name] && !variables.has(name) && !ofWorkflows.test(name),
  );
  const ofTargets = unknown.some(isSecretVariable) ? targetVariables(resolve(cwd, config)) : [];
  return unknown
    .filter((name) => (ofTargets === undefined ? !isSecretVariable(name) : !ofTargets.includes(name)))
    .sort()
    .map((name) => {
      const near = ofTargets?.length ? nearTarget(name.toUpperCase(), ofTargets) : nearVariable(name.toUpperCase());
      const option = options.find(({ set }) => name.toLowerCase() === `zonewright_${set}`);
      const other = option === undefined ? "" : advise` Set ${option} instead.`;
      const hint = near === undefined ? other : ` Did you mean ${near}?`;
      return advise`the variable ${escapeControl(name)} is set, but zonewright does not read it.${hint}`;
    });
}

/** The variables with the tokens and keys of targets; undefined if the config has errors, which are reported later. */
function targetVariables(config: string): string[] | undefined {
  try {
    const read = readConfig(config, readIfPresent(config) ?? "", settingsOf(allKinds));
    return Object.entries(read.config.targets ?? {}).flatMap(([name, { kind }]) => secretVariable(name, kind) ?? []);
  } catch {
    return undefined;
  }
}

/** The variable of a target that was most likely meant, or one that all projects have. */
function nearTarget(name: string, ofTargets: readonly string[]): string | undefined {
  if (!isSecretVariable(name)) return nearVariable(name);
  // Without the beginning and the end that all have in common, which would make any name a near one.
  const targetIn = (name: string) => name.replace(/^ZONEWRIGHT_/, "").replace(/_(?:TOKEN|TSIG_KEY)$/, "");
  const near = nearest(targetIn(name), ofTargets.map(targetIn));
  return ofTargets.find((one) => targetIn(one) === near);
}

/** The variable that was most likely meant: `API_TOKEN` ends with `TOKEN`, and only `API_URL` ends with `URL`. */
function nearVariable(name: string): string | undefined {
  const restOf = (name: string) => name.replace(/^ZONEWRIGHT_/, "");
  const known = [...variables.keys()];
  // Without the beginning that all have in common, which would make any name a near one.
  const near = nearest(restOf(name), known.map(restOf));
  const inside = known.find((one) => name.endsWith(`_${restOf(one)}`));
  const [only, ...others] = known.filter((one) => one.endsWith(`_${restOf(name)}`));
  return inside ?? (others.length === 0 ? only : undefined) ?? known.find((one) => restOf(one) === near);
}
