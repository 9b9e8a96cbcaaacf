import { createHash } from "node:crypto";
import * as z from "zod";

/** A push to a pull request, with the digest of the effects that its plan had. */
const push = z.object({
  commit: z.string().regex(/^[0-9a-f]{7,64}$/),
  digest: z.string().regex(/^[0-9a-f]{8,64}$/),
  /** Seconds since 1970. */
  at: z.int().min(0).max(32_503_680_000),
});

const hashes = z.string().regex(/^(?:[\w-]{8})*$/);

const marker = z.object({
  version: z.literal(1),
  /** The digest of all effects, in full. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The digest of the plan file; absent if none was written. */
  plan: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The head commit of the pull request that was planned. */
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** The number of effects. */
  effects: z.int().min(0),
  /** Grows with each run, so that an older run does not replace the comment of a newer one; 0 if unknown. */
  run: z.int().min(0),
  /** Whether the comment shows every effect in full. If not, it approves nothing by itself. */
  isWhole: z.boolean().optional(),
  /** Whether later runs leave this comment alone and write new ones. */
  isFinal: z.boolean(),
  /** The oldest push first, the present one last. */
  history: z.array(push).max(20),
  /** Short hashes of the first effects, one after another; see `shortHashes`. */
  hashes,
  /** Short texts of the first of these effects, for the next run to show those that are planned no more. */
  texts: z.array(z.string()).max(200),
  /** Short hashes of the names of the zones with changes. */
  zones: hashes,
});

export type Push = z.output<typeof push>;

/** The plan of a comment on a pull request, in a form that later runs read. */
export type Marker = z.output<typeof marker>;

/** The line with which a person approves effects that a comment has no room for. */
export function approvalLine(digest: string): string {
  return `zonewright approve effects ${digest.slice(0, 16)}`;
}

/**
 * Whether a comment approves effects by their digest: with the approval as a line of its own, outside of quotes, code,
 * strikethrough, links, formulas and HTML, which may show it without meaning it.
 */
export function hasApprovalLine(body: string, digest: string): boolean {
  const isWord = (line: string) => {
    const [, given] = /^ {0,3}zonewright approve effects ([0-9a-f]{16,64})\s*$/.exec(line) ?? [];
    return given !== undefined && digest.startsWith(given);
  };
  const [beforeHtml = ""] = withoutFences(body.replaceAll("\r", "")).split(/<(?:[!?]|\/?[a-z][\w-]*[\s/>])/i);
  const paragraphs = beforeHtml.split(/\n[ \t]*\n/);
  return paragraphs.some((text) => !/^(?:\s|[-*+] |\d+[.)] )*>|[`~$[\]]/m.test(text) && text.split("\n").some(isWord));
}

/** A text in Markdown without its fenced code. A fence that is not closed goes to the end, as does one in a list. */
function withoutFences(text: string): string {
  let fence: string | undefined;
  const kept = text.split("\n").map((line) => {
    if (fence === undefined) {
      const [, place = "", begin] = /^((?:\s|[-*+] |\d+[.)] )*)(`{3,}|~{3,})/.exec(line) ?? [];
      fence = begin && (place === "" ? begin : "without an end");
      return fence === undefined ? line : "";
    }
    const [, end = ""] = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line) ?? [];
    if (end.startsWith(fence)) fence = undefined;
    return "";
  });
  return kept.join("\n");
}

/**
 * SHA-256 of a comment, which the plan file contains: so an edit of anything in it is noticed, whoever made it. The
 * digest of the plan file in the marker is left out, because it covers this one.
 */
export function commentDigest(body: string): string {
  const text = body.replaceAll("\r\n", "\n").trimEnd().replace(planInMarker, "");
  return createHash("sha256").update(text).digest("hex");
}

const planInMarker = /"plan":"[0-9a-f]{64}",/;

/** The beginning of comments of a configuration; `key` separates several configurations in one repository. */
export function markerStart(key: string): string {
  // A comment in HTML must not contain two hyphens.
  const name = encodeURIComponent(Buffer.from(key).toString()).replaceAll("-", "%2D");
  return `<!-- zonewright:plan ${name.length <= 200 ? name : createHash("sha256").update(key).digest("hex")} `;
}

/**
 * The marker as a comment in HTML, which Markdown does not show. Values cannot end the comment: everything but plain
 * ASCII is escaped in its JSON, and so are `<`, `>` and hyphens.
 */
export function writeMarker(key: string, value: Marker): string {
  const json = JSON.stringify(value).replace(
    /[^\x20-\x7e]|[-<>&]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${markerStart(key)}${json} -->\n`;
}

/** The marker at the start of a comment; undefined if there is none for this key, or if it is damaged. */
export function readMarker(key: string, body: string): Marker | undefined {
  const start = markerStart(key);
  const end = body.indexOf(" -->");
  if (!body.startsWith(start) || end < start.length) return undefined;
  try {
    return marker.safeParse(JSON.parse(body.slice(start.length, end))).data;
  } catch {
    return undefined;
  }
}

const hashLength = 8;

/** Hashes of 48 bits, one after another: enough to compare two lists, and short enough for a comment. */
export function shortHashes(texts: readonly string[]): string {
  return texts.map((text) => createHash("sha256").update(text).digest("base64url").slice(0, hashLength)).join("");
}

/** The hashes of `shortHashes`, one by one. */
export function splitHashes(joined: string): string[] {
  return joined.match(/.{8}/g) ?? [];
}
