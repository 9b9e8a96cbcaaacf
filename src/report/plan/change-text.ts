import type { Name } from "../../dns/name/name.ts";
import { shorten } from "../text/columns.ts";
import type { Line } from "../text/line.ts";
import { palette } from "../text/palette.ts";
import { absoluteOwner } from "./changes.ts";

const { dot, ellipsis } = palette({ color: false, unicode: true });

/**
 * A change on one line: `delete old.example.com A 300 192.0.2.1 · caches may keep it for up to 5 minutes`. Values wider
 * than `valueWidth` columns are shortened in the middle.
 */
export function changeText(line: Line, zone: Name, valueWidth = Number.POSITIVE_INFINITY): string {
  const { kind, owner, typeAndTtl = [], values, marks = [], gaps = [], effects } = line;
  const texts = values.map(({ text, joint }) => {
    const short = shorten(text, { width: valueWidth, ellipsis });
    return joint === undefined ? short : `${joint} ${short}`;
  });
  const what = [kind, absoluteOwner(owner, zone), ...typeAndTtl, ...texts].join(" ");
  return [what, ...marks, ...gaps, ...effects].join(` ${dot} `);
}
