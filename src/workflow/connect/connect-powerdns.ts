import { createHmac } from "node:crypto";
import { findProxies } from "../../client/proxy.ts";
import { createSend } from "../../client/send.ts";
import { powerDnsTarget } from "../../targets/powerdns/target.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type Connection, type Connector, readingConnection } from "./connection.ts";
import { findTargetSecret, missingSecret } from "./target-secret.ts";

/** A PowerDNS with its HTTP API. */
export const powerDnsConnector: Connector = {
  connect: callPowerDns,
  connectToRead: (context, project, _, action) =>
    callPowerDns(context, project, _, (connection) => action(readingConnection(connection))),
};

/** Replies contain whole zones: up to 4 million RRsets of 130 octets. JavaScript has no much longer string. */
const maxBytes = 500 * 1024 * 1024;

async function callPowerDns<T>(
  context: RunContext,
  project: Project,
  _: unknown,
  action: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { view } = project;
  if (view?.kind !== "powerdns") throw new Error("the project is for a target of another kind");
  const { name, url, server_id: serverId = "localhost" } = view;
  const key = findTargetSecret(context, project, view);
  if (key === undefined) throw missingSecret(view);
  const send = createSend({ maxBytes, proxies: findProxies(context.env) });
  try {
    const { target, address } = powerDnsTarget({ url, serverId, key: key.value, send });
    return await action({
      target,
      kind: "powerdns",
      api: address,
      name,
      sign: (text) => createHmac("sha256", key.value).update(text).digest("hex"),
      tokenFrom: key.from,
      ...(key.file !== undefined && { tokenFile: key.file }),
    });
  } finally {
    await send.close();
  }
}
