import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { FilterNode, Operator, Scalar } from "../../contract/filter.ts";
import type { Tables } from "./tables.ts";

/** The comparison of an attribute, and the expression that orders a list by it. */
export interface Attribute {
  compare(operator: Operator, value: Scalar): Expression<SqlBool>;
  readonly order: Expression<unknown>;
  /** Cost of one comparison, in nanoseconds; 60 by default. */
  readonly cost?: number;
  /** Octets of the attribute in a row, if they may be many. */
  readonly octets?: Expression<number>;
  /** Whether an index finds the rows that pass a comparison. */
  readonly isIndexed?: (operator: Operator, value: Scalar) => boolean;
}

export type Attributes = Readonly<Record<string, Attribute>>;

const eb = expressionBuilder<Tables>();

/** A filter as an SQL condition; every value in it is a bound parameter. */
export function condition(node: FilterNode, attributes: Attributes): Expression<SqlBool> {
  if (node.kind === "compare") return attributeOf(attributes, node.attribute).compare(node.operator, node.value);
  const parts = node.parts.map((part) => condition(part, attributes));
  return node.kind === "and" ? eb.and(parts) : eb.or(parts);
}

/** The comparisons of which all must pass and an index finds the rows, and the rest of the filter. */
export function splitByIndex(node: FilterNode, attributes: Attributes): { indexed: FilterNode[]; rest: FilterNode } {
  const indexed: FilterNode[] = [];
  const restOf = (node: FilterNode): FilterNode[] => {
    if (node.kind === "and") return node.parts.flatMap(restOf);
    if (node.kind !== "compare") return [node];
    const { attribute, operator, value } = node;
    if (!attributeOf(attributes, attribute).isIndexed?.(operator, value)) return [node];
    indexed.push(node);
    return [];
  };
  const parts = restOf(node);
  return { indexed, rest: { kind: "and", parts } };
}

/** Every filterable attribute of the table of endpoints must have a column here. */
export function attributeOf(attributes: Attributes, name: string): Attribute {
  const attribute = attributes[name];
  if (attribute === undefined) throw new Error(`no column for the filterable attribute ${name}`);
  return attribute;
}

/**
 * A text column, compared with regard to letter case (decisions/service#x-filter). Null equals null and
 * differs from any text. A value of another type equals none and is neither before nor after any.
 */
export function textAttribute(column: Expression<string | null>): Attribute {
  return { compare: (operator, value) => compareText(column, operator, value), order: column };
}

/** A text column whose values may be so long that their octets count. */
export function longTextAttribute(column: Expression<string>): Attribute {
  return { ...textAttribute(column), cost: 600, octets: eb.fn<number>("octet_length", [column]) };
}

/**
 * A column of lower-case names: RFC 4343 compares them without regard to the case of ASCII letters. Lists are ordered
 * by it too, so that `+gt` and `+order_by` agree.
 */
export function caseInsensitive(lowered: Expression<string>): Attribute {
  return { compare: (operator, value) => compareText(lowered, operator, lowerCase(value)), order: lowered };
}

/** A column of texts in lower case, such as tags, compared and ordered without regard to the case of any letter. */
export function caseBlind(lowered: Expression<string>): Attribute {
  return {
    compare: (operator, value) =>
      compareText(lowered, operator, typeof value === "string" ? value.toLowerCase() : value),
    order: lowered,
  };
}

/** Only ASCII letters, as in names: `Straße` keeps its others. */
function lowerCase(value: Scalar): Scalar {
  return typeof value === "string" ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;
}

/** `name` where `isName` holds, else `other`. */
export function either(isName: Expression<SqlBool>, name: Attribute, other: Attribute): Attribute {
  return {
    compare: (operator, value) =>
      eb.or([
        eb.and([isName, name.compare(operator, value)]),
        eb.and([eb.not(isName), other.compare(operator, value)]),
      ]),
    order: eb.case().when(isName).then(name.order).else(other.order).end(),
  };
}

/** An attribute that is null in every row. PostgreSQL cannot order by a bare constant. */
export const constant: Attribute = textAttribute(sql`(select null)`);

/** An attribute that is this text in every row. */
export function always(value: string): Attribute {
  return textAttribute(sql`(select cast(${value} as text))`);
}

/** An attribute that is false in every row. */
export const neverTrue: Attribute = boolean(sql`(select 0)`);

/**
 * A list in other rows, of which any entry matches; `+neq` means that it has no such entry. Lists are ordered by the
 * first entry. `entries` is `from … where …`.
 */
export function anyOf(entry: Attribute, entries: RawBuilder<unknown>, position: RawBuilder<unknown>): Attribute {
  return {
    compare(operator, value) {
      const matches = entry.compare(operator === "+neq" ? "=" : operator, value);
      const exists = sql<SqlBool>`exists (select 1 ${entries} and (${matches}))`;
      return operator === "+neq" ? eb.not(exists) : exists;
    },
    cost: 3000,
    order: sql`(select ${entry.order} ${entries} order by ${position} limit 1)`,
  };
}

/**
 * A list that is stored as JSON, of numbers or of texts without commas and quotes. An entry can be equal to a value or
 * contain it, and is neither before nor after any. Lists are ordered by their entries; the empty one comes first.
 */
export function jsonList(column: Expression<string>): Attribute {
  const contains = (text: string) => sql<SqlBool>`replace(${column}, ${text}, '') <> ${column}`;
  const hasEntry = (value: Scalar) => {
    const entry = JSON.stringify(value);
    return eb.or([`[${entry}]`, `[${entry},`, `,${entry},`, `,${entry}]`].map(contains));
  };
  return {
    compare(operator, value) {
      if (operator === "=") return hasEntry(value);
      if (operator === "+neq") return eb.not(hasEntry(value));
      const isPart = operator === "+contains" && typeof value === "string" && !/[[\]",\\]/.test(value);
      return isPart ? (value === "" ? eb(column, "<>", "[]") : contains(value)) : eb.lit(false);
    },
    cost: 600,
    order: eb.fn<string | null>("nullif", [column, eb.val("[]")]),
  };
}

/** A column of whole numbers. A value of another type equals none and is neither before nor after any. */
export function number(column: Expression<number>): Attribute {
  return { compare: (operator, value) => compareNumber(column, operator, value), order: column };
}

/** A column of whole numbers or null, which differs from any number. */
export function numberOrNull(column: Expression<number | null>): Attribute {
  return {
    compare(operator, value) {
      if (value === null) return compareText(sql<null>`${column}`, operator, null);
      const compared = compareNumber(column, operator, value);
      return operator === "+neq" ? eb.or([eb(column, "is", null), compared]) : compared;
    },
    order: column,
  };
}

/** A column of amounts of 10⁻⁴ US dollars, which replies show in dollars, as numbers or as numerals. */
export function dollars(column: Expression<number>): Attribute {
  const stored = (value: Scalar) => {
    const shown = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof shown === "number" && Number.isFinite(shown) ? Number((shown * 10_000).toFixed(4)) : null;
  };
  return { compare: (operator, value) => compareNumber(column, operator, stored(value)), order: column };
}

/** A column of 0 and 1. A value other than true and false equals none and is neither before nor after any. */
export function boolean(column: Expression<number>): Attribute {
  return {
    compare: (operator, value) => compareNumber(column, operator, typeof value === "boolean" ? Number(value) : null),
    order: column,
  };
}

/**
 * An id that is a number in one column or a text in the other. A number also means its decimal text. Lists are ordered
 * by the number. `either` is the text of the id, whichever column has it, by which an index finds rows.
 */
export function numberOrText(
  numbers: Expression<number | null>,
  texts: Expression<string | null>,
  either: Expression<string>,
): Attribute {
  return {
    compare: (operator, value) => {
      if (value === null) return compareText(sql<string | null>`${either}`, operator, null);
      if (operator === "=") {
        const isId = eb(either, "=", String(value));
        return typeof value === "number" ? isId : eb.and([isId, compareText(texts, operator, value)]);
      }
      if (typeof value !== "number") return compareText(texts, operator, value);
      const number = compareNumber(numbers, operator, value);
      return operator === "+neq"
        ? eb.and([eb.or([eb(numbers, "is", null), number]), eb(texts, "is distinct from", String(value))])
        : number;
    },
    order: numbers,
    isIndexed: (operator, value) => operator === "=" && value !== null,
  };
}

/** An attribute of which an index finds the rows with one value, and for `from` also those from a value on. */
export function indexAttribute(attribute: Attribute, kind: "one" | "from"): Attribute {
  const operators: readonly Operator[] = kind === "one" ? ["="] : ["=", "+gt", "+gte"];
  return { ...attribute, isIndexed: (operator, value) => operators.includes(operator) && value !== null };
}

function compareNumber(column: Expression<number | null>, operator: Operator, value: Scalar): Expression<SqlBool> {
  if (typeof value !== "number" || operator === "+contains") return eb.lit(operator === "+neq");
  // Databases treat fractions, and numbers beyond their integers, differently.
  const roundSafely = (round: (value: number) => number) =>
    Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, round(value)));
  switch (operator) {
    case "=":
      return Number.isSafeInteger(value) ? eb(column, "=", value) : eb.lit(false);
    case "+neq":
      return Number.isSafeInteger(value) ? eb(column, "<>", value) : eb.lit(true);
    case "+gt":
      return eb(column, ">", roundSafely(Math.floor));
    case "+gte":
      return eb(column, ">=", roundSafely(Math.ceil));
    case "+lt":
      return eb(column, "<", roundSafely(Math.ceil));
    case "+lte":
      return eb(column, "<=", roundSafely(Math.floor));
  }
}

function compareText(column: Expression<string | null>, operator: Operator, value: Scalar): Expression<SqlBool> {
  if (value === null) {
    if (operator === "=") return eb(column, "is", null);
    return operator === "+neq" ? eb(column, "is not", null) : eb.lit(false);
  }
  if (typeof value !== "string") return eb.lit(operator === "+neq");
  switch (operator) {
    case "=":
      return eb(column, "=", value);
    case "+neq":
      return eb(column, "is distinct from", value);
    case "+gt":
      return eb(column, ">", value);
    case "+gte":
      return eb(column, ">=", value);
    case "+lt":
      return eb(column, "<", value);
    case "+lte":
      return eb(column, "<=", value);
    case "+contains":
      // `like` and search functions differ between databases, in name or in letter case; `replace` does not.
      if (value === "") return eb(column, "is not", null);
      return eb(sql<string>`replace(${column}, ${value}, '')`, "<>", column);
  }
}
