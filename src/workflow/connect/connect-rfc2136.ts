import { createHmac } from "node:crypto";
import { problemError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, readName } from "../../dns/name/name.ts";
import { readKeys } from "../../dns/transfer/key-file.ts";
import type { Key } from "../../dns/transfer/tsig.ts";
import { readServer, type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { findZoneFiles, originOf } from "../../formats/files.ts";
import { rfc2136Target } from "../../targets/rfc2136/target.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type Connection, type Connector, readingConnection } from "./connection.ts";
import { findTargetSecret, missingSecret, type ResolvedSetting } from "./target-secret.ts";

/** A name server that takes dynamic updates. Without a key it has to know the address of this machine. */
export const rfc2136Connector: Connector = {
  connect: (context, project, _, action) => action(connectionOf(context, project)),
  connectToRead: async (context, project, { zoneNames }, action) =>
    action(readingConnection(connectionOf(context, project, zoneNames))),
};

function connectionOf(context: RunContext, project: Project, given?: readonly Name[]): Connection {
  const { name, server, transferFrom, key, secret } = findPrimary(context, project);
  const target = rfc2136Target({
    server,
    ...(transferFrom !== server && { transferFrom }),
    key,
    zones: () => given ?? namesOfFiles(project),
    now: () => context.now().getTime(),
    sleep: context.sleep,
  });
  const sign = key && ((text: string) => createHmac("sha256", key.secret).update(text).digest("hex"));
  return {
    target,
    kind: "rfc2136",
    api: `dns://${serverText(server)}`,
    name,
    ...(sign && { sign }),
    ...(secret && { tokenFrom: secret.from }),
    ...(secret?.file !== undefined && { tokenFile: secret.file }),
  };
}

/** The name server of a target, and the key to sign with. */
interface Primary {
  /** The name of the target. */
  readonly name: string;
  readonly server: ServerAddress;
  /** The server to transfer zones from; often the primary itself. */
  readonly transferFrom: ServerAddress;
  readonly key: Key | undefined;
  readonly secret: ResolvedSetting | undefined;
}

/**
 * The primary of the project's target, and its key.
 * @throws {ProblemError} `tsig-key`, `token-missing`
 */
export function findPrimary(context: Pick<RunContext, "env">, project: Project): Primary {
  const { view, targets } = project;
  if (view?.kind !== "rfc2136") throw new Error("the project is for a target of another kind");
  const common = targets.length === 1 ? context.env[commonVariable]?.trim() : undefined;
  const secret =
    findTargetSecret(context, project, view) ?? (common ? { value: common, from: commonVariable } : undefined);
  // In CI, a file of the config is not read, and a secret that is not set is an empty variable.
  const { variable = "" } = view;
  const isMissing = view.tsig_key_file !== undefined || context.env[variable] !== undefined;
  if (secret === undefined && isMissing) throw missingSecret(view);
  const read = (text: string, setting: string) =>
    readServer(text, `targets.${view.name}.${setting} in ${project.file}`);
  const server = read(view.server, "server");
  const transferFrom = view.transfer_from === undefined ? server : read(view.transfer_from, "transfer_from");
  return { name: view.name, server, transferFrom, key: secret && readKey(secret), secret };
}

/** The key of imports by transfer, and of a project with one target. */
const commonVariable = "ZONEWRIGHT_TSIG_KEY";

/** @throws {ProblemError} `tsig-key` */
function readKey({ value, from }: ResolvedSetting): Key {
  const [key, other] = readKeys(value, String(from));
  if (key && !other) return key;
  throw problemError("tsig-key", `${String(from)} has several TSIG keys`, { fix: "Leave the one to sign with." });
}

/** The zones of the project, by the names of their files. */
function namesOfFiles({ folders }: Project): Name[] {
  const names = folders.flatMap(({ path, file, ...settings }) =>
    findZoneFiles(path, file, settings).files.map((one) => originOf(one.file)),
  );
  return [...new Set<NameKey>(names)].map((name) => readName(name));
}
