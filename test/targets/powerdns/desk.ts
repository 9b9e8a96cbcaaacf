import { guards } from "../../../src/planner/blocks/guards.ts";
import { Desk } from "../../cli/run.ts";
import { apiKey } from "./servers.ts";

export const allowed = guards.map(({ guard }) => guard).join(",");

/** A project with zones of a PowerDNS, whose key is in no output. */
export function openDesk(url: string, files: Readonly<Record<string, string>>, settings = ""): Desk {
  const desk = new Desk({
    "zonewright.yaml": `targets: { cluster: { kind: powerdns, url: "${url}", api_key_file: keys/pdns${settings} } }\nzones: { path: zones, targets: cluster }\n`,
    "keys/pdns": `${apiKey}\n`,
    ".gitignore": "keys/\n",
    ...files,
  });
  desk.secrets.push(apiKey);
  return desk;
}
