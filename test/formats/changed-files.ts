import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { formatOf } from "../../src/formats/formats.ts";
import type { FormatName } from "../../src/formats/readers.ts";

/** Files of the cases with a few changes: octets removed, repeated, replaced, or put in. */
export function changed(format: FormatName): fc.Arbitrary<string> {
  const folder = resolve(import.meta.dirname, "../cases/zones/ok");
  const files = readdirSync(folder).filter((file) => formatOf(file)?.name === format);
  const texts = files.map((file) => readFileSync(join(folder, file), "latin1"));
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
    put: fc.oneof(
      fc.constantFrom(
        ...`()";\\\n\r\t @.$#:&*{}[]|>-'!%,?`,
        "",
        "\n\n",
        "; ",
        " IN ",
        " 300 ",
        "\\999",
        "\ufeff",
        "\u00ff",
      ),
      fc.constantFrom(
        "$TTL 60\n",
        "$ORIGIN sub\n",
        "\n;@ tags: a\n",
        "\n  ",
        "&a ",
        "*a",
        "<<: ",
        "--- \n",
        " A 192.0.2.1\n",
      ),
    ),
    repeated: fc.nat(30),
  });
  return fc.tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([text, edits]) =>
    edits.reduce((text, { at, removed, put, repeated }) => {
      const offset = Math.floor(at * text.length);
      const rest = text.slice(offset + removed);
      return (
        text.slice(0, offset) +
        put +
        text.slice(Math.max(0, offset - (repeated % 7 === 0 ? repeated : 0)), offset) +
        rest
      );
    }, text),
  );
}
