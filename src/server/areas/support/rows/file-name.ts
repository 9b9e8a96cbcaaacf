import { attachmentEndings } from "../../../../contract/resources/ticket.ts";

/** Most octets of the name of a file: with ` (20)` it is a name that every file system takes. */
const mostOctets = 240;

/** The last part of a path, without control characters: what a file sent by a client is called. */
export function baseName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");
}

/** Why a file of this name cannot be attached to a ticket. */
export function nameProblem(name: string): string | undefined {
  const { ending, stem } = splitName(name);
  if (stem === "" || !attachmentEndings.some((known) => known === ending.toLowerCase()))
    return "File type is not supported";
  return Buffer.byteLength(name) > mostOctets ? `Must have a name of at most ${mostOctets} octets` : undefined;
}

/** The name, or with ` (2)`, ` (3)` … before its ending if there are files of that name, in any letter case. */
export function unusedName(name: string, used: readonly string[]): string {
  const taken = new Set(used.map((one) => one.toLowerCase()));
  const { stem, ending } = splitName(name);
  let unused = name;
  for (let number = 2; taken.has(unused.toLowerCase()); number++) unused = `${stem} (${number})${ending}`;
  return unused;
}

function splitName(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? { stem: name, ending: "" } : { stem: name.slice(0, dot), ending: name.slice(dot) };
}
