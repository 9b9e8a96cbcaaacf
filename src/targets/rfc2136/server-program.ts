/** A program that serves zones, as far as its behaviour or its settings matter here. */
export type ServerProgram = "BIND" | "Knot" | "NSD" | "PowerDNS" | "Technitium";

/** BIND states its version alone. */
const beginnings: readonly (readonly [RegExp, ServerProgram])[] = [
  [/^(?:BIND|9\.\d)/i, "BIND"],
  [/^Knot/i, "Knot"],
  [/^NSD/i, "NSD"],
  [/^PowerDNS/i, "PowerDNS"],
  [/^Technitium/i, "Technitium"],
];

/** The program of a server by the text in which it states its version (`version.bind`, class CH), if that tells. */
export function programOf(version: string | undefined): ServerProgram | undefined {
  return beginnings.find(([pattern]) => pattern.test(version ?? ""))?.[1];
}

/** Texts about programs. */
type ProgramTexts = Readonly<Partial<Record<ServerProgram, string>>>;

/** The texts that are about a server: all of them if its program is unknown, none if they are about others. */
export function textsAbout(program: ServerProgram | undefined, texts: ProgramTexts): string[] {
  const own = program === undefined ? undefined : texts[program];
  return program === undefined ? Object.values(texts) : own === undefined ? [] : [own];
}
