import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mostRealZones } from "../real-zones.ts";
import type { Format } from "./judge.ts";

const cases = resolve(import.meta.dirname, "../cases");

/** Files to start from: our own cases, good and bad, and with `withReal` real zones. */
export function corpus(withReal: boolean): Readonly<Record<Format, readonly string[]>> {
  const zones = [...texts(join(cases, "zones/ok")), ...texts(join(cases, "zones/ko"))];
  const own = {
    bind: zones.filter(({ file }) => file.endsWith(".zone")).map(({ text }) => text),
    yaml: zones.filter(({ file }) => file.endsWith(".yaml")).map(({ text }) => text),
    octodns: [...texts(join(cases, "octodns/ok")), ...texts(join(cases, "octodns/ko"))]
      .filter(({ file }) => file.endsWith(".yaml"))
      .map(({ text }) => text),
  };
  if (!withReal) return own;
  const of = (folder: string) => texts(folder).map(({ text }) => text);
  const { bind, octodns } = mostRealZones;
  return { ...own, bind: [...own.bind, ...of(bind)], octodns: [...own.octodns, ...of(octodns)] };
}

/** The data of every case of every record type, behind its type: `MX 10 mail`. */
export function recordCases(): readonly string[] {
  return texts(join(cases, "records")).flatMap(({ file, text }) =>
    text.split("\n").flatMap((line) => {
      const data = /^(?:OK|KO|STRICT) (.*)=> /.exec(line)?.[1];
      return data === undefined ? [] : [`${file.slice(0, -4).toUpperCase()} ${data}`];
    }),
  );
}

/** Octets, one character for each. What is far longer than the rest would only make the search slow. */
function texts(folder: string): { file: string; text: string }[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), "latin1") }))
    .filter(({ text }) => text.length <= 20_000);
}
