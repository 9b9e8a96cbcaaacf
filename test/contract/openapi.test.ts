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
    "DELETE /tags/{label}",
    "GET /account",
    "GET /account/events",
    "GET /account/events/{eventId}",
    "GET /account/logins",
    "GET /account/logins/{loginId}",
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
    "POST /account/cancel",
    "POST /account/credit-card",
    "POST /account/events/{eventId}/read",
    "POST /account/events/{eventId}/seen",
    "POST /account/oauth-clients",
    "POST /account/oauth-clients/{clientId}/reset-secret",
    "POST /domains",
    "POST /domains/import",
    "POST /domains/{domainId}/clone",
    "POST /domains/{domainId}/records",
    "POST /support/tickets",
    "POST /support/tickets/{ticketId}/attachments",
    "POST /support/tickets/{ticketId}/close",
    "POST /support/tickets/{ticketId}/replies",
    "POST /tags",
    "PUT /account",
    "PUT /account/oauth-clients/{clientId}",
    "PUT /domains/{domainId}",
    "PUT /domains/{domainId}/records/{recordId}",
  ]);
});
