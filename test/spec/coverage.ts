import { createClient } from "../../src/client/client.ts";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { handlers } from "../../src/server/http/handlers.ts";
import { rows } from "../server/access-matrix.ts";
import { sections } from "../server/sentences/index.ts";
import { requestsOf } from "../server/sentences/kit.ts";
import { type DocumentedEndpoint, documentedEndpoints, findEndpoint } from "./endpoints.ts";

/** The places that an endpoint is looked for in. */
export const places = ["contract", "server", "client", "api", "tested"] as const;
export type Place = (typeof places)[number];

/** An endpoint of the documents, and the places that have it. */
export interface CoveredEndpoint extends DocumentedEndpoint {
  readonly found: ReadonlySet<Place>;
}

/** All endpoints of the documents. `listing` is the output of `zonewright api`. */
export function coverage(listing: string): CoveredEndpoint[] {
  const contract = new Map(endpointsIn("documented").map(([name, { method, path }]) => [`${method} ${path}`, name]));
  const client: object = createClient({ baseUrl: "http://api.example" });
  const operations = new Set(
    [...listing.matchAll(/\b([A-Z]+) +(\/\S*)/g)].map(([, method, path]) => `${method} ${path}`),
  );
  const tested = testedEndpoints([...contract.keys()]);
  return documentedEndpoints.map((documented) => {
    const name = contract.get(documented.endpoint);
    const has: Record<Place, boolean> = {
      contract: name !== undefined,
      server: name !== undefined && name in handlers,
      client: name !== undefined && name in client,
      api: operations.has(documented.endpoint),
      tested: tested.has(documented.endpoint),
    };
    return { ...documented, found: new Set(places.filter((place) => has[place])) };
  });
}

/**
 * A line for each required endpoint that is missing somewhere, with those places, and for each other one that the
 * contract has: it must be required, so that it cannot be lost.
 */
export function lostEndpoints(endpoints: readonly CoveredEndpoint[]): string[] {
  return endpoints.flatMap(({ endpoint, isRequired, found }) => {
    const missing = places.filter((place) => !found.has(place));
    if (isRequired && missing.length > 0) return `${endpoint} is missing: ${missing.join(", ")}`;
    return !isRequired && found.has("contract") ? `${endpoint} is served, and must be required` : [];
  });
}

/**
 * The endpoints with a row in the access matrix, and with a sentence of the documents whose last request succeeds and
 * whose whole reply is expected.
 */
function testedEndpoints(endpoints: readonly string[]): ReadonlySet<string> {
  const inMatrix = new Set(rows.map(({ endpoint }) => endpoint));
  const found = Object.values(sections)
    .flat()
    .filter(([, , { status }]) => status === 200)
    .flatMap((sentence) => requestsOf(sentence).slice(-1))
    .flatMap(([method, path]) => findEndpoint(endpoints, method, path) ?? []);
  return new Set(found.filter((endpoint) => inMatrix.has(endpoint)));
}
