/** The comment that tells editors where the schema of zone files is, without its `#`; `schema` as seen from the file. */
export function modeline(schema: string): string {
  return ` yaml-language-server: $schema=${schema}`;
}
