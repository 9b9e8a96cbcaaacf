/** A dollar in the unit of stored amounts: 10⁻⁴ US dollars, so that sums are exact. */
const dollar = 10_000;
const cent = dollar / 100;

/** Dollars of the catalogue, which have at most four decimals, as a stored amount. */
export function amountOf(dollars: number): number {
  return Math.round(dollars * dollar);
}

/** A stored amount in dollars, as replies show it. */
export function dollarsOf(amount: number): number {
  return amount / dollar;
}

/** Rounds a stored amount to whole cents; half a cent is rounded up. */
export function roundToCents(amount: number): number {
  return Math.floor((amount + cent / 2) / cent) * cent;
}

/** A stored amount as text with two to four decimals, such as `0.0075` and `5.00`. */
export function amountText(amount: number): string {
  return dollarsOf(amount)
    .toFixed(4)
    .replace(/0{1,2}$/, "");
}
