import { fromOctets } from "../zone/text.ts";
import { type Changing, effectsAt, type Finding, type Guard, type Owners, recordsAt } from "./guard.ts";

/** Mail that is not delivered any more, or that others may forge. */
export const mail: Guard = {
  guard: "G05",
  about: "the last MX goes, no mail server stays, mail is refused (null MX), SPF or DMARC becomes weaker",
  *check(zone) {
    const names = new Set(zone.effects.map(({ name }) => name));
    for (const name of names) {
      const texts = [exchangersOf(zone, name), spfOf(zone, name), dmarcOf(zone, name)];
      for (const said of texts) {
        if (said) yield { text: said.text, effects: effectsAt(zone, name, said.type) } satisfies Finding;
      }
    }
  },
};

interface Said {
  readonly type: string;
  readonly text: string;
}

function exchangersOf({ before, after }: Changing, name: string): Said | undefined {
  const [were, are] = [before, after].map((owners) => recordsAt(owners, name, "MX").map(({ data }) => String(data.target).toLowerCase())); // biome-ignore format: one thought
  const said = (text: string) => ({ type: "MX", text });
  const isNull = (list: readonly string[] = []) => list.includes(".");
  if (isNull(are) && !isNull(were)) {
    const was = ["MX", "A", "AAAA"].some((type) => recordsAt(before, name, type).length > 0);
    return said(`no mail is accepted${was ? " any more" : ""} (null MX)`);
  }
  if (!were?.length || isNull(were)) return undefined;
  if (!are?.length) return said("the last MX goes");
  return were.some((target) => are.includes(target)) ? undefined : said("none of the mail servers stays");
}

function spfOf({ before, after }: Changing, name: string): Said | undefined {
  const [was, is] = [policyAt(before, name, "v=spf1"), policyAt(after, name, "v=spf1")];
  if (was === undefined) return undefined;
  if (is === undefined) return { type: "TXT", text: "the SPF policy goes" };
  const [from, to] = [allOf(was), allOf(is)];
  if (strength(to) >= strength(from)) return undefined;
  return { type: "TXT", text: `SPF becomes weaker, from ${from} to ${to}` };
}

/** The mechanism for all that no other one names (RFC 7208 §5.1); without one the result is neutral (§4.7). */
function allOf(policy: string): string {
  const word = policy.toLowerCase().split(/ +/).find((word) => /^[-~?+]?all$|^redirect=/.test(word)); // biome-ignore format: one thought
  return word === "all" ? "+all" : (word ?? "?all");
}

/** `redirect=` asks another name's policy, which may be as strong as any. */
function strength(all: string): number {
  const weakest = ["+all", "?all", "~all"].indexOf(all);
  return weakest === -1 ? 3 : weakest;
}

function dmarcOf({ before, after }: Changing, name: string): Said | undefined {
  if (!name.startsWith("_dmarc.")) return undefined;
  const [was, is] = [policyAt(before, name, "v=dmarc1"), policyAt(after, name, "v=dmarc1")];
  if (was === undefined) return undefined;
  if (is === undefined) return { type: "TXT", text: "the DMARC policy goes" };
  for (const tag of ["p", "sp"] as const) {
    const [from, to] = [requested(was, tag), requested(is, tag)];
    if (levels.indexOf(to) < levels.indexOf(from))
      return { type: "TXT", text: `DMARC becomes weaker, from ${tag}=${from} to ${tag}=${to}` };
  }
  const [from, to] = [Number(tagOf(was, "pct") ?? 100), Number(tagOf(is, "pct") ?? 100)];
  return to < from ? { type: "TXT", text: `DMARC becomes weaker, from pct=${from} to pct=${to}` } : undefined;
}

const levels = ["none", "quarantine", "reject"];

/** What is asked for mail that fails (RFC 7489 §6.3); subdomains follow the domain. */
function requested(policy: string, tag: "p" | "sp"): string {
  const level = (tagOf(policy, tag) ?? tagOf(policy, "p") ?? "none").toLowerCase();
  return levels.includes(level) ? level : "none";
}

function tagOf(policy: string, tag: string): string | undefined {
  return policy
    .split(";")
    .map((part) => part.split("=").map((side) => side.trim()))
    .find(([key]) => key?.toLowerCase() === tag)?.[1];
}

/** The text of a policy record; where there are several, all are void and none counts (RFC 7208 §4.5, RFC 7489 §6.6.3). */
function policyAt(owners: Owners, name: string, version: string): string | undefined {
  const texts = recordsAt(owners, name, "TXT").map(({ data }) =>
    fromOctets((data.target as readonly string[]).join("")),
  );
  const found = texts.filter((text) => new RegExp(`^${version}(?:[\\s;]|$)`, "i").test(text));
  return found.length === 1 ? found[0] : undefined;
}
