import type { Entries } from "./entry.ts";

/** Problems with GitHub, which holds the pull requests. */
export const github = {
  "github/connect": { kind: "failed", why: "GitHub cannot be reached, or did not send a complete reply." },
  "github/invalid": { kind: "failed", why: "GitHub rejected the request as invalid (422). Nothing was changed." },
  "github/locked": { kind: "failed", why: "The conversation is locked, and the token may not write to it (403)." },
  "github/not-found": {
    kind: "failed",
    why: "The object does not exist, or the token may not read it: GitHub replies with 404 in both cases.",
  },
  "github/permission": { kind: "failed", why: "The token lacks a permission that the request needs (403)." },
  "github/rate": { kind: "later", why: "The token has exceeded a rate limit of GitHub (403 or 429)." },
  "github/reply": { kind: "failed", why: "The reply does not match GitHub's REST API." },
  "github/repository": { why: "A repository is named by its owner and its name, such as `octo-org/zones`." },
  "github/server": { kind: "failed", why: "GitHub failed (5xx). A write may have taken effect." },
  "github/token": { kind: "failed", why: "GitHub requires a token, and does not accept this one (401)." },
  "github/url": { why: "The address of GitHub's API must be an http or https URL." },
} as const satisfies Entries;
