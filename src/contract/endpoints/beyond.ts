import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import { nodeType, nodeTypeFilterable } from "../resources/node-type.ts";
import { grants, profile } from "../resources/profile.ts";

const ofUser = { scope: "account:read_only", tag: "Profile", method: "GET", beyond: true } as const;

/** Paths of the hosted service that are in neither document, but that its clients request before any other. */
export const beyondEndpoints = {
  getProfile: { ...ofUser, path: "/profile", summary: "View the user of the token", reply: profile },
  getGrants: {
    ...ofUser,
    path: "/profile/grants",
    summary: "List the grants of the user of the token",
    reply: grants,
    noContent: "The user is not restricted and has no grants",
  },
  listNodeTypes: {
    method: "GET",
    path: "/node/types",
    summary: "List the types of compute nodes",
    tag: "Nodes",
    scope: null,
    profile: "live",
    beyond: true,
    query: pageQuery,
    filterable: nodeTypeFilterable,
    reply: pageOf(nodeType),
  },
} as const satisfies Endpoints;
