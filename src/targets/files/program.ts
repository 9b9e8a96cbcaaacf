import { spawn } from "node:child_process";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Name, withoutDot } from "../../dns/name/name.ts";

/** How a program ended. `late`: it was ended at the time limit, and may have done its work. */
export type ProgramEnd =
  /** `output`: the last octets of it. */
  | { readonly state: "done"; readonly output: string }
  | { readonly state: "failed" | "late" | "missing"; readonly reason: string };

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In milliseconds. */
  readonly limitMs: number;
  /** Ends the process with this id and its group; without it, only the program is ended. */
  readonly endGroup?: ((pid: number) => void) | undefined;
}

/** Runs a program without a shell. Never rejects. */
export type RunProgram = (words: readonly string[], options: ProgramOptions) => Promise<ProgramEnd>;

/** The last octets of the output of a program that are kept. */
const mostOctets = 4_096;

/** Time for the output of a program that has ended, in milliseconds. */
const lastOutputMs = 200;

/** The last lines of a reason, and its length in characters. */
const mostLines = 5;
const longestReason = 600;

export const runWithLimit: RunProgram = async (words, options) => {
  try {
    return await runProgram(words, options);
  } catch (error) {
    // Such as arguments that are too long.
    return { state: "missing", reason: startFailure(error as Error) };
  }
};

const runProgram: RunProgram = ([program = "", ...words], { cwd, env, limitMs, endGroup }) =>
  new Promise((resolve) => {
    let output = Buffer.alloc(0);
    const secrets = secretsOf(env);
    const kept = mostOctets + longest(secrets);
    const child = spawn(program, words, {
      cwd,
      env: withoutOwnSecrets(env),
      // A group of its own, so that the programs that it starts end with it.
      detached: endGroup !== undefined,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const end = (result: ProgramEnd) => {
      clearTimeout(timer);
      // A program that it started may keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    const reasonAfter = (how: string) => {
      const text = outputText(output, secrets);
      return text === "" ? how : `${how}: ${text}`;
    };
    const timer = setTimeout(() => {
      if (endGroup && child.pid !== undefined) endGroup(child.pid);
      else child.kill("SIGKILL");
      end({ state: "late", reason: reasonAfter(`no end within ${limitMs / 1000} seconds`) });
    }, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output = Buffer.concat([output, chunk]).subarray(-kept);
      });
    child.on("error", (error) => end({ state: "missing", reason: startFailure(error) }));
    child.on("exit", (code, signal) => {
      const ended = () => {
        if (code === 0) end({ state: "done", output: output.subarray(-mostOctets).toString("utf8") });
        else end({ state: "failed", reason: reasonAfter(signal ?? `exit code ${code}`) });
      };
      // It may have started another program, which keeps the output open.
      const last = setTimeout(ended, lastOutputMs);
      child.on("close", () => {
        clearTimeout(last);
        ended();
      });
    });
  });

function startFailure(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it was not found";
  if (code === "EACCES") return "this user may not run it";
  return error.message;
}

/** The environment of a program: it needs no token or key of zonewright's targets. */
function withoutOwnSecrets(env: ProgramOptions["env"]): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !(name.startsWith("ZONEWRIGHT_") && isSecret(name))),
  );
}

/** Whether a variable is named like a secret. `PWD` is a folder, and `DB_PWD` a password. */
function isSecret(name: string): boolean {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return (
    /TOKEN|KEY|SECRET|PASSW|PASSPHRASE|CREDENTIAL/.test(words) ||
    /(?:^|[^A-Z])(?:PAT|AUTH|CREDS?|PRIVATE|SIGN|SIGNING|SIGNATURE|JWT|SAS|BEARER|COOKIE)(?:[^A-Z]|$)/.test(words) ||
    /(?<!BY|COM)PASS(?:[^A-Z]|$)|[^A-Z]PWD?(?:[^A-Z]|$)/.test(words)
  );
}

/** The values of secrets in an environment by line, longest first. */
function secretsOf(env: ProgramOptions["env"]): string[] {
  return Object.entries(env)
    .flatMap(([name, value = ""]) => (isSecret(name) ? value.split("\n") : []))
    .map((value) => value.trim())
    .filter((value) => value.length >= 6)
    .sort((a, b) => b.length - a.length);
}

/** In octets; 0 without secrets. */
function longest(secrets: readonly string[]): number {
  return Math.max(0, ...secrets.map((secret) => Buffer.byteLength(secret)));
}

/** A character that no output has: each octet of a secret, until it is shown. */
const hidden = "\ud800";

/** The last lines of an output, safe to show: without control characters, secrets and the last full stop. */
function outputText(output: Buffer, secrets: readonly string[]): string {
  const whole = secrets.reduce(
    (text, secret) => text.replaceAll(secret, hidden.repeat(secret.length)),
    output.toString("utf8"),
  );
  // It may begin with a part of a secret.
  const shown = output.length > mostOctets ? whole.slice(longest(secrets)) : whole;
  const lines = shown
    .replaceAll(new RegExp(`${hidden}+`, "g"), "***")
    .split(/[\r\n]+/)
    .map((line) => escapeControl(line.trim()))
    .filter(Boolean);
  return lines.slice(-mostLines).join("; ").slice(-longestReason).replace(/\.$/, "");
}

/** The end of a program that did not do its work, or may not have. */
export type FailedEnd = Exclude<ProgramEnd, { readonly state: "done" }>;

/** The words of a template for a zone and its file. */
export function wordsFor(template: readonly string[], { zone, file }: { zone: Name; file: string }): string[] {
  const name = withoutDot(zone) || ".";
  return template.map((word) => word.replaceAll(/\{(?:zone|file)\}/g, (found) => (found === "{zone}" ? name : file)));
}

/** Whether a program would take the zone's name for an option. */
export function looksLikeOption(template: readonly string[], zone: Name): boolean {
  return zone.startsWith("-") && template.some((word) => word.startsWith("{zone}"));
}
