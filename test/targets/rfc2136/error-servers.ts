import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { withoutDot } from "../../../src/dns/name/name.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { apiOf, Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { knotServer, type Running, startNameServer } from "../../dns/transfer/nameservers.ts";
import { domainName } from "../../names.ts";
import { key, zoneText } from "../../updates/servers.ts";
import { keyText, zone } from "./error-desk.ts";

/** A zone that is always served, by which a server is known to have started. */
const served = "served.example.";

const head = (folder: string, port: number) => `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 port ${port} { ::1; };
  recursion no; notify no; dnssec-validation no;
};
controls {};
${keyText()}`;

async function start(
  program: "bind" | "knot",
  config: (folder: string, port: number) => string,
  loaded: string,
): Promise<Running> {
  const write = (folder: string, port: number) => {
    writeFileSync(join(folder, "z01"), zoneText(zone));
    writeFileSync(join(folder, "other"), zoneText(zone).replaceAll("ns1", "ns9"));
    return config(folder, port);
  };
  const server = await startNameServer(program, { zones: { [served]: zoneText(served) }, config: write });
  onTestFinished(server.stop);
  // The zone itself may not be served to this test.
  while (!server.log().includes(loaded)) await wait(10);
  return server;
}

/** BIND with `z01.example`, whose zone has these lines. */
export const startBind = (...lines: readonly string[]): Promise<Running> =>
  start(
    "bind",
    (folder, port) => `${head(folder, port)}
zone "${served}" { type primary; file "0.zone"; };
zone "${zone}" { type primary; file "z01"; ${lines.join(" ")} };
`,
    "all zones loaded",
  );

/** BIND with rules of `update-policy`. */
export const startPolicy = (rules: string): Promise<Running> =>
  startBind("allow-transfer { any; };", `update-policy { ${rules} };`);

/** BIND that lets the key update all names but `z`. */
export const startForbidding = (): Promise<Running> =>
  startPolicy(`deny ${key.name} name z.${zone} ANY; grant ${key.name} zonesub ANY;`);

/** The API with `z01.example`, and its own name server, which anyone on this machine may transfer it from. */
export async function startOwn(): Promise<ServerAddress> {
  const command = "serve --port 0 --ephemeral --dns 127.0.0.1:0";
  const program = new Program(new Desk().folder, command, { ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests" });
  const { call } = await apiOf(program);
  const [, port] = await program.says(/names are answered on \S+:(\d+);/);
  const settings = { type: "master", soa_email: "hostmaster@example.com", axfr_ips: ["127.0.0.1"] };
  await call("POST", "/domains", { domain: withoutDot(domainName(zone)), ...settings });
  return { host: "127.0.0.1", port: Number(port) };
}

/** BIND with views by key: `updates` has the zone, `other` has another one of this name, and `empty` has none. */
export const startViews = (): Promise<Running> =>
  start(
    "bind",
    (folder, port) => {
      const view = (name: string, clients: string, file?: string) => `view "${name}" {
  match-clients { ${clients} };
  zone "${served}" { type primary; file "0.zone"; };
  ${file ? `zone "${zone}" { type primary; file "${file}"; allow-update { key "${name}"; }; };` : ""}
};
`;
      return `${head(folder, port)}${keyText({ name: "other." })}${keyText({ name: "empty." })}${keyText({ name: "stranger." })}
${view(key.name, `key "${key.name}";`, "z01")}${view("other.", 'key "other.";', "other")}${view("empty.", '!key "stranger."; any;')}`;
    },
    "all zones loaded",
  );

interface KnotZone {
  /** The rules of access in their order. */
  readonly rules: readonly (readonly string[])[];
  /** The lines of the zone. */
  readonly lines: readonly string[];
  readonly primary?: ServerAddress;
}

const knotText = (folder: string, port: number, { rules, lines, primary }: KnotZone) => `${knotServer(folder, port)}key:
  - id: "${key.name}"
    algorithm: hmac-sha256
    secret: "${key.secret}"
${primary ? `remote:\n  - id: primary\n    address: ${primary.host}@${primary.port}` : ""}
acl:
${rules.map((lines, index) => [`  - id: rule${index}`, `key: "${key.name}"`, ...lines].join("\n    ")).join("\n")}
zone:
  - domain: "${served}"
    file: "${folder}/0.zone"
  - domain: "${zone}"
    acl: [${rules.map((_, index) => `rule${index}`).join(", ")}]
    ${lines.join("\n    ")}
`;

/** Knot with `z01.example`, and these rules of access in their order. */
export const startKnot = (...rules: KnotZone["rules"]): Promise<Running> =>
  start(
    "knot",
    (folder, port) => knotText(folder, port, { rules, lines: [`file: "${folder}/z01"`] }),
    `[${zone}] loaded`,
  );

/** Knot as a secondary, which forwards updates to the primary, and is not notified of their effect. */
export const startForwarder = (primary: ServerAddress): Promise<Running> =>
  start(
    "knot",
    (folder, port) => {
      const lines = [`storage: "${folder}"`, "master: primary"];
      return knotText(folder, port, { rules: [["action: [transfer, update]"]], lines, primary });
    },
    "zone updated",
  );
