/** A value of an expression of GitHub Actions. */
type Value = string | number | boolean | null | { readonly [key: string]: unknown };

/** The functions and the names that expressions may use; anything else is an error. */
export interface ExpressionContext {
  readonly names: Readonly<Record<string, unknown>>;
  readonly functions: Readonly<Record<string, () => boolean>>;
}

/**
 * Evaluates the part of GitHub's expressions that these workflows use: literals, names with dots, the operators `!`,
 * `==`, `!=`, `&&`, `||`, parentheses, and functions without arguments. Fails on everything else.
 */
export function evaluate(text: string, context: ExpressionContext): Value {
  const words = [...text.matchAll(/\s*('(?:[^']|'')*'|[\w-]+(?:\.[\w-]+)*(?:\(\))?|==|!=|&&|\|\||[!()]|\S)/g)].map(
    ([, word = ""]) => word,
  );
  let at = 0;
  const take = (word: string) => {
    if (words[at] !== word) return false;
    at++;
    return true;
  };
  const primary = (): Value => {
    if (take("!")) return !isTrue(primary());
    if (take("(")) {
      const value = either();
      if (!take(")")) throw new Error(`a parenthesis is open: ${text}`);
      return value;
    }
    const word = words[at++] ?? "";
    if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
    if (word === "true" || word === "false") return word === "true";
    if (/^\d+$/.test(word)) return Number(word);
    if (word.endsWith("()")) {
      const call = context.functions[word.slice(0, -2)];
      if (call === undefined) throw new Error(`unknown function ${word}: ${text}`);
      return call();
    }
    return find(word);
  };
  const find = (path: string): Value => {
    const [first = "", ...rest] = path.split(".");
    if (!(first in context.names)) throw new Error(`unknown name ${path}: ${text}`);
    let value = context.names[first];
    for (const key of rest) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return (value ?? null) as Value;
  };
  const comparison = (): Value => {
    const left = primary();
    if (take("==")) return isEqual(left, primary());
    if (take("!=")) return !isEqual(left, primary());
    return left;
  };
  const both = (): Value => {
    let value = comparison();
    while (take("&&")) {
      const right = comparison();
      value = isTrue(value) ? right : value;
    }
    return value;
  };
  const either = (): Value => {
    let value = both();
    while (take("||")) {
      const right = both();
      value = isTrue(value) ? value : right;
    }
    return value;
  };
  const value = either();
  if (at !== words.length) throw new Error(`not an expression that this runner knows: ${text}`);
  return value;
}

/** The text with its `${{ … }}` replaced. */
export function fill(text: string, context: ExpressionContext): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression, context) ?? ""));
}

/** Whether an `if` holds. Without a function that asks for the status, it also requires that nothing has failed. */
export function isMet(condition: string | undefined, context: ExpressionContext): boolean {
  const expression = /^\$\{\{(.*)\}\}$/s.exec(condition?.trim() ?? "")?.[1] ?? condition ?? "true";
  const asks = /\b(?:success|failure|cancelled|always)\(\)/.test(expression);
  return isTrue(evaluate(expression, context)) && (asks || (context.functions.success?.() ?? true));
}

function isTrue(value: Value): boolean {
  return value !== null && value !== false && value !== 0 && value !== "";
}

function isEqual(one: Value, other: Value): boolean {
  if (typeof one === "string" && typeof other === "string") return one.toLowerCase() === other.toLowerCase();
  if (typeof one === typeof other) return one === other;
  return numberOf(one) === numberOf(other);
}

/** Values of different types are compared as numbers. */
function numberOf(value: Value): number {
  if (value === null || value === "") return 0;
  return typeof value === "object" ? Number.NaN : Number(value);
}
