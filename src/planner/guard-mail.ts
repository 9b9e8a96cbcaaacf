import type { Name } from "../zone/name.ts";
import { type Changing, effectsAt, type Finding, type Guard, recordsAt, type World } from "./guard.ts";
import { isDmarcName, tighterDmarc, weakerDmarc } from "./guard-dmarc.ts";
import type { ZoneAnswers } from "./guard-lookup.ts";
import { policyChanges, policyTexts } from "./guard-policies.ts";
import { type SpfChange, tighterSpf, type Verdict, weakerSpf } from "./guard-spf.ts";

/** Mail that is not delivered any more, or that others may forge. */
export const mail: Guard = {
  guard: "G05",
  about: "the last MX goes, no mail server stays, mail is refused (null MX), SPF or DMARC becomes weaker",
  ofNew: true,
  *check(zone, world) {
    if (zone.plan.domainId !== undefined) {
      for (const name of zone.changedNames) {
        const text = lostExchangers(zone, name);
        if (text !== undefined) yield { text, effects: effectsAt(zone, name, "MX") } satisfies Finding;
      }
    }
    yield* policyFindings(zone, world, weakerSpf, weakerDmarc);
  },
};

/** Mail that was accepted, and is refused from now on. */
export const tighterPolicies: Guard = {
  guard: "G17",
  about: "SPF or DMARC comes to refuse mail that was accepted",
  *check(zone, world) {
    yield* policyFindings(zone, world, tighterSpf, tighterDmarc);
  },
};

/** Mail that goes to another server first. */
export const mailPrecedence: Guard = {
  guard: "G16",
  about: "a new MX takes precedence over all that stay",
  *check(zone) {
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, "MX");
      if (effects.length === 0) continue;
      const [were, are] = [exchangersOf(zone, name, "before"), exchangersOf(zone, name, "after")];
      const known = new Set(were.map(({ target }) => target));
      const stay = are.filter(({ target }) => known.has(target)).sort((a, b) => a.priority - b.priority);
      const [first] = stay;
      const ahead = are.filter(({ target, priority }) => !known.has(target) && first && priority < first.priority);
      if (first === undefined || ahead.length === 0) continue;
      const [added] = ahead.sort((a, b) => a.priority - b.priority);
      const text = `mail goes to ${written(added)} before ${written(first)}`;
      yield { text, effects, facts: stay.map((one) => `${name} MX ${one.priority} ${one.target}`) } satisfies Finding;
    }
  },
};

interface Exchanger {
  readonly priority: number;
  /** In lower case. */
  readonly target: Name;
}

function written(exchanger: Exchanger | undefined): string {
  return exchanger === undefined ? "" : `${exchanger.target.slice(0, -1)} (${exchanger.priority})`;
}

/** The mail servers at a name; a null MX (RFC 7505) names none. */
function exchangersOf(zone: Changing, name: Name, side: "before" | "after"): Exchanger[] {
  return recordsAt(zone[side], name, "MX")
    .map(({ data }) => ({ priority: Number(data.priority), target: String(data.target).toLowerCase() }))
    .filter(({ target }) => target !== ".");
}

function lostExchangers(zone: Changing, name: Name): string | undefined {
  const { before, after } = zone;
  const isNull = (side: "before" | "after") =>
    recordsAt(zone[side], name, "MX").some(({ data }) => data.target === ".");
  if (isNull("after") && !isNull("before")) {
    const was = ["MX", "A", "AAAA"].some((type) => recordsAt(before, name, type).length > 0);
    return `no mail is accepted${was ? " any more" : ""} (null MX)`;
  }
  const were = exchangersOf(zone, name, "before").map(({ target }) => target);
  if (were.length === 0 || isNull("before")) return undefined;
  if (recordsAt(after, name, "MX").length === 0) return "the last MX goes";
  const are = exchangersOf(zone, name, "after").map(({ target }) => target);
  return were.some((target) => are.includes(target)) ? undefined : "none of the mail servers stays";
}

function* policyFindings(
  zone: Changing,
  world: World,
  ofSpf: (change: SpfChange) => Verdict | undefined,
  ofDmarc: (name: Name, world: World) => Verdict | undefined,
): Generator<Finding> {
  for (const name of zone.changedNames) {
    const effects = effectsAt(zone, name, "TXT", "CNAME");
    const verdict = effects.length > 0 ? ofSpf(spfChange(name, world)) : undefined;
    if (verdict) yield { ...verdict, effects };
  }
  for (const { name, effects } of policyChanges(zone, world, isDmarcName)) {
    const verdict = ofDmarc(name, world);
    if (verdict) yield { ...verdict, effects };
  }
}

function spfChange(name: Name, { answersBefore, answersAfter }: World): SpfChange {
  const policyIn = (answers: ZoneAnswers) => (name: Name) => {
    const { valid } = policyTexts(answers, name, "SPF");
    return valid.length === 1 ? valid[0] : undefined;
  };
  const [policyBefore, policyAfter] = [policyIn(answersBefore), policyIn(answersAfter)];
  const isElsewhere = !policyTexts(answersAfter, name, "SPF").isKnown;
  return {
    before: isElsewhere ? undefined : policyBefore(name),
    after: policyAfter(name),
    policyBefore,
    policyAfter,
  };
}
