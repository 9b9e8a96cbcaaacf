/** Whether databases can store a text and search for it: one without a NUL and without half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}
