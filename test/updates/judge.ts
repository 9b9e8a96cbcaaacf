import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { judgesFolder } from "../judges.ts";
import { type Configuration, key, startUpdateServer, zoneOfNumber } from "./servers.ts";

const run = promisify(execFile);

/** The results by row. */
export type Cells = Readonly<Record<string, string>>;

async function measure(port: number, ...words: readonly string[]): Promise<unknown> {
  const program = join(import.meta.dirname, "measure.py");
  const python = join(judgesFolder, "venv/bin/python"); // octoDNS brings dnspython
  const { stdout } = await run(python, [program, String(port), key.name, key.secret, ...words]);
  return JSON.parse(stdout);
}

/** The rows of the table; records of the types are measured on servers of their own, which they may end. */
export async function listRows(): Promise<{ rows: readonly string[]; types: readonly string[] }> {
  return (await measure(0)) as { rows: readonly string[]; types: readonly string[] };
}

/** Measures one configuration. */
export async function judge(configuration: Configuration): Promise<Cells> {
  const { rows, types } = await listRows();
  const measureOn = async (count: number, ...words: readonly string[]): Promise<Cells> => {
    const server = await startUpdateServer(configuration, count);
    try {
      await server.untilServed(zoneOfNumber(count - 1));
      return (await measure(server.port, ...words)) as Cells;
    } catch (error) {
      throw new Error(`${configuration} ${words.join(" ")}: ${error}\n${server.log().slice(-3000)}`);
    } finally {
      await server.stop();
    }
  };
  let cells = await measureOn(rows.length);
  // One after the other: the times of writers that race depend on what else runs.
  for (const type of types) cells = { ...cells, ...(await measureOn(2, type)) };
  return cells;
}
