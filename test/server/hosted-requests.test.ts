import { expect, test } from "vitest";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { translationOf } from "../../src/contract/translation.ts";
import { anyText, findRequests } from "./hosted-requests.ts";

/** Endpoints that its types describe, but that no function requests. */
const unrequested = [
  "GET /images/sharegroups",
  "POST /images/sharegroups",
  ...["GET", "PUT", "DELETE"].map((method) => `${method} /images/sharegroups/{}`),
  ...["images", "members"].flatMap((part) => [
    ...["GET", "POST"].map((method) => `${method} /images/sharegroups/{}/${part}`),
    ...["GET", "PUT", "DELETE"].map((method) => `${method} /images/sharegroups/{}/${part}/{}`),
  ]),
  ...["GET", "POST"].map((method) => `${method} /images/sharegroups/tokens`),
  ...["GET", "PUT", "DELETE"].map((method) => `${method} /images/sharegroups/tokens/{}`),
  "GET /images/{}/sharegroups",
];

test("src/server/http/hosted-requests.ts is what @linode/api-v4 sends (update with npx vitest -u)", async () => {
  const served = new Set(
    endpointsIn("live").map(([, endpoint]) => {
      const path = translationOf(endpoint, "live").path.replace(/\{\w+\}/g, "{}");
      return `${endpoint.method} ${path}`;
    }),
  );
  const requests = new Map(unrequested.map((request) => [request, new Set<string>()]));
  for (const { request, keys } of await findRequests()) {
    const known = request?.replaceAll(anyText, "{}");
    if (known === undefined) continue;
    const isSent = /^P/.test(known) && served.has(known);
    requests.set(known, new Set([...(requests.get(known) ?? []), ...(isSent ? keys : [])]));
  }
  const rows = [...requests].map(([request, keys]) => [request, ...[...keys].sort()].join(" ")).sort();
  const text = `/**
 * The requests of @linode/api-v4, the client of the hosted service's own web interface, in the version of
 * package-lock.json, and those of image share groups, which only its types have. Those that this server answers have
 * the keys of their bodies, nested ones with dots. Made by \`npx vitest -u test/server/hosted-requests.test.ts\`.
 */
export const hostedRequests: readonly string[] = [
${rows.map((row) => `  ${JSON.stringify(row)},\n`).join("")}];
`;
  expect(rows.length).toBeGreaterThan(300);
  await expect(text).toMatchFileSnapshot("../../src/server/http/hosted-requests.ts");
});
