/** An owner name at the start of a line, where a reader would take a `#` for that of a comment. */
export function ownerCell(owner: string): string {
  return owner.replace(/^#/, "\\035");
}
