import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replyLines, replyTable } from "../../src/report/api/reply.ts";
import { columns } from "../../src/report/text/columns.ts";
import { lines } from "../cli/run.ts";
import { hostileTexts } from "./hostile-texts.ts";

const table = (items: unknown[], more: { wanted?: string[]; order?: string[]; width?: number } = {}) =>
  replyTable(items, { order: [], wanted: undefined, width: undefined, ellipsis: "…", ...more });

describe("a table in a pipe", () => {
  test("has the known columns in order, then others, with dotted names and whole values", () => {
    const items = [
      { extra: true, id: 1, entity: { label: "web", id: 5 }, tags: ["a", "b"], gone: null, card: {} },
      { id: 2, entity: null, tags: [], list: [{ x: 1 }] },
    ];
    expect(table(items, { order: ["id", "entity.label", "missing"] }).text).toBe(lines`
      id  entity.label  extra  entity.id  tags  gone  card  list
      1   web           true   5          a, b  -     {}    -
      2   -             -      -          -     -     -     {"x":1}
    `);
  });

  test("a wanted column may be an object, a list or missing", () => {
    const items = [{ id: 1, entity: { label: "web" }, tags: ["a"] }];
    expect(table(items, { wanted: ["tags", "entity", "entity.label", "none"] }).text).toBe(lines`
      tags  entity           entity.label  none
      a     {"label":"web"}  web           -
    `);
  });
});

describe("a table on a terminal", () => {
  const items = [{ id: 1, empty: "", name: "a name that is longer than forty columns of a terminal", last: 12 }];

  test("leaves out empty columns and those without room, and shortens long values", () => {
    expect(table(items, { width: 80 })).toEqual({
      text: lines`
        id  name                                      last
        1   a name that is l…(54 characters)…erminal  12
      `,
      omitted: [],
    });
    expect(table(items, { width: 46 })).toEqual({
      text: lines`
        id  name
        1   a name that is l…(54 characters)…erminal
      `,
      omitted: ["last"],
    });
    expect(table(items, { width: 20 })).toEqual({ text: "id\n1\n", omitted: ["name", "last"] });
  });

  test("shows wanted columns even if they are empty or wide, the widest shortened first", () => {
    expect(table(items, { width: 30, wanted: ["last", "empty", "name"] }).text).toBe(lines`
      last  empty  name
      12    -      a name th…54…inal
    `);
  });

  test("fits its width, whatever the values are", () => {
    const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.constant(null), fc.array(fc.string()));
    const item = fc.record({ id: fc.nat(999), name: value, entity: fc.record({ label: value }), note: value });
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1 }),
        fc.integer({ min: 40, max: 200 }),
        fc.boolean(),
        (items, width, all) => {
          const wanted = all ? ["id", "name", "entity.label", "note"] : undefined;
          const { text } = table(items, { width, ...(wanted && { wanted }) });
          for (const line of text.split("\n")) expect(columns(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("an object", () => {
  test("has a line for each value, for each item of a list, and for each line of a text", () => {
    const reply = {
      id: 1,
      text: "one\ntwo\r\n\nthree",
      phone: { primary: "1", secondary: null },
      tags: ["a", "b"],
      none: [],
    };
    expect(replyLines(reply, undefined)).toBe(lines`
      id               1
      text             one
                       two
                       -
                       three
      phone.primary    1
      phone.secondary  -
      tags             a
                       b
      none             -
    `);
  });

  test("wraps its texts on a terminal", () => {
    expect(replyLines({ id: 1, description: "a text of more than thirty columns" }, 30)).toBe(lines`
      id           1
      description  a text of more
                   than thirty
                   columns
    `);
  });
});

test("hostile texts are escaped in values and names, and start no line with a command of a CI", () => {
  for (const hostile of hostileTexts) {
    const reply = { [hostile]: hostile, list: [hostile, `::error::${hostile}`], text: `a\n::error::${hostile}` };
    const shown = [
      replyLines(reply, undefined),
      replyLines(reply, 40),
      table([reply]).text,
      table([reply], { width: 40 }).text,
    ];
    for (const text of shown) {
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text).not.toMatch(/^\s*::|##(?:vso)?\[/im);
    }
  }
});
