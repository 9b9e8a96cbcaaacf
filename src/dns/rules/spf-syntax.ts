import type { Rule } from "../lookup/rule.ts";
import { checkSpf, type SpfFault } from "../policies/check-spf.ts";
import { isSpaceLost, straightPolicy } from "../policies/kind.ts";
import { type MalformedTerm, parseSpf, type SpfPolicy, type SpfProblem } from "../policies/spf.ts";

const problems: Readonly<Record<SpfProblem, string>> = {
  unknown: "is not an SPF mechanism",
  "no-value": "has no value",
  "unexpected-value": "has a value but does not take one",
  address: "has an invalid IP address, or one of the wrong family",
  prefix: "has an invalid prefix length",
  domain: "has an invalid domain",
  octet: "contains a character that SPF does not allow",
};

/** Terms that make receivers fail the whole check. */
export const spfSyntax: Rule = {
  id: "spf-syntax",
  types: ["TXT"],
  check: (zone) =>
    checkSpf(zone, (policy, record) => {
      const strings = straightPolicy(record) === undefined ? record.data.strings : []; // its plain form has the space
      return termProblem(policy) ?? findLostSpace(strings);
    }),
};

function termProblem({ terms }: SpfPolicy): SpfFault | undefined {
  const malformed = terms.find((term): term is MalformedTerm => term.kind === "malformed");
  if (malformed) return [`the SPF term "${malformed.text}" ${problemOf(malformed)}`, adviceFor(malformed)];
  const modifiers = terms.filter(({ kind }) => kind === "modifier");
  for (const name of ["redirect", "exp"]) {
    const found = modifiers.filter((term) => term.kind === "modifier" && term.name === name);
    if (found.length > 1) return [`the SPF record has "${name}=" more than once`, "Keep one of them."];
  }
  return undefined;
}

function problemOf({ text, name, problem }: MalformedTerm): string {
  const isEquals = problem === "unexpected-value" && name !== "all" && /^[-+~?]?[a-z0-9]+=/i.test(text);
  return isEquals ? "has an equals sign instead of a colon" : problems[problem];
}

function adviceFor({ text, name, problem }: MalformedTerm): string {
  const ofAuthor = formsOf(text).find(isValidTerm);
  if (ofAuthor !== undefined) return `Write "${ofAuthor}".`;
  if (name === undefined && problem === "unknown")
    return "The mechanisms are all, include, a, mx, ip4, ip6 and exists.";
  if (name === "include" || name === "exists")
    return `Write "${name}:" and a domain, in a form such as "${name}:example.net".`;
  if (name !== "ip4" && name !== "ip6") return "Correct or remove it.";
  const [most, network] = name === "ip4" ? [32, "192.0.2.0/24"] : [128, "2001:db8::/32"];
  const address = text.replace(/\/.*/, "");
  return problem === "prefix" && isValidTerm(address)
    ? `Write a prefix length from 0 to ${most}, or the address alone: "${address}".`
    : `Write one address or network in each term, in a form such as "${name}:${network}".`;
}

/** The forms that the author may mean by a term: without punctuation at its end, with a colon, of the other family. */
function formsOf(text: string): readonly string[] {
  const bare = text.replace(/[,;:.]+$/, "");
  const mechanism = bare.replace(/^([-+~?]?(?!all)[a-z0-9]+)=/i, "$1:");
  const swapped = mechanism.replace(/^([-+~?]?ip)([46]):/i, (_, start, digit) => `${start}${digit === "4" ? 6 : 4}:`);
  return [mechanism, bare, swapped];
}

function isValidTerm(term: string): boolean {
  const terms = parseSpf(`v=spf1 ${term}`)?.terms ?? [];
  return terms.length > 0 && terms.every(({ kind }) => kind !== "malformed");
}

function findLostSpace(strings: readonly string[]): SpfFault | undefined {
  const joined = strings.findIndex((text, index) => isSpaceLost(strings[index - 1], text));
  return joined === -1
    ? undefined
    : [
        `the SPF strings are joined without a space to "${(strings[joined - 1] ?? "").split(" ").at(-1)}${(strings[joined] ?? "").split(" ")[0]}"`,
        "Add a space at the end of the first of the two strings.",
      ];
}
