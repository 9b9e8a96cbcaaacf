import { execFile } from "node:child_process";
import type { Ask, Reply, ReplyRecord } from "./ask.ts";

interface Waiting {
  readonly question: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks by BIND's dig: one process for all questions that come at the same time. */
export function askByDig(port: number): Ask {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const asked = waiting;
    waiting = [];
    try {
      const replies = read(await dig(port, asked));
      if (replies.length !== asked.length) throw new Error(`dig got ${replies.length} of ${asked.length} replies`);
      for (const [index, { resolve }] of asked.entries()) resolve(replies[index] as Reply);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (name: string, type: string) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ question: `${name} ${type}`, resolve, reject });
    });
}

function dig(port: number, asked: readonly Waiting[]): Promise<string> {
  const options = [
    "-r",
    "+norecurse",
    "+noidnin",
    "+noidnout",
    "+noall",
    "+comments",
    "+answer",
    "+authority",
    "+additional",
    "+tries=1",
  ];
  return new Promise((resolve, reject) => {
    const child = execFile("dig", ["@127.0.0.1", "-p", `${port}`, ...options, "-f", "-"], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin?.end(asked.map(({ question }) => `${question}\n`).join(""));
  });
}

function read(output: string): Reply[] {
  return output
    .split(/^;; Got answer:$/m)
    .slice(1)
    .map((text) => ({
      rcode: /status: (\w+)/.exec(text)?.[1] ?? "",
      answers: section(text, "ANSWER"),
      authorities: section(text, "AUTHORITY"),
      additionals: section(text, "ADDITIONAL"),
    }));
}

function section(text: string, name: string): ReplyRecord[] {
  const lines = text.split(`;; ${name} SECTION:\n`)[1]?.split("\n\n")[0]?.split("\n") ?? [];
  return lines
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => {
      const [owner = "", , , type = "", ...rdata] = line.split(/\s+/);
      const isPointer = ["CNAME", "DNAME", "NS", "PTR", "MX", "SRV"].includes(type);
      return { owner: owner.toLowerCase(), type, target: isPointer ? rdata.at(-1)?.toLowerCase() : undefined };
    });
}
