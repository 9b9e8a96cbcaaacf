import { accountEndpoints } from "./account.ts";
import { domainEndpoints } from "./domains.ts";
import { eventEndpoints } from "./events.ts";

/** The whole API: one entry for each endpoint. */
export const endpoints = { ...accountEndpoints, ...domainEndpoints, ...eventEndpoints } as const;

export type EndpointTable = typeof endpoints;
export type EndpointName = keyof EndpointTable;
