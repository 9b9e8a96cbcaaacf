import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { normal } from "../../formats/named.ts";

const run = promisify(execFile);

export interface DigOptions {
  readonly program?: "dig" | "kdig";
  readonly key?: Key;
  readonly flags?: readonly string[];
}

/** The records that BIND's dig, or Knot's kdig, reads in an answer, in canonical form. @throws when it complains. */
export async function dig({ host, port }: ServerAddress, name: string, type: string, options: DigOptions = {}) {
  const { program = "dig", key, flags = [] } = options;
  const secret = secretOf(key);
  const own = program === "dig" ? ["-r", "+onesoa", "+noidnout"] : ["+noidn"];
  const words = [`@${host}`, "-p", String(port), ...secret, name, type, "+noall", "+answer", "+time=20", ...flags];
  const { stdout, stderr } = await run(program, [...own, ...words], { encoding: "latin1", maxBuffer: 2 ** 28 });
  const complaint = /.*(?:verif|fail|error).*/i.exec(`${stdout.replace(/^[^;].*$/gm, "")}${stderr}`);
  if (complaint) throw new Error(complaint[0]);
  return normal(stdout).split("\n");
}

function secretOf(key: Key | undefined): string[] {
  return key ? ["-y", `${key.algorithm}:${key.name}:${Buffer.from(key.secret).toString("base64")}`] : [];
}

/** The zones that BIND's dig transfers, by name, with one SOA record each; a single dig asks for all of them. */
export async function transferZones(
  { host, port }: ServerAddress,
  zones: readonly string[],
  key?: Key,
): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-dig-"));
  try {
    const queries = join(folder, "queries");
    const flags = "+noidnout +onesoa +nosplit +noall +answer";
    const query = (zone: string) => `@${host} -p ${port} ${flags} ${zone} AXFR\n`;
    writeFileSync(queries, zones.map(query).join(""));
    const { stdout } = await run("dig", ["-r", ...secretOf(key), "-f", queries], {
      encoding: "latin1",
      maxBuffer: 2 ** 28,
    });
    const complaint = /^;.*fail.*/im.exec(stdout);
    if (complaint) throw new Error(complaint[0]);
    // Each transfer begins with the SOA record.
    const texts = stdout.split(/^(?=\S+\s+\d+\s+IN\s+SOA\s)/m).filter((text) => /^[^;\s]/.test(text));
    return new Map(texts.map((text) => [text.replace(/\s.*$/s, ""), text]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
