import { type Name, type NameKey, nameKey } from "../../src/dns/name/name.ts";
import { asId, type Id, type LiveRecord, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { canonical, rdataText, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import { isServed, type Plan, type RecordChange, type Step, type ZonePlan } from "../../src/planner/changes/change.ts";
import { apiTimes } from "../../src/targets/api/settings.ts";
import { recordLine } from "./steps-text.ts";
import { storedSettings } from "./world.ts";

/**
 * The stored zones after all steps in this order, and the writes that a service refuses (decisions/service#records).
 */
export function store(
  plan: Pick<Plan, "zones">,
  live: ReadonlyMap<NameKey, LiveZone>,
  order = plan.zones.flatMap(({ steps }) => steps).sort((a, b) => a.id - b.id),
): { live: Map<NameKey, LiveZone>; refused: string[] } {
  const stores = plan.zones.map((zone) => new Store(zone, live.get(nameKey(zone.zone.name))));
  for (const step of order)
    for (const change of step.writes) stores.find(({ plan }) => plan.steps.includes(step))?.write(change);
  const written = stores.map((one) => [nameKey(one.plan.zone.name), one.end()] as const);
  return { live: new Map([...live, ...written]), refused: stores.flatMap(({ refused }) => refused) };
}

/** Steps in an order that their needs allow, chosen by the numbers. */
export function anOrder(plan: Pick<Plan, "zones">, choices: readonly number[]): Step[] {
  const waiting = plan.zones.flatMap((zone) => zone.steps);
  const closed = plan.zones.filter((zone) => isServed(zone).before && !isServed(zone).after);
  const done = new Set<number>();
  const order: Step[] = [];
  while (waiting.length > 0) {
    const isReady = ({ needs, needsZones = [] }: Pick<Step, "needs" | "needsZones">): boolean =>
      needs.every((id) => done.has(id)) && needsZones.every(hasTurned);
    const hasTurned = (name: Name): boolean => {
      const zone = plan.zones.find((one) => one.zone.name === name);
      const own = zone && isServed(zone).after ? zone.steps.map(({ id }) => id) : [];
      return own.every((id) => done.has(id)) && isReady(zone?.activation ?? { needs: [] });
    };
    const ready = waiting.filter(
      (step) => isReady(step) && !closed.some((zone) => zone.steps.includes(step) && !hasTurned(zone.zone.name)),
    );
    const next = ready.at((choices[order.length % choices.length] ?? 0) % ready.length);
    if (next === undefined) throw new Error("no step can begin");
    waiting.splice(waiting.indexOf(next), 1);
    done.add(next.id);
    order.push(next);
  }
  return order;
}

class Store {
  readonly plan: ZonePlan;
  readonly refused: string[] = [];
  readonly #live: LiveZone | undefined;
  readonly #records: Map<Id, LiveRecord>;
  #created = 0;

  constructor(plan: ZonePlan, live: LiveZone | undefined) {
    this.plan = plan;
    this.#live = live;
    this.#records = new Map(live?.records.map((record) => [record.id, record]));
  }

  write(change: RecordChange): void {
    const refuse = (why: string) =>
      this.refused.push(
        `${change.kind} ${recordLine(change.kind === "delete" ? change.before : change.after, this.plan.zone.name)}: ${why}`,
      );
    if (change.kind !== "create" && this.#records.get(change.before.id) !== change.before) refuse("not what is stored");
    if (change.kind !== "create") this.#records.delete(change.before.id);
    if (change.kind === "delete") return;
    const { owner, type, ttl, data } = change.after;
    if (change.kind === "update" && (change.before.type !== type || !isSame(change.before.owner, owner)))
      refuse("an update keeps name and type");
    const others = [...this.#records.values()].filter((other) => isSame(other.owner, owner));
    if (others.some((other) => type === "CNAME" || other.type === "CNAME")) refuse("a CNAME stands alone");
    const mail = type === "MX" ? others.filter((other) => other.type === "MX") : [];
    if (mail.some((other) => [change.after, other].some((record) => rdataText(record) === ".")))
      refuse("a null MX stands alone");
    const id = change.kind === "update" ? change.before.id : asId(`new ${++this.#created}`);
    this.#records.set(id, { id, owner, type, ttl, data });
  }

  end(): LiveZone {
    const { settings, zone, domainId } = this.plan;
    const changed = Object.fromEntries(settings.map(({ name, after }) => [name, after]));
    return {
      name: zone.name,
      id: domainId ?? asId(99),
      defaultTimes: apiTimes,
      settings: storedSettings({ ...(this.#live?.settings ?? zone.settings), ...changed }),
      records: [...this.#records.values()],
    };
  }
}

/** max(old, new) − equal, summed over the sets; counted here without looking at the plan's writes. */
export function fewestWrites({ zone, defaultTtl }: ZonePlan, live: LiveZone): number {
  const setOf = ({ owner, type }: ZoneRecord) => `${owner.toLowerCase()} ${type}`;
  const ttlOf = ({ ttl = defaultTtl.after }: ZoneRecord) => ttl;
  const sets = new Set([...zone.records, ...live.records].map(setOf));
  return [...sets].reduce((sum, set) => {
    const wanted = zone.records.filter((record) => setOf(record) === set);
    const stored = live.records.filter((record) => setOf(record) === set);
    const equal = wanted.filter((want) =>
      stored.some(
        (record) => canonical(record) === canonical(want) && [ttlOf(want), want.otherTtl].includes(ttlOf(record)),
      ),
    );
    return sum + Math.max(wanted.length, stored.length) - equal.length;
  }, 0);
}

function isSame(a: Name, b: Name): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
