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

export const runWithLimit: RunProgram = ([program = "", ...words], { cwd, env, limitMs }) =>
  new Promise((resolve) => {
    let output = Buffer.alloc(0);
    const child = spawn(program, words, { cwd, env: withoutOwnSecrets(env), stdio: ["ignore", "pipe", "pipe"] });
    const end = (result: ProgramEnd) => {
      clearTimeout(timer);
      // A program that it started may keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(result);
    };
    const reasonAfter = (how: string) => {
      const text = outputText(output, env);
      return text === "" ? how : `${how}: ${text}`;
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      end({ state: "late", reason: reasonAfter(`no end within ${limitMs / 1000} seconds`) });
    }, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output = Buffer.concat([output, chunk]).subarray(-mostOctets);
      });
    child.on("error", (error) => end({ state: "missing", reason: startFailure(error) }));
    child.on("exit", (code, signal) => {
      const ended = () => {
        if (code === 0) end({ state: "done", output: output.toString("utf8") });
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

/** The last lines of an output, safe to show: without control characters, values of secrets and the last full stop. */
function outputText(output: Buffer, env: ProgramOptions["env"]): string {
  const secrets = Object.entries(env)
    .flatMap(([name, value = ""]) => (isSecret(name) ? value.split("\n") : []))
    .map((value) => value.trim())
    .filter((value) => value.length >= 6)
    .sort((a, b) => b.length - a.length);
  const whole = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), output.toString("utf8"));
  const lines = whole
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
