const mostCharacters = 100;

/** Rows of a table, each after its title, which is cut to 100 characters. */
export const titled = <Row extends readonly unknown[]>(
  rows: readonly Row[],
  title: (row: Row) => string,
): [title: string, ...row: Row][] =>
  rows.map((row) => {
    const text = title(row).replaceAll(/\s+/g, " ");
    return [text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text, ...row];
  });
