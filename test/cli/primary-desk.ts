import { chmodSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Configuration, key, startUpdateServer } from "../updates/servers.ts";
import { Desk } from "./run.ts";

/** A key file with the key of the servers. */
export const keyText = `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`;

/** A desk with a name server that has the zones `z01.example` and `z02.example`, and its key in a file. */
export async function primaryDesk(configuration: Configuration) {
  const server = await startUpdateServer(configuration, 2);
  onTestFinished(server.stop);
  for (const zone of ["z01.example.", "z02.example."]) await server.untilServed(zone);
  const desk = new Desk({ "keys/office": keyText, ".gitignore": "keys/\n" });
  chmodSync(join(desk.folder, "keys/office"), 0o600);
  desk.secrets.push(key.secret);
  desk.now = new Date(); // the server compares clocks
  const at = `127.0.0.1:${server.port}`;
  desk.shown.push([at, "SERVER"]);
  return { desk, at, port: server.port };
}
