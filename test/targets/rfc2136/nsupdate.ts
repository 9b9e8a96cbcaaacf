import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { key, type UpdateServer } from "../../updates/servers.ts";

/** The output of a program, while the log of the server is read. */
export async function outputOf(program: string, words: readonly string[], input: string): Promise<string> {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output;
}

/** Another client, BIND's nsupdate, with the zone for `ZONE`; returns the name of the RCODE. */
export async function nsupdate(
  { port }: Pick<UpdateServer, "port">,
  zone: string,
  lines: readonly string[],
): Promise<string> {
  const head = [`server 127.0.0.1 ${port}`, `zone ${zone}`, `key hmac-sha256:${key.name} ${key.secret}`, "ttl 300"];
  const input = [...head, ...lines.map((line) => line.replaceAll("ZONE", zone)), "send", "answer", ""].join("\n");
  const output = await outputOf("nsupdate", ["-v"], input);
  const [, status] = /status: (\w+)/.exec(output) ?? [];
  if (status === undefined) throw new Error(output);
  return status;
}
