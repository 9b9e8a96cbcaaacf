import type { Entries } from "./entry.ts";

/** Problems with pull requests on GitHub, and with its REST API. */
export const github = {
  "approval/artifact": {
    kind: "refused",
    why: "The approved plan is an artifact with just the effects that the comment on the pull request names.",
  },
  "approval/bound": {
    kind: "refused",
    why: "Each pull request costs requests, so the search for approved plans ends.",
  },
  "approval/comment": {
    kind: "refused",
    why: "The comment on a pull request shows the effects that were reviewed. Whoever may push can edit it.",
  },
  "approval/commit": {
    kind: "refused",
    why: "A plan approves only the commit that it was made for, so a push after it is not approved.",
  },
  "approval/direct-push": { kind: "refused", why: "A commit without a pull request was not reviewed." },
  "approval/expired": { kind: "refused", why: "GitHub deletes artifacts after some time, and the plan with them." },
  "approval/fork": {
    kind: "refused",
    why: "Anyone can fork the repository and make a plan there, so such plans approve nothing.",
  },
  "approval/not-shown": {
    kind: "refused",
    why: "A comment has room for 60,000 octets. Effects that it does not show need the explicit word of a person who may push.",
  },
  "approval/people": {
    kind: "refused",
    why: "The setting `two-people` requires that a second person who may push approves the last push once its plan is shown.",
  },
  "approval/replay": { kind: "refused", why: "Applying an older commit again would undo newer changes." },
  "approval/withdrawn": {
    kind: "refused",
    why: "A pull request that was merged later no longer planned these effects: it reverted them, or they had been made.",
  },
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
