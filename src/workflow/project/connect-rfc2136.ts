import { createHmac } from "node:crypto";
import { problemError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, readName } from "../../dns/name/name.ts";
import { readKeys } from "../../dns/transfer/key-file.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { readServer, serverText } from "../../dns-client/server-address.ts";
import { findZoneFiles, originOf } from "../../formats/files.ts";
import { rfc2136Target } from "../../targets/rfc2136/target.ts";
import type { Connection, Connector } from "./connection.ts";
import type { Project } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { findTargetSecret, type ResolvedSetting } from "./target-secret.ts";

/** A name server that takes dynamic updates. Without a key it has to know the address of this machine. */
export const rfc2136Connector: Connector = {
  connect: (context, project, _, action) => action(connectionOf(context, project)),
  async connectToRead(context, project, _, action) {
    const { target, api, name } = connectionOf(context, project);
    const { writes, ...reading } = target;
    return action({ target: reading, api, ...(name !== undefined && { name }) });
  },
};

function connectionOf(context: RunContext, project: Project): Connection {
  const { view } = project;
  if (view?.kind !== "rfc2136") throw new Error("the project is for a target of another kind");
  const secret = findTargetSecret(context, project, view);
  const key = secret && readKey(secret);
  const setting = (name: string) => `targets.${view.name}.${name} in ${project.file}`;
  const server = readServer(view.server, setting("server"));
  const transferFrom = view.transfer_from;
  const target = rfc2136Target({
    server,
    ...(transferFrom !== undefined && { transferFrom: readServer(transferFrom, setting("transfer_from")) }),
    key,
    zones: () => zoneNames(project),
    now: () => context.now().getTime(),
    sleep: context.sleep,
  });
  const sign = key && ((text: string) => createHmac("sha256", key.secret).update(text).digest("hex"));
  return {
    target,
    api: `dns://${serverText(server)}`,
    name: view.name,
    ...(sign && { sign }),
    ...(secret && { tokenFrom: secret.from }),
  };
}

/** @throws {ProblemError} `tsig-key` */
function readKey({ value, from }: ResolvedSetting): Key {
  const [key, other] = readKeys(value, String(from));
  if (key && !other) return key;
  throw problemError("tsig-key", `${String(from)} has several TSIG keys`, { fix: "Leave the one to sign with." });
}

/** The zones of the project, by the names of their files. */
function zoneNames({ folders }: Project): Name[] {
  const names = folders.flatMap(({ path, file, ...settings }) =>
    findZoneFiles(path, file, settings).files.map((one) => originOf(one.file)),
  );
  return [...new Set<NameKey>(names)].map((name) => readName(name));
}
