import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import pMap from "p-map";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type Name, withoutDot } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import { serverText } from "../../dns-client/server-address.ts";
import { fileErrorReason } from "../../formats/files.ts";
import type { ServiceFact } from "../target.ts";
import { showZone } from "./failure.ts";
import { wordsFor } from "./program.ts";
import type { FilesOptions, ZonePublisher } from "./zone-publisher.ts";

const zonesAtOnce = 8;

/**
 * Examines a folder of zone files without a write: whether it can be written, whether the programs are there, whether
 * the server has the files, and, where its program can be asked, whether it writes them itself.
 */
export async function examineFiles(
  publisher: ZonePublisher,
  options: FilesOptions,
  zones: readonly Name[],
): Promise<readonly ServiceFact[]> {
  const [first] = zones;
  const written = zones.filter((zone) => existsSync(publisher.folder.pathOf(zone)));
  return [
    examineFolder(
      options.folder,
      written.map((zone) => publisher.folder.pathOf(zone)),
    ),
    examineProgram("check", options),
    examineProgram("reload", options),
    ...(await examineSerials(publisher, options, written)),
    ...(first === undefined ? [] : await examineOwner(publisher, options, first)),
  ];
}

/** Links to another file system count as well: a file is replaced by one that is written beside it. */
function examineFolder(folder: string, files: readonly string[]): ServiceFact {
  const subject = "access";
  const next = "Make it a folder that this user may write.";
  try {
    if (!statSync(folder).isDirectory()) return { subject, state: "fail", text: `${folder} is not a folder`, next };
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const link = files.find((file) => lstatSync(file).isSymbolicLink());
    if (link === undefined) return { subject, state: "ok", text: `${folder} can be written` };
    const text = `${link} is a link: the file that it leads to is replaced, in its folder`;
    return { subject, state: "warn", text, next: "Let the server load the file itself." };
  } catch (error) {
    return { subject, state: "fail", text: `${folder} cannot be written: ${fileErrorReason(error)}`, next };
  }
}

function examineProgram(setting: "check" | "reload", options: FilesOptions): ServiceFact {
  const [program] = options[setting] ?? [];
  if (program === undefined) {
    const [text, next] = {
      check: [
        "none: a file is not checked before it replaces the old one",
        'Name the checker of the server, such as `check: [named-checkzone, -k, fail, "{zone}", "{file}"]`.',
      ],
      reload: [
        "none: the server has to notice new files itself",
        'Name a program, such as `reload: [rndc, reload, "{zone}"]`.',
      ],
    }[setting] as [string, string];
    return { subject: setting, state: "warn", text, next };
  }
  const shown = escapeControl(program);
  if (isProgram(program, options)) return { subject: setting, state: "ok", text: `${shown} was found` };
  const next = `Install it, or correct \`${setting}\` of the target.`;
  return { subject: setting, state: "fail", text: `${shown} was not found`, next };
}

function isProgram(program: string, { cwd, env }: FilesOptions): boolean {
  const isPath = isAbsolute(program) || program.includes("/");
  const places = isPath
    ? [resolve(cwd, program)]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  return places.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

/** Compares the serial of each file with that of the server. */
async function examineSerials(
  publisher: ZonePublisher,
  { verifyAt }: FilesOptions,
  zones: readonly Name[],
): Promise<ServiceFact[]> {
  const subject = "server";
  if (!verifyAt) {
    const text =
      "not asked: whether it has the files is known only by the end of `reload`, which some servers report too early";
    return [{ subject, state: "warn", text, next: "Name a server that loads the files in `verify_at`." }];
  }
  const server = serverText(verifyAt);
  const found = await pMap(zones, (zone) => examineSerial(publisher, zone), { concurrency: zonesAtOnce });
  if (publisher.isSilent) {
    const next = "Start the server, or correct `verify_at` of the target.";
    return [{ subject, state: "warn", text: `${server} does not reply`, next }];
  }
  const [first, ...others] = found.filter((fault) => fault !== undefined);
  if (first === undefined) {
    const text = `${server} has the serials of ${zones.length === 1 ? "the file" : `all ${count(zones.length, "file")}`}`;
    return zones.length === 0 ? [] : [{ subject, state: "ok", text }];
  }
  const more = others.length > 0 ? `, and ${count(others.length, "more zone")}` : "";
  return [{ subject, state: "warn", text: `${server} ${first.text}${more}`, next: first.next }];
}

/** The fault of the serial that the server has; once it is silent, it is asked for no more zones. */
async function examineSerial(
  publisher: ZonePublisher,
  zone: Name,
): Promise<{ readonly text: string; readonly next: string } | undefined> {
  if (publisher.isSilent) return undefined;
  const next = "Add the zone to the configuration of the server, or check its log and reload it.";
  const [written, served] = [publisher.fileSerial(zone), await publisher.servedSerial(zone)];
  if (served === undefined) return { text: `does not answer for ${showZone(zone)}`, next };
  if (written === undefined || (await publisher.isLoaded(zone, served))) return undefined;
  const text = `has serial ${served} of ${showZone(zone)}, and the file has ${written}`;
  if (!isLater(served, written)) return { text, next };
  return { text, next: "It has not loaded the file. Make a plan: the next apply writes a serial above its own." };
}

/** The programs that can be asked whether their server writes the file of a zone. */
const askers = { rndc: askBind, knotc: askKnot, "nsd-control": askNsd } as const;

/** A program of a server with words of another command in place of its reload; undefined if they are not known. */
type Ask = (...words: string[]) => Promise<string | undefined>;

async function examineOwner(publisher: ZonePublisher, options: FilesOptions, zone: Name): Promise<ServiceFact[]> {
  const { reload = [] } = options;
  const [program] = reload;
  if (program === undefined) return [];
  const name = basename(program);
  const file = publisher.folder.pathOf(zone);
  const command = reload.findIndex((word) => word === "reload" || word === "zone-reload");
  if (!(name in askers) || command < 0) {
    const text = `${escapeControl(name)} cannot be asked whether the server writes the files itself, as one that takes dynamic updates or signs in place does`;
    const next = "Check in its configuration that it only reads them.";
    return [{ subject: "owner", state: "warn", text, next }];
  }
  const before = wordsFor(reload.slice(0, command), { zone, file });
  const after = wordsFor(afterZone(reload.slice(command)), { zone, file });
  const ask: Ask = async (...words) => {
    const end = await publisher.run([...before, ...words]);
    return end.state === "done" ? end.output : undefined;
  };
  return [await askers[name as keyof typeof askers](ask, { zone, file, after })];
}

/** The words after the zone, such as class and view in `reload {zone} IN inside`. */
function afterZone(words: readonly string[]): readonly string[] {
  const place = words.findIndex((word) => word.includes("{zone}"));
  return place < 0 ? [] : words.slice(place + 1);
}

interface AskedZone {
  readonly zone: Name;
  readonly file: string;
  /** The words after the zone in the reload. */
  readonly after: readonly string[];
}

async function askBind(ask: Ask, { zone, file, after }: AskedZone): Promise<ServiceFact> {
  const subject = "owner";
  const status = await ask("zonestatus", withoutDot(zone), ...after);
  if (status === undefined) return notAsked("rndc zonestatus", zone);
  const settingOf = (key: string) => new RegExp(`^${key}: (.*)$`, "m").exec(status)?.[1];
  if (settingOf("type") !== "primary" && settingOf("type") !== "master")
    return wrongOwner(`BIND is not the primary of ${showZone(zone)}`, "Configure the zone as `type primary`.");
  if (settingOf("dynamic") === "yes")
    return wrongOwner(
      `BIND takes dynamic updates of ${showZone(zone)}, so it writes the file itself and refuses to reload it`,
      "Remove `allow-update` and `update-policy` of the zone, or make it a target of the kind rfc2136.",
    );
  const loaded = settingOf("files")?.split(", ") ?? [];
  if (loaded.length > 0 && !loaded.some((one) => isSameFile(one, file)))
    return wrongOwner(
      `BIND loads ${showZone(zone)} from ${escapeControl(loaded[0] ?? "")}`,
      "Correct `folder`, or `file` of the zone.",
    );
  return { subject, state: "ok", text: `BIND does not write the file of ${showZone(zone)}` };
}

/** A zone has the value of its own, of its template, or of the default template. */
async function askKnot(ask: Ask, { zone }: AskedZone): Promise<ServiceFact> {
  const read = async (item: string) => {
    const text = await ask("conf-read", item);
    return text === undefined ? undefined : (/ = (.*)$/m.exec(text)?.[1] ?? "");
  };
  const settingOf = async (setting: string) => {
    const own = await read(`zone[${zone}].${setting}`);
    if (own === undefined || own !== "") return own;
    const template = (await read(`zone[${zone}].template`)) || "default";
    return read(`template[${template}].${setting}`);
  };
  const [sync, load] = [await settingOf("zonefile-sync"), await settingOf("zonefile-load")];
  const journal = await settingOf("journal-content");
  if (sync === undefined && load === undefined) return notAsked("knotc conf-read", zone);
  if (sync !== "-1")
    return wrongOwner(
      `Knot writes the file of ${showZone(zone)} itself (zonefile-sync: ${sync || "0, the default"})`,
      "Set `zonefile-sync: -1` and `zonefile-load: difference`.",
    );
  if (load !== "difference")
    return wrongOwner(
      `Knot does not take the serials of the file of ${showZone(zone)} as they are (zonefile-load: ${load || "whole, the default"})`,
      "Set `zonefile-load: difference`, which refuses a lower serial.",
    );
  if (journal === "none")
    return {
      subject: "owner",
      state: "warn",
      text: `Knot keeps no changes of ${showZone(zone)} (journal-content: none), so secondaries transfer the whole zone each time`,
      next: "Set `journal-content: changes`, the default, or `all`.",
    };
  return { subject: "owner", state: "ok", text: `Knot does not write the file of ${showZone(zone)}` };
}

async function askNsd(ask: Ask, { zone }: AskedZone): Promise<ServiceFact> {
  const status = await ask("zonestatus", withoutDot(zone));
  if (status === undefined) return notAsked("nsd-control zonestatus", zone);
  if (!/^\s*state: (?:master|primary)/m.test(status))
    return wrongOwner(`NSD is not the primary of ${showZone(zone)}`, "Remove `request-xfr` of the zone.");
  return { subject: "owner", state: "ok", text: `NSD does not write the file of ${showZone(zone)}` };
}

function notAsked(question: string, zone: Name): ServiceFact {
  const text = `\`${question}\` has no answer for ${showZone(zone)}`;
  const next = "Start the server with the zone, and let this user control it.";
  return { subject: "owner", state: "warn", text, next };
}

function wrongOwner(text: string, next: string): ServiceFact {
  return { subject: "owner", state: "fail", text, next };
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return one === other;
  }
}
