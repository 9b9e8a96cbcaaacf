import { accountEndpoints } from "./account.ts";
import { domainEndpoints } from "./domains.ts";

/** The whole API: one entry for each endpoint. */
export const endpoints = { ...accountEndpoints, ...domainEndpoints } as const;

export type EndpointTable = typeof endpoints;
export type EndpointName = keyof EndpointTable;
