import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { FilterNode, Operator, Scalar } from "../../contract/filter.ts";
import type { Tables } from "./tables.ts";

/** How one filterable attribute is compared, and what orders a list by it. */
export interface Attribute {
  compare(operator: Operator, value: Scalar): Expression<SqlBool>;
  readonly order: Expression<unknown>;
}

export type Attributes = Readonly<Record<string, Attribute>>;

const eb = expressionBuilder<Tables>();

/** A filter as an SQL condition; every value in it is a bound parameter. */
export function condition(node: FilterNode, attributes: Attributes): Expression<SqlBool> {
  if (node.kind === "compare") return attributeOf(attributes, node.attribute).compare(node.operator, node.value);
  const parts = node.parts.map((part) => condition(part, attributes));
  return node.kind === "and" ? eb.and(parts) : eb.or(parts);
}

/** The filter reader lets only the attributes of the table of endpoints through, and each of them must be known here. */
export function attributeOf(attributes: Attributes, name: string): Attribute {
  const attribute = attributes[name];
  if (attribute === undefined) throw new Error(`no column for the filterable attribute ${name}`);
  return attribute;
}

/**
 * A text column. Letter case counts (service: X-Filter, "matches are exact"). Null equals null and differs from any text.
 * A value that is no text equals none and is neither before nor after any.
 */
export function text(column: Expression<string | null>): Attribute {
  return { compare: (operator, value) => compareText(column, operator, value), order: column };
}

/** A column of whole numbers. A value that is no number equals none and is neither before nor after any. */
export function number(column: Expression<number>): Attribute {
  return { compare: (operator, value) => compareNumber(column, operator, value), order: column };
}

function compareNumber(column: Expression<number>, operator: Operator, value: Scalar): Expression<SqlBool> {
  if (typeof value !== "number" || operator === "+contains") return eb.lit(operator === "+neq");
  // Databases differ in what they do with a fraction, and with what is beyond their integers.
  const whole = (round: (value: number) => number) =>
    Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, round(value)));
  switch (operator) {
    case "=":
      return Number.isSafeInteger(value) ? eb(column, "=", value) : eb.lit(false);
    case "+neq":
      return Number.isSafeInteger(value) ? eb(column, "<>", value) : eb.lit(true);
    case "+gt":
      return eb(column, ">", whole(Math.floor));
    case "+gte":
      return eb(column, ">=", whole(Math.ceil));
    case "+lt":
      return eb(column, "<", whole(Math.ceil));
    case "+lte":
      return eb(column, "<=", whole(Math.floor));
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
      // `like` and the functions that search differ between databases, in name or in letter case; this does not.
      if (value === "") return eb(column, "is not", null);
      return eb(sql<string>`replace(${column}, ${value}, '')`, "<>", column);
  }
}
