import { isAbsolute, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ProblemError } from "../../diagnostics/problem.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { isType } from "../../dns/zone/zone.ts";
import { readServer } from "../../dns-client/server-address.ts";
import { statIfPresent } from "../../file-system.ts";
import { findZoneFiles, originOf, readBytes, readZoneRef, type ZoneFileRef } from "../../formats/files.ts";
import { readerOf, readers } from "../../formats/readers.ts";
import { filesTarget } from "../../targets/files/target.ts";
import type { FilesOptions } from "../../targets/files/zone-publisher.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { type Connection, type Connector, readingConnection } from "./connection.ts";

/** A folder of zone files, which needs no token or key. */
export const filesConnector: Connector = {
  connect: (context, project, _, action) => action(connectionOf(context, project)),
  connectToRead: async (context, project, _, action) => action(readingConnection(connectionOf(context, project))),
};

function connectionOf(context: RunContext, project: Project): Connection {
  const { view, root, file } = project;
  if (view?.kind !== "files") throw new Error("the project is for a target of another kind");
  const folder = resolve(root, view.folder);
  const { serial = "unixtime", check, reload, verify_at } = view;
  const target = filesTarget({
    folder,
    serial,
    check,
    reload,
    verifyAt: verify_at === undefined ? undefined : readServer(verify_at, `targets.${view.name}.verify_at in ${file}`),
    sourceOf: sourcesOf(project),
    cwd: root,
    env: context.env,
    endGroup: context.endGroup,
    now: () => context.now().getTime(),
    sleep: context.sleep,
  });
  // The same for every checkout: a published snapshot is of this folder, wherever the project is.
  const api = isAbsolute(view.folder) ? pathToFileURL(folder).href : `file:${normalize(view.folder)}`;
  return { target, kind: "files", api, name: view.name };
}

/** The zone files of the project by zone. Most are named after it; all are read once one is not. */
function sourcesOf({ folders, settings }: Project): FilesOptions["sourceOf"] {
  let byFile: ReadonlyMap<string, ZoneFileRef> | undefined;
  let byZone: ReadonlyMap<NameKey, ZoneFileRef> | undefined;
  // A file that cannot be read is that of another zone: this one was read before.
  const read = (ref: ZoneFileRef) => readable(() => ({ ref, found: readZoneRef(ref, settings) }));
  const readAs = (ref: ZoneFileRef | undefined, zone: Name) => {
    const source = ref && read(ref);
    return source && nameKey(source.found.zone.name) === nameKey(zone) ? source : undefined;
  };
  const find = (zone: Name) => {
    byFile ??= new Map(
      folders
        .filter(({ path }) => statIfPresent(path))
        .flatMap(({ path, file, ...more }) => findZoneFiles(path, file, more, () => {}).files)
        .toReversed() // the first of each
        .map((ref) => [originOf(ref.file), ref]),
    );
    const named = readAs(byFile.get(nameKey(zone)), zone);
    if (named) return named;
    byZone ??= new Map(
      [...byFile.values()].flatMap((ref) => {
        const source = read(ref);
        return source ? [[nameKey(source.found.zone.name), ref]] : [];
      }),
    );
    return readAs(byZone.get(nameKey(zone)), zone);
  };
  return async (zone) => {
    const source = find(zone);
    if (!source) return undefined;
    const { ref, found } = source;
    const isBind = ref.format === undefined && readerOf(ref.file) === readers.bind;
    const text = isBind ? { file: ref.file, bytes: readBytes(ref.path, ref.file) } : undefined;
    return { text, serial: found.zone.records.find((record) => isType(record, "SOA"))?.data.serial };
  };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}
