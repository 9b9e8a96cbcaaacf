import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { word } from "../meta.ts";
import { pageOf, pageQuery } from "../page.ts";
import { accountSettings } from "../resources/account.ts";
import { image } from "../resources/image.ts";
import { nodeType, nodeTypeColumns } from "../resources/node-type.ts";
import { nothing } from "../resources/nothing.ts";
import { grants, profile } from "../resources/profile.ts";
import { token, tokenFilterable } from "../resources/token.ts";
import { user, userFilterable } from "../resources/user.ts";

const ofUser = { scope: "account:read_only", tag: "Profile", method: "GET", beyond: true } as const;
const ofUsers = { ...ofUser, tag: "Users", who: "unrestricted" } as const;
const ofCatalog = { method: "GET", tag: "Nodes", scope: null, profile: "live", beyond: true } as const;

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
  listTokens: {
    ...ofUser,
    path: "/profile/tokens",
    summary: "List the personal access tokens of the user that are valid, without their values",
    query: pageQuery,
    filterable: tokenFilterable,
    reply: pageOf(token),
  },
  getToken: {
    ...ofUser,
    path: "/profile/tokens/{tokenId}",
    summary: "View a personal access token of the user, without its value",
    params: z.object({ tokenId: z.int().min(1).describe("Id of the token") }),
    reply: token,
  },
  listUsers: {
    ...ofUsers,
    path: "/account/users",
    summary: "List the users of the account",
    query: pageQuery,
    filterable: userFilterable,
    reply: pageOf(user),
  },
  getUser: {
    ...ofUsers,
    path: "/account/users/{username}",
    summary: "View a user of the account",
    params: z.object({ username: z.string().min(1).describe("Name of the user") }),
    reply: user,
  },
  getAccountSettings: {
    ...ofUser,
    tag: "Account",
    who: "account",
    path: "/account/settings",
    summary: "View the settings of the account",
    reply: accountSettings,
  },
  enableManaged: {
    method: "POST",
    path: "/account/settings/managed-enable",
    summary: "Enable managed monitoring for the account",
    tag: "Account",
    scope: "account:read_write",
    who: "unrestricted",
    reply: nothing,
    done: "managed monitoring enabled",
    beyond: true,
  },
  listNodeTypes: {
    ...ofCatalog,
    path: "/node/types",
    summary: "List the types of compute nodes",
    query: pageQuery,
    columns: nodeTypeColumns,
    reply: pageOf(nodeType),
  },
  getNodeType: {
    ...ofCatalog,
    path: "/node/types/{typeId}",
    summary: "View a type of compute nodes",
    params: z.object({ typeId: z.string().min(1).describe("Id of the type, such as g6-nanode-1") }),
    reply: nodeType,
  },
  listImages: {
    ...ofCatalog,
    path: "/images",
    summary: "List the images of compute nodes",
    query: pageQuery,
    reply: pageOf(image),
  },
  getImage: {
    ...ofCatalog,
    path: "/images/{imageId}",
    summary: "View an image of compute nodes",
    params: z.object({ imageId: word("id", z.string().min(1).describe("Id of the image, such as node/debian12")) }),
    reply: image,
  },
} as const satisfies Endpoints;
