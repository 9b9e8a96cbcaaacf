export type QuerySender = UdpClient | TcpClient;

interface UdpClient {
  readonly transport: "udp";
  /** As `plainAddress` spells it. */
  readonly address: string;
}

export interface TcpClient {
  readonly transport: "tcp";
  readonly address: string;
  /** See `siteOf`. */
  readonly site: string;
  /** Aborted when it has left. */
  readonly signal: AbortSignal;
  /** Called when it has signed a query with one of the keys. */
  readonly onSigned: () => void;
}
