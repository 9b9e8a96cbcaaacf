/** An address that a node of the account had, and that no node of it has now. */
export interface FreedAddress {
  /** In canonical form. */
  readonly address: string;
  /** The label of the last node that had it. */
  readonly node: string;
  /** The day on which that node lost it, as YYYY-MM-DD in UTC; absent if the service does not tell. */
  readonly until?: string;
  /** Whether the node kept it, and was transferred to another account on that day. */
  readonly isTransferred?: true;
}

/** The reason why a record with this address is dangling, as the end of a sentence. */
export function freedText({ address, node, until, isTransferred }: FreedAddress): string {
  const day = until === undefined ? "" : ` ${isTransferred ? "on" : "until"} ${until}`;
  const cause = isTransferred ? `left the account with the node "${node}"${day}` : `the node "${node}" had${day}`;
  return `${address}, which ${cause} and no node of the account has now`;
}
