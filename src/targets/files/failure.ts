import { basename } from "node:path";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Name, relativeTo, withoutDot } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import type { TransferError } from "../../dns/transfer/transfer-error.ts";
import type { Id } from "../../dns/zone/desired-live.ts";
import { type ServerAddress, serverText } from "../../dns-client/server-address.ts";
import { fileErrorReason } from "../../formats/files.ts";
import type { WriteFailure } from "../target.ts";
import type { FailedEnd } from "./program.ts";

/** A zone file that could not be read or written, or that no server has loaded. */
export class FilesError extends ProblemError {
  readonly failure: WriteFailure;

  constructor(failure: WriteFailure, id: ProblemId, summary: string, more: { fix?: Fix; owner?: Name } = {}) {
    super(problem(id, summary, more));
    this.name = "FilesError";
    this.failure = failure;
  }
}

/** A zone as messages show it. */
export function showZone(zone: Name): string {
  return escapeControl(withoutDot(zone));
}

/** The folder of a target that cannot be used. */
export function folderError(folder: string, error: unknown): FilesError {
  return new FilesError(
    "unavailable",
    "files/folder",
    `the folder ${folder} cannot be read: ${fileErrorReason(error)}`,
    {
      fix: "Create it, or mount it; then check `folder` of the target.",
    },
  );
}

/** A file of the folder that cannot be read. */
export function unreadableError(file: string, error: unknown): FilesError {
  return new FilesError("refused", "files/read", `${file} cannot be read: ${fileErrorReason(error)}`, {
    fix: "Make it a regular file that this user may read, or restore it.",
  });
}

/** A file of the folder that is no valid zone file. Without it, only a server knows the serial to be above. */
export function invalidFileError(
  zone: Name,
  file: string,
  [first]: readonly Problem[],
  server?: ServerAddress,
): FilesError {
  const at = first?.place ? `${first.place.file}:${first.place.line}:${first.place.column}` : file;
  const summary = `${showZone(zone)}: the file of the name server cannot be read: ${at}: ${String(first?.summary)}`;
  return new FilesError("refused", "files/read", summary, {
    fix: server
      ? "Restore it, or remove it: the next apply writes it again."
      : "Restore it: a new file could have a serial that secondaries ignore. Or name a server that loads the files in `verify_at`, and remove it: the next apply writes it again.",
    owner: zone,
  });
}

/** A zone whose name is too long for the name of a file. Lengths are in octets. */
export function longNameError(zone: Name, [length, longest]: readonly [number, number]): FilesError {
  const summary = `${showZone(zone)}: its zone file would have a name of ${length} octets; at most ${longest} fit`;
  return new FilesError("invalid", "files/name", summary, {
    fix: "Serve it with a target of another kind.",
    owner: zone,
  });
}

/** A file that cannot be written. What stood there stays. */
export function writeError(zone: Name, file: string, error: unknown): FilesError {
  const summary = `${showZone(zone)}: ${file} cannot be written: ${fileErrorReason(error)}; the old file stays`;
  return new FilesError("unavailable", "files/write", summary, {
    fix: isFull(error)
      ? "Make room on the disk, then apply again."
      : "Make the folder writable for this user, then apply again.",
    owner: zone,
  });
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}

/** A zone without a file; with `record`, a file without this record. */
export function missingZoneError(zone: Name, record?: Id): FilesError {
  const what =
    record === undefined ? "there is no file of the zone" : `the file does not have ${escapeControl(String(record))}`;
  return new FilesError("gone", "files/gone", `${showZone(zone)}: ${what} any more`, {
    fix: "Someone else may have removed it. Make a new plan.",
    owner: zone,
  });
}

export function existsError(zone: Name, file: string): FilesError {
  return new FilesError("invalid", "files/exists", `${showZone(zone)}: ${file} exists already`, {
    fix: "Someone else may have written it. Make a new plan.",
    owner: zone,
  });
}

export function changedError(zone: Name, file: string): FilesError {
  const summary = `${showZone(zone)}: someone else changed ${file} since it was read`;
  return new FilesError("changed", "files/changed", summary, {
    fix: "Make a new plan, which shows the change.",
    owner: zone,
  });
}

/** A CNAME beside other records of its name (RFC 1034 §3.6.2). */
export function crowdedNameError(zone: Name, owner: Name): FilesError {
  const summary = `${showZone(zone)}: a CNAME record of ${escapeControl(relativeTo(owner, zone))} would stand beside its other records`;
  return new FilesError("invalid", "files/cname", summary, {
    fix: "Remove the other records of this name, or the CNAME.",
    owner,
  });
}

export function optionError(zone: Name): FilesError {
  const summary = `${showZone(zone)}: the programs of the target would take the name of the zone for an option`;
  return new FilesError("invalid", "files/option", summary, {
    fix: "Write it after a prefix in `check` and `reload`, such as zone={zone}.",
    owner: zone,
  });
}

/** A check that rejects the new file of a zone that has one, or of a new zone. */
export function checkError(zone: Name, program: string, end: FailedEnd, isNew: boolean): FilesError {
  const name = escapeControl(program);
  if (end.state === "missing") return programError("check", name, end.reason);
  const how = end.state === "late" ? "did not finish its check of" : "rejects";
  const summary = `${showZone(zone)}: ${name} ${how} the new file, so ${isNew ? "it is not written" : "the old one stays"}: ${end.reason}`;
  return new FilesError("invalid", "files/check", summary, { fix: "Correct the zone, then apply again.", owner: zone });
}

/** A reload that failed: the new file is there, and the server has not loaded it, perhaps because of BIND's journal. */
export function reloadError(zone: Name, words: readonly string[], end: FailedEnd, journal?: string): FilesError {
  const name = escapeControl(words[0] ?? "");
  if (end.state === "missing") return programError("reload", name, end.reason);
  const isLate = end.state === "late";
  const how = isLate ? "may not have loaded it" : "did not load it";
  const summary = `${showZone(zone)}: the new file is written, but the server ${how}: ${name}: ${end.reason}`;
  const hint = journal === undefined ? "" : ` If its journal is out of sync with the zone, remove ${journal}.`;
  const cause = causeOf(words, end.reason) ?? `Check the log of the server.${hint}`;
  return new FilesError(isLate ? "lost" : "refused", "files/reload", summary, {
    fix: advise`${cause} The next apply loads the file again.`,
    owner: zone,
  });
}

/** The programs that control a server, their word for a zone that it does not know, and the format of its zone list. */
const controls = {
  rndc: { unknown: /no matching zone|not found/, to: "named.conf" },
  knotc: { unknown: /no such zone/, to: "knot.conf" },
  "nsd-control": { unknown: /not configured/, to: "nsd.conf" },
} as const;

/** The next step after a failure whose cause the output of the program tells. */
function causeOf(words: readonly string[], reason: string): Fix | undefined {
  const program = words.map((word) => basename(word)).find((word): word is keyof typeof controls => word in controls);
  if (program === undefined) return undefined;
  if (program === "rndc" && /rndc\.(?:key|conf)/.test(reason))
    return "Make rndc.key readable for this user, or name another key in `reload`: `-k`, FILE.";
  const { unknown, to } = controls[program];
  if (!unknown.test(reason)) return undefined;
  const command = { run: "export", with: { to, role: "primary" } } as const;
  return advise`Have the server read the list of zones that ${command} writes.`;
}

function programError(setting: "check" | "reload", program: string, reason: string): FilesError {
  return new FilesError(
    "unavailable",
    "files/program",
    `${setting}: the program ${program} cannot be started: ${reason}`,
    {
      fix: `Install it, or correct \`${setting}\` of the target.`,
    },
  );
}

/** A server that still has another serial some seconds after the reload. */
export function notLoadedError(
  zone: Name,
  server: ServerAddress,
  {
    serials: [written, served],
    hasReload,
  }: { readonly serials: readonly [number, number | undefined]; readonly hasReload: boolean },
): FilesError {
  const has = served === undefined ? "does not answer for the zone" : `has serial ${served}`;
  const summary = `${showZone(zone)}: the new file with serial ${written} is written, but ${serverText(server)} ${has}`;
  const fix = hasReload
    ? notLoadedFix(zone, served, written)
    : "Have the server load the file, as `reload` of the target does. The next apply compares the serials again.";
  return new FilesError("refused", "files/reload", summary, { fix, owner: zone });
}

function notLoadedFix(zone: Name, served: number | undefined, written: number): Fix {
  if (served !== undefined && isLater(served, written))
    return `It loads another file, or has the zone from before: Knot applies the journal of a deleted zone, which \`knotc -f zone-purge ${showZone(zone)}\` removes. The next apply writes a higher serial.`;
  const cause =
    served === undefined
      ? "It does not know the zone, or `verify_at` has another port."
      : "It loads another file, or `verify_at` has another port.";
  return advise`${cause} ${{ run: "doctor" }} asks it, and its log tells. The next apply loads the file again.`;
}

/** A server that does not reply, so that no serial of a zone without a file is known. */
export function silentServerError(zone: Name, server: ServerAddress | undefined, error: TransferError): FilesError {
  const where = server ? serverText(server) : "the server";
  const summary = `${showZone(zone)}: no file tells its serial, and ${where} does not reply: ${error.problem.summary}`;
  return new FilesError("refused", "files/serial", summary, {
    fix: "Start the server, or correct `verify_at`: the serial of the new file has to be above the one that it has.",
    owner: zone,
  });
}

/** A zone that no server has loaded yet, so that it is created again. */
export function blankNote(zone: Name, file: string): Problem {
  return problem("files/not-loaded", `${showZone(zone)}: no server has loaded ${file} yet`, {
    fix: "The next apply loads it. To give the zone up, remove the file: a server may load it when it starts.",
    owner: zone,
  });
}

/** A file that the server has not loaded yet. */
export function notLoadedNote(zone: Name, file: string, serial: number | undefined): Problem {
  const summary = `${showZone(zone)}: the server has not loaded ${file}, which a run has written with serial ${serial}`;
  return problem("files/not-loaded", summary, { fix: "The next apply loads it.", owner: zone });
}

/** A file whose serial is below that of the server, such as one of a backup: no server loads it. */
export function aheadNote(
  zone: Name,
  file: string,
  { ahead, written }: { readonly ahead?: number | undefined; readonly written: number | undefined },
): Problem {
  const summary = `${showZone(zone)}: the server has serial ${ahead}, which is above ${written}, that of ${file}, so it has not loaded the file`;
  return problem("files/not-loaded", summary, { fix: "The next apply writes a serial above it.", owner: zone });
}

/** A file without a serial above that of the file that was written last, such as an edited one, or an old copy. */
export function notRaisedNote(
  zone: Name,
  file: string,
  [serial, last]: readonly [number | undefined, number],
): Problem {
  const found =
    serial === last
      ? `${file} was edited, and has the serial ${serial} as before`
      : `the serial ${serial} of ${file} is not above ${last}, the last one written`;
  const summary = `${showZone(zone)}: ${found}: secondaries do not transfer it`;
  return problem("files/not-raised", summary, { fix: "The next apply writes a serial above it.", owner: zone });
}

/** A zone of the project that states a higher serial than the written file has. */
export function statedNote(zone: Name, stated: number, serial: number | undefined): Problem {
  const summary = `${showZone(zone)}: its zone file states serial ${stated}, which is above ${serial}, the last one written`;
  return problem("files/serial-stated", summary, { fix: "The next apply writes a serial above it.", owner: zone });
}

/** Serials so far apart that none is above them (RFC 1982 §3.2). */
export function noSerialError(zone: Name, others: readonly number[]): FilesError {
  const summary = `${showZone(zone)}: no serial is above ${others.join(" and ")}`;
  return new FilesError("invalid", "files/serial", summary, {
    fix: `Write the serial of the server, ${others.at(-1)}, into the file of the folder by hand. Then apply again.`,
    owner: zone,
  });
}

/** A zone with signatures or a digest, whose file states no serial that may be published. */
export function signedSerialError(zone: Name, serial: number | undefined, others: readonly number[]): FilesError {
  const summary = `${showZone(zone)} has RRSIG or ZONEMD records, and the serial ${serial} of its source is not above ${others.join(" and ")}`;
  return new FilesError("invalid", "files/signed", summary, {
    fix: "Sign it, or make its digest, again with a higher serial: these records cover the serial.",
    owner: zone,
  });
}

/** A zone with signatures or a digest that would not be written as its source is. */
export function signedContentError(zone: Name): FilesError {
  const summary = `${showZone(zone)} has RRSIG or ZONEMD records, so it is written only as a BIND zone file with exactly these records; the source has others`;
  return new FilesError("invalid", "files/signed", summary, {
    fix: "Sign the zone that is to be published, or make its digest, and apply all of its changes together.",
    owner: zone,
  });
}
