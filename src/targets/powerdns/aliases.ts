import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { isWildcard, nameKey, relativeTo, shownName, withoutDot } from "../../dns/name/name.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import type { AliasReview, AliasZone, ServiceFact } from "../target.ts";
import { zoneKind } from "./settings.ts";

/** The settings of PowerDNS about ALIAS, each undefined if the server does not tell it (4.7, 2026-11). */
interface AliasSettings {
  /** The setting that keeps it from answering with addresses, as a line of its configuration; "" if none does. */
  readonly obstacle: string | undefined;
  /** Whether secondaries get addresses in place of ALIAS records. */
  readonly isTransferred: boolean | undefined;
}

/** The settings by which PowerDNS answers ALIAS with addresses: both are off unless the configuration has them. */
const needed = "`expand-alias=yes` and `resolver=ADDRESS` of a resolver";

/** `config`: the settings of the server by name; undefined if it does not tell them. */
function aliasSettings(config: ReadonlyMap<string, string> | undefined): AliasSettings {
  const [expands, resolver, transfers] = ["expand-alias", "resolver", "outgoing-axfr-expand-alias"].map((name) =>
    config?.get(name),
  );
  // A server without one of them is another version, of which nothing is known.
  const isKnown = expands !== undefined && resolver !== undefined;
  const off = !isKnown ? undefined : isOff(expands) ? "expand-alias" : isOff(resolver) ? "resolver" : "";
  return {
    obstacle: off && `${off}=${escapeControl(config?.get(off) || "no")}`,
    isTransferred: transfers === undefined ? undefined : !isOff(transfers),
  };
}

function isOff(value: string): boolean {
  return value === "" || value === "no" || value === "off";
}

/**
 * Why resolvers get no addresses for the ALIAS records of zones: PowerDNS does not look them up, or does not sign their
 * addresses, as it signs all other answers. And what secondaries get.
 */
export function reviewAliases(
  config: ReadonlyMap<string, string> | undefined,
  zones: readonly AliasZone[],
): AliasReview {
  const { obstacle, isTransferred } = aliasSettings(config);
  const unanswered = new Map<AliasZone, Unanswered>();
  for (const zone of zones) {
    const why = obstacle ? notLookedUp(obstacle) : zone.isSigned ? notSigned : undefined;
    if (why) unanswered.set(zone, why);
  }
  const toSecondaries =
    isTransferred === false ? zones.filter(({ settings, added }) => added > 0 && isPrimary(settings)) : [];
  return {
    unanswered: new Map([...unanswered].map(([{ name }, { text }]) => [nameKey(name), text])),
    problems: [
      ...[...unanswered].map(([zone, { text, fix }]) => aliasProblem(zone, text, fix)),
      ...toSecondaries.map(noteTransfers),
    ],
  };
}

interface Unanswered {
  readonly text: string;
  readonly fix: string;
}

const notLookedUp = (obstacle: string): Unanswered => ({
  text: `PowerDNS answers ALIAS with nothing (\`${obstacle}\`)`,
  fix: `Add ${needed} to pdns.conf, and restart PowerDNS; or write the addresses of the target.`,
});

const notSigned: Unanswered = {
  text: "PowerDNS does not sign the addresses of ALIAS records, so validating resolvers reject them in this signed zone",
  fix: "Write the addresses of the target; or have only secondaries answer, which get signed addresses by AXFR with `outgoing-axfr-expand-alias=yes`.",
};

function isPrimary({ kind }: AliasZone["settings"]): boolean {
  return typeof kind === "string" && zoneKind({ kind }) === "Primary";
}

function aliasProblem(zone: AliasZone, why: string, fix: string): Problem {
  return problem("powerdns/alias", `${countText(zone)}: ${why}`, { fix, owner: zone.name });
}

/** The ALIAS records that a zone has, and those that a plan adds. */
function countText({ name, count: records, added }: AliasZone): string {
  const zone = shownName(withoutDot(name));
  if (added === 0) return `${zone} has ${count(records, "ALIAS record")}`;
  if (added === records) return `${zone} gets ${count(records, "ALIAS record")}`;
  return `${zone} has ${count(records - added, "ALIAS record")} and gets ${added} more`;
}

function noteTransfers(zone: AliasZone): Problem {
  const summary = `${countText(zone)}: secondaries get them as records of TYPE65401, and have no addresses for these names (\`outgoing-axfr-expand-alias=no\`)`;
  const fix =
    "Set `outgoing-axfr-expand-alias=yes` in pdns.conf if secondaries transfer the zone. They have the addresses of that time, until the serial of the zone rises.";
  return problem("powerdns/alias-transfer", summary, { fix, owner: zone.name });
}

/** Warnings of ALIAS records that PowerDNS stores, and does not answer as their file says (4.7, 2026-11). */
export function findUnansweredAliases(zone: Zone): Problem[] {
  const found = new Set<string>();
  return zone.records.flatMap((record): Problem[] => {
    const { owner, type } = record;
    if (type !== "ALIAS") return [];
    const about = { owner, ...placeWithIncludes(record) };
    const shown = `${relativeTo(owner, zone.name)} ALIAS`;
    if (found.has(nameKey(owner))) {
      const summary = `${shown}: PowerDNS answers with the addresses of one ALIAS record, and the name has several`;
      return [problem("powerdns/alias-name", summary, { fix: "Keep one of them.", ...about })];
    }
    found.add(nameKey(owner));
    if (!isWildcard(owner)) return [];
    const summary = `${shown}: PowerDNS answers with nothing for the names below the wildcard`;
    const fix = "Write a CNAME record there, or the addresses of the target.";
    return [problem("powerdns/alias-name", summary, { fix, ...about })];
  });
}

/** Whether a server answers ALIAS records with addresses; none if it does not tell. */
export function examineAliases(config: ReadonlyMap<string, string> | undefined): ServiceFact[] {
  const { obstacle, isTransferred } = aliasSettings(config);
  if (obstacle === undefined) return [];
  const subject = "ALIAS";
  if (obstacle !== "") {
    const text = `this server looks up no targets (\`${obstacle}\`), which is right unless zones have ALIAS records`;
    return [{ subject, state: "ok", text: `${text}: those need ${needed} in pdns.conf` }];
  }
  const resolver = escapeControl(config?.get("resolver") ?? "");
  const transfers = isTransferred === false ? "; secondaries get none (`outgoing-axfr-expand-alias=no`)" : "";
  return [{ subject, state: "ok", text: `answered with addresses, which ${resolver} looks up${transfers}` }];
}
