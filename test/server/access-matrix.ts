/**
 * The users that ask, in the order of the columns of the matrix. The first is unrestricted, the last of another
 * account.
 */
export const callers = [
  "the owner",
  "a restricted user",
  "a restricted user with a read_only grant",
  "a restricted user with a read_write grant",
  "a restricted user who may add domains and nodes",
  "a restricted user with read_only access to the account",
  "a restricted user with read_write access to the account",
  "a user of another account",
] as const;
export type CallerName = (typeof callers)[number];

/**
 * Every endpoint: its scope, then the reply to each caller (decisions/account#access, decisions/service#replies). `ok`
 * is a success, of a list one with items; `empty` is a list without items. The grants are on node 1, its volume and its
 * firewall, and on domain 1, which record 1, event 1, ticket 1, the operator's ticket 2 and the tag "prod" belong to;
 * `acc` is access to the account.
 */
const matrix = `
                                                                           owner  none   r      rw     add    acc r  acc rw other
  GET    /account                                       account:read_only   ok     ok     ok     ok     ok     ok     ok     ok
  PUT    /account                                       account:read_write  ok     403    403    403    403    403    ok     ok
  POST   /account/cancel                                account:read_write  ok     403    403    403    403    403    403    ok
  POST   /account/credit-card                           account:read_write  ok     403    403    403    403    403    ok     ok
  GET    /account/events                                events:read_only    ok     empty  ok     ok     empty  empty  empty  empty
  GET    /account/events/{eventId}                      events:read_only    ok     404    ok     ok     404    404    404    404
  POST   /account/events/{eventId}/read                 events:read_only    ok     404    ok     ok     404    404    404    404
  POST   /account/events/{eventId}/seen                 events:read_only    ok     404    ok     ok     404    404    404    404
  GET    /account/invoices                              account:read_only   ok     403    403    403    403    ok     ok     empty
  GET    /account/invoices/{invoiceId}                  account:read_only   ok     403    403    403    403    ok     ok     404
  GET    /account/invoices/{invoiceId}/items            account:read_only   ok     403    403    403    403    ok     ok     404
  GET    /account/logins                                account:read_only   ok     403    403    403    403    403    403    empty
  GET    /account/logins/{loginId}                      account:read_only   ok     403    403    403    403    403    403    404
  GET    /account/maintenance                           maintenance:read_only ok   empty  ok     ok     empty  empty  empty  empty
  GET    /account/notifications                         account:read_only   ok     empty  ok     ok     empty  empty  empty  empty
  GET    /account/oauth-clients                         account:read_only   ok     403    403    403    403    ok     ok     empty
  POST   /account/oauth-clients                         account:read_write  ok     403    403    403    403    403    ok     ok
  GET    /account/oauth-clients/{clientId}              account:read_only   ok     403    403    403    403    ok     ok     404
  PUT    /account/oauth-clients/{clientId}              account:read_write  ok     403    403    403    403    403    ok     404
  DELETE /account/oauth-clients/{clientId}              account:read_write  ok     403    403    403    403    403    ok     404
  POST   /account/oauth-clients/{clientId}/reset-secret account:read_write  ok     403    403    403    403    403    ok     404
  GET    /managed/contacts                             account:read_only  ok     403    403    403    403    403    403    empty
  POST   /managed/contacts                             account:read_write ok     403    403    403    403    403    403    ok
  GET    /managed/contacts/{contactId}                 account:read_write ok     403    403    403    403    403    403    404
  PUT    /managed/contacts/{contactId}                 account:read_write ok     403    403    403    403    403    403    404
  DELETE /managed/contacts/{contactId}                 account:read_write ok     403    403    403    403    403    403    404
  GET    /managed/credentials                          account:read_only  ok     403    403    403    403    403    403    empty
  POST   /managed/credentials                          account:read_write ok     403    403    403    403    403    403    ok
  GET    /managed/credentials/sshkey                   account:read_only  ok     403    403    403    403    403    403    ok
  GET    /managed/credentials/{credentialId}           account:read_write ok     403    403    403    403    403    403    404
  PUT    /managed/credentials/{credentialId}           account:read_write ok     403    403    403    403    403    403    404
  DELETE /managed/credentials/{credentialId}           account:read_write ok     403    403    403    403    403    403    404
  POST   /managed/credentials/{credentialId}/update    account:read_write ok     403    403    403    403    403    403    404
  POST   /managed/credentials/{credentialId}/revoke    account:read_write ok     403    403    403    403    403    403    404
  GET    /managed/node-settings                        account:read_only  ok     403    403    403    403    403    403    empty
  GET    /managed/node-settings/{nodeId}               account:read_only  ok     403    403    403    403    403    403    404
  PUT    /managed/node-settings/{nodeId}               account:read_write ok     403    403    403    403    403    403    404
  GET    /managed/issues                               account:read_only  ok     403    403    403    403    403    403    empty
  GET    /managed/issues/{issueId}                     account:read_only  ok     403    403    403    403    403    403    404
  GET    /managed/services                             account:read_only  ok     403    403    403    403    403    403    empty
  POST   /managed/services                             account:read_write ok     403    403    403    403    403    403    ok
  GET    /managed/services/{serviceId}                 account:read_only  ok     403    403    403    403    403    403    404
  PUT    /managed/services/{serviceId}                 account:read_write ok     403    403    403    403    403    403    404
  DELETE /managed/services/{serviceId}                 account:read_write ok     403    403    403    403    403    403    404
  POST   /managed/services/{serviceId}/disable         account:read_write ok     403    403    403    403    403    403    404
  POST   /managed/services/{serviceId}/enable          account:read_write ok     403    403    403    403    403    403    404
  GET    /managed/stats                                account:read_only  ok     403    403    403    403    403    403    ok
  POST   /account/settings/managed-enable              account:read_write ok     403    403    403    403    403    403    ok
  GET    /support/tickets                               account:read_only   ok     empty  ok     ok     empty  empty  empty  empty
  POST   /support/tickets                               account:read_write  ok     ok     ok     ok     ok     ok     ok     ok
  GET    /support/tickets/{ticketId}                    account:read_only   ok     403    ok     ok     403    403    403    404
  POST   /support/tickets/{ticketId}/attachments        account:read_write  ok     403    403    ok     403    403    403    404
  POST   /support/tickets/{ticketId}/close              account:read_write  ok     403    403    ok     403    403    403    404
  GET    /support/tickets/{ticketId}/replies            account:read_only   ok     403    ok     ok     403    403    403    404
  POST   /support/tickets/{ticketId}/replies            account:read_write  ok     403    403    ok     403    403    403    404
  GET    /tags                                          account:read_only   ok     ok     ok     ok     ok     ok     ok     empty
  POST   /tags                                          account:read_write  ok     403    403    403    403    403    403    ok
  GET    /tags/{label}                                  account:read_only   ok     empty  ok     ok     empty  empty  empty  404
  DELETE /tags/{label}                                  account:read_write  ok     403    403    403    403    403    403    404
  GET    /regions                                       -                   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /regions/{regionId}                            -                   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /domains                                       domains:read_only   ok     empty  ok     ok     empty  empty  empty  empty
  POST   /domains                                       domains:read_write  ok     403    403    403    ok     403    403    ok
  POST   /domains/import                                domains:read_write  ok     403    403    403    ok     403    403    ok
  GET    /domains/{domainId}                            domains:read_only   ok     403    ok     ok     403    403    403    404
  PUT    /domains/{domainId}                            domains:read_write  ok     403    403    ok     403    403    403    404
  DELETE /domains/{domainId}                            domains:read_write  ok     403    403    ok     403    403    403    404
  POST   /domains/{domainId}/clone                      domains:read_write  ok     403    403    403    403    403    403    404
  GET    /domains/{domainId}/records                    domains:read_only   ok     403    ok     ok     403    403    403    404
  POST   /domains/{domainId}/records                    domains:read_write  ok     403    403    ok     403    403    403    404
  GET    /domains/{domainId}/records/{recordId}         domains:read_only   ok     403    ok     ok     403    403    403    404
  PUT    /domains/{domainId}/records/{recordId}         domains:read_write  ok     403    403    ok     403    403    403    404
  DELETE /domains/{domainId}/records/{recordId}         domains:read_write  ok     403    403    ok     403    403    403    404
  GET    /domains/{domainId}/zone-file                  domains:read_only   ok     403    ok     ok     403    403    403    404
  GET    /node/instances                                nodes:read_only     ok     empty  ok     ok     empty  empty  empty  empty
  POST   /node/instances                                nodes:read_write    ok     403    403    403    ok     403    403    ok
  GET    /node/instances/{nodeId}                       nodes:read_only     ok     403    ok     ok     403    403    403    404
  PUT    /node/instances/{nodeId}                       nodes:read_write    ok     403    403    ok     403    403    403    404
  DELETE /node/instances/{nodeId}                       nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/boot                  nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/shutdown              nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/reboot                nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/ips                   nodes:read_only     ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/ips                   nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/ips/{address}         nodes:read_only     ok     403    ok     ok     403    403    403    404
  PUT    /node/instances/{nodeId}/ips/{address}         nodes:read_write    ok     403    403    ok     403    403    403    404
  DELETE /node/instances/{nodeId}/ips/{address}         nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /networking/ips                                nodes:read_only     ok     empty  ok     ok     empty  empty  empty  empty
  GET    /networking/ips/{address}                      nodes:read_only     ok     403    ok     ok     403    403    403    404
  PUT    /networking/ips/{address}                      nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/stats                 nodes:read_only     ok     403    ok     ok     403    403    403    404
  GET    /node/instances/{nodeId}/stats/{year}/{month}  nodes:read_only     ok     403    ok     ok     403    403    403    404
  GET    /node/instances/{nodeId}/transfer              nodes:read_only     ok     403    ok     ok     403    403    403    404
  GET    /node/instances/{nodeId}/transfer/{year}/{month} nodes:read_only   ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/rescue               nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/rebuild              nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/password             nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/disks                nodes:read_only     ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/disks                nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/disks/{diskId}       nodes:read_only     ok     403    ok     ok     403    403    403    404
  PUT    /node/instances/{nodeId}/disks/{diskId}       nodes:read_write    ok     403    403    ok     403    403    403    404
  DELETE /node/instances/{nodeId}/disks/{diskId}       nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/disks/{diskId}/clone nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/disks/{diskId}/password nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/disks/{diskId}/resize nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/configs              nodes:read_only     ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/configs              nodes:read_write    ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/configs/{configId}   nodes:read_only     ok     403    ok     ok     403    403    403    404
  PUT    /node/instances/{nodeId}/configs/{configId}   nodes:read_write    ok     403    403    ok     403    403    403    404
  DELETE /node/instances/{nodeId}/configs/{configId}   nodes:read_write    ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/clone                 nodes:read_write   ok     403    403    403    403    403    403    404
  POST   /node/instances/{nodeId}/resize                nodes:read_write   ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/migrate               nodes:read_write   ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/backups               nodes:read_only    ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/backups               nodes:read_write   ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/backups/enable        nodes:read_write   ok     403    403    ok     403    403    403    404
  POST   /node/instances/{nodeId}/backups/cancel        nodes:read_write   ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/backups/{backupId}    nodes:read_only    ok     403    ok     ok     403    403    403    404
  POST   /node/instances/{nodeId}/backups/{backupId}/restore nodes:read_write   ok     403    403    ok     403    403    403    404
  GET    /node/instances/{nodeId}/firewalls             nodes:read_only   ok     403    ok     ok     403    403    403    404
  GET    /node/instances/{nodeId}/volumes               nodes:read_only   ok     403    ok     ok     403    403    403    404
  GET    /volumes                                       nodes:read_only   ok     empty  ok     ok     empty  empty  empty  empty
  POST   /volumes                                       nodes:read_write  ok     403    403    403    403    403    403    ok
  GET    /volumes/{volumeId}                            nodes:read_only   ok     403    ok     ok     403    403    403    404
  PUT    /volumes/{volumeId}                            nodes:read_write  ok     403    403    ok     403    403    403    404
  DELETE /volumes/{volumeId}                            nodes:read_write  ok     403    403    ok     403    403    403    404
  POST   /volumes/{volumeId}/attach                     nodes:read_write  ok     403    403    ok     403    403    403    404
  POST   /volumes/{volumeId}/detach                     nodes:read_write  ok     403    403    ok     403    403    403    404
  POST   /volumes/{volumeId}/resize                     nodes:read_write  ok     403    403    ok     403    403    403    404
  GET    /networking/firewalls                          nodes:read_only   ok     empty  ok     ok     empty  empty  empty  empty
  POST   /networking/firewalls                          nodes:read_write  ok     403    403    403    403    403    403    ok
  GET    /networking/firewalls/{firewallId}             nodes:read_only   ok     403    ok     ok     403    403    403    404
  PUT    /networking/firewalls/{firewallId}             nodes:read_write  ok     403    403    ok     403    403    403    404
  DELETE /networking/firewalls/{firewallId}             nodes:read_write  ok     403    403    ok     403    403    403    404
  GET    /networking/firewalls/{firewallId}/rules       nodes:read_only   ok     403    ok     ok     403    403    403    404
  PUT    /networking/firewalls/{firewallId}/rules       nodes:read_write  ok     403    403    ok     403    403    403    404
  GET    /networking/firewalls/{firewallId}/devices     nodes:read_only   ok     403    ok     ok     403    403    403    404
  POST   /networking/firewalls/{firewallId}/devices     nodes:read_write  ok     403    403    ok     403    403    403    404
  GET    /networking/firewalls/{firewallId}/devices/{deviceId} nodes:read_only   ok     403    ok     ok     403    403    403    404
  DELETE /networking/firewalls/{firewallId}/devices/{deviceId} nodes:read_write  ok     403    403    ok     403    403    403    404
  GET    /node/kernels                                  -                   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /node/kernels/{kernelId}                       -                   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /profile                                       account:read_only   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /profile/grants                                account:read_only   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /profile/tokens                                account:read_only   ok     ok     ok     ok     ok     ok     ok     ok
  GET    /profile/tokens/{tokenId}                      account:read_only   ok     404    404    404    404    404    404    404
  GET    /account/settings                              account:read_only   ok     403    403    403    403    ok     ok     ok
  GET    /account/entity-transfers                     account:read_only   ok     403    403    403    403    403    403    empty
  POST   /account/entity-transfers                     account:read_write  ok     403    403    403    403    403    403    ok
  GET    /account/entity-transfers/{token}             account:read_only   ok     403    403    403    403    403    403    ok
  DELETE /account/entity-transfers/{token}             account:read_write  ok     403    403    403    403    403    403    403
  POST   /account/entity-transfers/{token}/accept      account:read_write  ok     403    403    403    403    403    403    ok
  GET    /account/service-transfers                    account:read_only   ok     403    403    403    403    403    403    empty
  POST   /account/service-transfers                    account:read_write  ok     403    403    403    403    403    403    ok
  GET    /account/service-transfers/{token}            account:read_only   ok     403    403    403    403    403    403    ok
  DELETE /account/service-transfers/{token}            account:read_write  ok     403    403    403    403    403    403    403
  POST   /account/service-transfers/{token}/accept     account:read_write  ok     403    403    403    403    403    403    ok
  GET    /account/users                                 account:read_only   ok     403    403    403    403    403    403    ok
  GET    /account/users/{username}                      account:read_only   ok     403    403    403    403    403    403    404
`;

export interface Row {
  /** Method and path, as in the documents. */
  endpoint: string;
  scope: string;
  outcomes: ReadonlyMap<string, string>;
}

const [, ...lines] = matrix.trim().split("\n");
/** The rows of the matrix. */
export const rows = lines.map((line): Row => {
  const [method, path, scope = "", ...outcomes] = line.trim().split(/ +/);
  return {
    endpoint: `${method} ${path}`,
    scope,
    outcomes: new Map(callers.map((caller, index) => [caller, outcomes[index] ?? ""])),
  };
});
