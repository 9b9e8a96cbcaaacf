import type { Case, Quantity, Ratio } from "./case.ts";

/** The lines of a case: its heading, if the case before has another one, then its name with its numbers. */
export function caseLines({ group, name, numbers = {}, ratios = {}, note }: Case, groupBefore?: string): string[] {
  const heading = group !== undefined && group !== groupBefore ? [`  ${group}`] : [];
  const parts = [
    ...Object.entries(numbers).map(([what, quantity]) => `${what} ${quantityText(quantity)}`.padEnd(22)),
    ...Object.entries(ratios).map(([what, ratio]) => `${what} ${ratioText(ratio)}`),
    ...(note === undefined ? [] : [note]),
  ];
  const indent = group === undefined ? "  " : "    ";
  return [...heading, `${indent}${name.padEnd(42)} ${parts.join("  ")}`.trimEnd()];
}

function quantityText({ value, unit }: Quantity): string {
  return unit === "/s" ? `${numberText(value)}/s` : `${numberText(value)} ${unit}`;
}

export function ratioText({ value, to, aim, spread }: Ratio): string {
  const aimed = aim === undefined ? "" : `, aim ${aim} ×`;
  const spreads = spread === undefined ? "" : ` ± ${(spread * 100).toFixed(0)} %`;
  return `${value.toFixed(2)} × ${to}${spreads}${aimed}`;
}

/** Three digits that matter, or a whole number in full. */
function numberText(value: number): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
