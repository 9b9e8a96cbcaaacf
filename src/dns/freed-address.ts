/** An address that a node of the account had, and that no node of it has now. */
export interface FreedAddress {
  /** In canonical form. */
  readonly address: string;
  /** The label of the last node that had it. */
  readonly node: string;
  /** The day on which that node lost it, as YYYY-MM-DD in UTC; absent if the service does not tell. */
  readonly until?: string;
}

/** The reason why a record with this address is dangling, as the end of a sentence. */
export function freedText({ address, node, until }: FreedAddress): string {
  const end = until === undefined ? "" : ` until ${until}`;
  return `${address}, which the node "${node}" had${end} and no node of the account has now`;
}
