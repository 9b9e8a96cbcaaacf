import { expect, test } from "vitest";
import { openApi } from "../../src/contract/openapi.ts";

test("schemas/openapi.json is up to date (update with npx vitest -u)", async () => {
  await expect(`${JSON.stringify(openApi(), undefined, 2)}\n`).toMatchFileSnapshot("../../schemas/openapi.json");
});

test("the document has an operation for each implemented endpoint", () => {
  const { paths } = openApi() as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual([
    "DELETE /account/oauth-clients/{clientId}",
    "DELETE /domains/{domainId}",
    "DELETE /domains/{domainId}/records/{recordId}",
    "DELETE /managed/contacts/{contactId}",
    "DELETE /managed/credentials/{credentialId}",
    "DELETE /networking/firewalls/{firewallId}",
    "DELETE /networking/firewalls/{firewallId}/devices/{deviceId}",
    "DELETE /node/instances/{nodeId}",
    "DELETE /node/instances/{nodeId}/configs/{configId}",
    "DELETE /node/instances/{nodeId}/disks/{diskId}",
    "DELETE /node/instances/{nodeId}/ips/{address}",
    "DELETE /tags/{label}",
    "DELETE /volumes/{volumeId}",
    "GET /account",
    "GET /account/events",
    "GET /account/events/{eventId}",
    "GET /account/invoices",
    "GET /account/invoices/{invoiceId}",
    "GET /account/invoices/{invoiceId}/items",
    "GET /account/logins",
    "GET /account/logins/{loginId}",
    "GET /account/maintenance",
    "GET /account/notifications",
    "GET /account/oauth-clients",
    "GET /account/oauth-clients/{clientId}",
    "GET /account/settings",
    "GET /account/users",
    "GET /account/users/{username}",
    "GET /domains",
    "GET /domains/{domainId}",
    "GET /domains/{domainId}/records",
    "GET /domains/{domainId}/records/{recordId}",
    "GET /domains/{domainId}/zone-file",
    "GET /managed/contacts",
    "GET /managed/contacts/{contactId}",
    "GET /managed/credentials",
    "GET /managed/credentials/sshkey",
    "GET /managed/credentials/{credentialId}",
    "GET /managed/node-settings",
    "GET /managed/node-settings/{nodeId}",
    "GET /networking/firewalls",
    "GET /networking/firewalls/{firewallId}",
    "GET /networking/firewalls/{firewallId}/devices",
    "GET /networking/firewalls/{firewallId}/devices/{deviceId}",
    "GET /networking/firewalls/{firewallId}/rules",
    "GET /networking/ips",
    "GET /networking/ips/{address}",
    "GET /node/instances",
    "GET /node/instances/{nodeId}",
    "GET /node/instances/{nodeId}/backups",
    "GET /node/instances/{nodeId}/backups/{backupId}",
    "GET /node/instances/{nodeId}/configs",
    "GET /node/instances/{nodeId}/configs/{configId}",
    "GET /node/instances/{nodeId}/disks",
    "GET /node/instances/{nodeId}/disks/{diskId}",
    "GET /node/instances/{nodeId}/firewalls",
    "GET /node/instances/{nodeId}/ips",
    "GET /node/instances/{nodeId}/ips/{address}",
    "GET /node/instances/{nodeId}/stats",
    "GET /node/instances/{nodeId}/stats/{year}/{month}",
    "GET /node/instances/{nodeId}/transfer",
    "GET /node/instances/{nodeId}/transfer/{year}/{month}",
    "GET /node/instances/{nodeId}/volumes",
    "GET /node/kernels",
    "GET /node/kernels/{kernelId}",
    "GET /profile",
    "GET /profile/grants",
    "GET /profile/tokens",
    "GET /profile/tokens/{tokenId}",
    "GET /regions",
    "GET /regions/{regionId}",
    "GET /support/tickets",
    "GET /support/tickets/{ticketId}",
    "GET /support/tickets/{ticketId}/replies",
    "GET /tags",
    "GET /tags/{label}",
    "GET /volumes",
    "GET /volumes/{volumeId}",
    "POST /account/cancel",
    "POST /account/credit-card",
    "POST /account/events/{eventId}/read",
    "POST /account/events/{eventId}/seen",
    "POST /account/oauth-clients",
    "POST /account/oauth-clients/{clientId}/reset-secret",
    "POST /account/settings/managed-enable",
    "POST /domains",
    "POST /domains/import",
    "POST /domains/{domainId}/clone",
    "POST /domains/{domainId}/records",
    "POST /managed/contacts",
    "POST /managed/credentials",
    "POST /managed/credentials/{credentialId}/revoke",
    "POST /managed/credentials/{credentialId}/update",
    "POST /networking/firewalls",
    "POST /networking/firewalls/{firewallId}/devices",
    "POST /node/instances",
    "POST /node/instances/{nodeId}/backups",
    "POST /node/instances/{nodeId}/backups/cancel",
    "POST /node/instances/{nodeId}/backups/enable",
    "POST /node/instances/{nodeId}/backups/{backupId}/restore",
    "POST /node/instances/{nodeId}/boot",
    "POST /node/instances/{nodeId}/clone",
    "POST /node/instances/{nodeId}/configs",
    "POST /node/instances/{nodeId}/disks",
    "POST /node/instances/{nodeId}/disks/{diskId}/clone",
    "POST /node/instances/{nodeId}/disks/{diskId}/password",
    "POST /node/instances/{nodeId}/disks/{diskId}/resize",
    "POST /node/instances/{nodeId}/ips",
    "POST /node/instances/{nodeId}/migrate",
    "POST /node/instances/{nodeId}/password",
    "POST /node/instances/{nodeId}/reboot",
    "POST /node/instances/{nodeId}/rebuild",
    "POST /node/instances/{nodeId}/rescue",
    "POST /node/instances/{nodeId}/resize",
    "POST /node/instances/{nodeId}/shutdown",
    "POST /support/tickets",
    "POST /support/tickets/{ticketId}/attachments",
    "POST /support/tickets/{ticketId}/close",
    "POST /support/tickets/{ticketId}/replies",
    "POST /tags",
    "POST /volumes",
    "POST /volumes/{volumeId}/attach",
    "POST /volumes/{volumeId}/detach",
    "POST /volumes/{volumeId}/resize",
    "PUT /account",
    "PUT /account/oauth-clients/{clientId}",
    "PUT /domains/{domainId}",
    "PUT /domains/{domainId}/records/{recordId}",
    "PUT /managed/contacts/{contactId}",
    "PUT /managed/credentials/{credentialId}",
    "PUT /managed/node-settings/{nodeId}",
    "PUT /networking/firewalls/{firewallId}",
    "PUT /networking/firewalls/{firewallId}/rules",
    "PUT /networking/ips/{address}",
    "PUT /node/instances/{nodeId}",
    "PUT /node/instances/{nodeId}/configs/{configId}",
    "PUT /node/instances/{nodeId}/disks/{diskId}",
    "PUT /node/instances/{nodeId}/ips/{address}",
    "PUT /volumes/{volumeId}",
  ]);
});

test.each([
  ["documented", "nodes:read_only", "nodes:read_write"],
  ["live", "linodes:read_only", "linodes:read_write"],
] as const)(
  "profile %s: applications sign in with OAuth 2.0 instead of a personal access token",
  (profile, nodesRead, nodesWrite) => {
    const { components, paths } = JSON.parse(JSON.stringify(openApi(profile)));
    expect(components.securitySchemes.authorizationCode.flows).toEqual({
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes: {
          "account:read_only": "Read the account: its data, sign-ins, applications, tags and tickets",
          "account:read_write": "Read and change the account: its data, sign-ins, applications, tags and tickets",
          "domains:read_only": "Read domains and their records",
          "domains:read_write": "Read and change domains and their records",
          "events:read_only": "Read events",
          "maintenance:read_only": "Read maintenance",
          [nodesRead]: "Read compute nodes",
          [nodesWrite]: "Read and change compute nodes",
        },
      },
    });
    const securityOf = (path: string, method: string) => paths[path][method].security;
    expect(securityOf("/domains", "post")).toEqual([
      { personalAccessToken: [] },
      { authorizationCode: ["domains:read_write"] },
    ]);
    expect(securityOf("/account/events", "get")).toEqual([
      { personalAccessToken: [] },
      { authorizationCode: ["events:read_only"] },
    ]);
    expect(securityOf("/regions", "get")).toEqual([]);
  },
);

test("the description of an operation names the users who may call it", () => {
  const { paths } = JSON.parse(JSON.stringify(openApi()));
  expect(paths["/domains"].get.description).toBe("List domains. The token needs the scope `domains:read_only`.");
  expect(paths["/tags"].post.description).toBe(
    "Create a tag and attach it to domains and other objects. The token needs the scope `account:read_write`. " +
      "Only unrestricted users may call it.",
  );
  expect(paths["/account"].put.description).toBe(
    "Update the contact and billing data of the account. The token needs the scope `account:read_write`. " +
      "Restricted users may call it only with access to the account.",
  );
});
