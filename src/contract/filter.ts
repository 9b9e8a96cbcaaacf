import { reasons } from "./errors.ts";

export type Scalar = string | number | boolean | null;

/** Condition on an attribute: a value for equality, or one or more operators that must all match. */
export type Condition =
  | Scalar
  | { "+gt"?: Scalar; "+gte"?: Scalar; "+lt"?: Scalar; "+lte"?: Scalar; "+neq"?: Scalar; "+contains"?: string };

/**
 * The object of an `X-Filter` header (decisions/service#x-filter). All of its keys must match; `+and` and `+or` nest.
 */
export interface Filter {
  "+and"?: Filter[];
  "+or"?: Filter[];
  "+order_by"?: string;
  "+order"?: "asc" | "desc";
  [attribute: string]: Condition | Filter[] | undefined;
}

/** Conditions on some of the attributes of a list. */
export type Conditions<Attribute extends string> = { [Name in Attribute]?: Condition | undefined } & {
  "+and"?: Conditions<Attribute>[];
  "+or"?: Conditions<Attribute>[];
};

/** A filter of a list that can be filtered by and ordered on these attributes. */
export type FilterOn<Attribute extends string> = Conditions<Attribute> & {
  "+order_by"?: Attribute;
  "+order"?: "asc" | "desc";
};

/** A valid filter: a tree of comparisons, and an order. */
export interface FilterQuery {
  where: FilterNode;
  orderBy?: { attribute: string; descending: boolean };
}

export type FilterNode =
  | { kind: "and" | "or"; parts: FilterNode[] }
  | { kind: "compare"; attribute: string; operator: Operator; value: Scalar };

export const operators = ["+gt", "+gte", "+lt", "+lte", "+neq", "+contains"] as const;
export type Operator = "=" | (typeof operators)[number];

/** A filter that the service rejects. `reason` is the text of its 400, on the field `X-Filter`. */
export class FilterError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "FilterError";
    this.reason = reason;
  }
}

const deepest = 20;

/**
 * Reads the text of an `X-Filter` header. Empty text means no filter.
 * @throws {FilterError} when it is not JSON, names an attribute outside `filterable`, or has another shape.
 */
export function parseFilter(text: string, filterable: readonly string[]): FilterQuery {
  const filter = readJson(text);
  if (!isObject(filter)) throw new FilterError(reasons.filterUnusable);
  const { "+order_by": attribute, "+order": order, ...rest } = filter;
  const where = readNode(rest, filterable, 0);
  if (attribute === undefined) return { where };
  if (typeof attribute !== "string" || (order !== undefined && order !== "asc" && order !== "desc")) {
    throw new FilterError(reasons.filterUnusable);
  }
  if (!filterable.includes(attribute)) throw new FilterError(reasons.cannotFilterOn(attribute));
  return { where, orderBy: { attribute, descending: order === "desc" } };
}

function readJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new FilterError(reasons.filterNotJson);
  }
}

function readNode(filter: unknown, filterable: readonly string[], depth: number): FilterNode {
  if (!isObject(filter) || depth > deepest) throw new FilterError(reasons.filterUnusable);
  const parts = Object.entries(filter).flatMap(([key, value]): FilterNode[] => {
    if (key === "+and" || key === "+or") {
      if (!Array.isArray(value)) throw new FilterError(reasons.filterUnusable);
      const kind = key === "+and" ? "and" : "or";
      return [{ kind, parts: value.map((part) => readNode(part, filterable, depth + 1)) }];
    }
    if (!filterable.includes(key)) throw new FilterError(reasons.cannotFilterOn(key));
    return readCondition(key, value);
  });
  return { kind: "and", parts };
}

function readCondition(attribute: string, condition: unknown): FilterNode[] {
  if (isScalar(condition)) return [{ kind: "compare", attribute, operator: "=", value: condition }];
  if (!isObject(condition)) throw new FilterError(reasons.filterUnusable);
  return Object.entries(condition).map(([key, value]) => {
    const operator = operators.find((known) => known === key);
    if (operator === undefined || !isScalar(value)) throw new FilterError(reasons.filterUnusable);
    if (operator === "+contains" && typeof value !== "string") throw new FilterError(reasons.filterUnusable);
    return { kind: "compare", attribute, operator, value };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
