import { hasErrors } from "../../../src/diagnostics/problem.ts";
import { checkAcross } from "../../../src/dns/across.ts";
import { checkZone } from "../../../src/dns/check.ts";
import { accept } from "../../../src/targets/api/accept.ts";
import { Random } from "../../executor/random.ts";
import { zoneOf } from "../../planner/world.ts";
import type { DarkWorld, DarkZone, ZoneSide } from "./world.ts";

/** Zones above, below and beside each other. */
const families: readonly (readonly string[])[] = [
  ["example.com."],
  ["example.com."],
  ["example.com.", "sub.example.com."],
  ["example.com.", "example.net."],
  ["example.com.", "sub.example.com.", "example.net."],
  ["example.com.", "a.sub.example.com.", "sub.example.com."],
  ["example.com.", "sub.example.com.", "a.sub.example.com.", "example.net."],
];

/** Names that stand above, below and beside each other. */
const hosts = ["@", "a", "b", "*", "sub", "a.sub", "b.sub", "*.sub", "x.y", "*.y", "y", "ns.sub", "ns.b", "c.a.sub"];

/** The world of a seed: the same one every time, and valid on both sides. */
export function generate(seed: number): DarkWorld {
  const random = new Random(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
  const names = pick(families);
  const secondary =
    random.below(6) === 0 ? pick(["sec.example.com.", "sec.example.org.", "b.example.com."]) : undefined;
  const all = secondary ? [...names, secondary] : names;
  const maker = new ZoneMaker(random, all);
  const zones = names.map((name, index): DarkZone => {
    const dice = random.below(12);
    const sides = maker.sides(names.length);
    const isMain = index === 0;
    if (isMain && dice > 1) return { name, ...sides };
    if (dice < 2)
      return {
        name,
        before: { ...sides.before, isDisabled: random.below(2) === 0 },
        after: { ...sides.after, isDisabled: random.below(2) === 0 },
      };
    if (dice < 5) return { name, after: sides.after };
    if (dice < 7) return { name, before: sides.before };
    return { name, ...sides };
  });
  const below = secondary && { name: secondary, isSecondary: true, before: maker.secondary(), after: { lines: [] } };
  return valid({ title: `seed ${seed}`, zones: below ? [...zones, below] : zones });
}

class ZoneMaker {
  readonly #random: Random;
  readonly #targets: readonly string[];

  constructor(random: Random, zones: readonly string[]) {
    this.#random = random;
    const inside = zones.flatMap((zone) =>
      ["a", "b", "sub", "a.sub", "x.y", "z", "ns.sub"].map((host) => `${host}.${zone}`),
    );
    this.#targets = [...inside, ...zones, "host.outside.test."];
  }

  sides(ofZones: number): { before: ZoneSide; after: ZoneSide } {
    const before: string[] = [];
    const after: string[] = [];
    const count = 1 + this.#below(ofZones > 2 ? 4 : 5);
    const owners = new Set(Array.from({ length: count }, () => this.#pick(hosts)));
    const isCovered = this.#below(2) === 0;
    if (isCovered) owners.add(this.#pick(["*", "*", "*.sub"]));
    for (const owner of owners) {
      const isWild = owner.startsWith("*");
      const dice = this.#below(isWild ? 10 : 5);
      const one = isWild ? this.#several(owner) : this.#records(owner);
      if (dice !== 0) before.push(...one);
      if (dice === 0 || dice === 2)
        after.push(...(isCovered && dice === 0 ? this.#several(owner) : this.#records(owner)));
      else if (dice === 3) after.push(...this.#mixed(one, owner));
      else if (dice > 3) after.push(...one);
    }
    return { before: { lines: [...new Set(before)] }, after: { lines: [...new Set(after)] } };
  }

  /** Records of up to four types: of these, a wildcard answers for each. */
  #several(owner: string): string[] {
    if (owner.startsWith("*") && this.#below(5) === 0) return [`${owner} CNAME ${this.#target()}`];
    const all = [this.#address(owner), `${owner} AAAA 2001:db8::1`, this.#text(owner), this.#mail(owner)];
    const some = all.filter(() => this.#below(2) === 0);
    return some.length > 0 ? some : [this.#address(owner)];
  }

  secondary(): ZoneSide {
    const lines = [`d DNAME ${this.#target()}`, "a A 192.0.2.77"];
    if (this.#below(2) === 0) lines.push(`* CNAME ${this.#target()}`);
    else lines.push(`b CNAME ${this.#target()}`);
    return { lines };
  }

  /** Some of the records, and others. */
  #mixed(lines: readonly string[], owner: string): string[] {
    const kept = lines.filter(() => this.#below(2) === 0);
    const more = kept.some((line) => line.includes(" CNAME ")) ? [] : this.#records(owner);
    return [...kept, ...(kept.length === 0 ? more : more.filter((line) => !line.includes(" CNAME ")))];
  }

  #records(owner: string): string[] {
    const isHost = owner !== "@";
    const isWild = owner.startsWith("*");
    const glue = owner.startsWith("ns.") ? 6 : 1;
    const kinds: [number, () => string[]][] = [
      [4 * glue, () => [this.#address(owner)]],
      [3 * glue, () => [this.#address(owner), `${owner} AAAA 2001:db8::${1 + this.#below(2)}`]],
      [1, () => [`${owner} AAAA 2001:db8::${1 + this.#below(2)}`]],
      [2, () => [this.#address(owner), `${owner} AAAA 2001:db8::1`, this.#mail(owner)]],
      [2, () => [this.#address(owner), this.#text(owner)]],
      [2, () => [this.#text(owner)]],
      [2, () => [this.#mail(owner)]],
      [1, () => [this.#mail(owner), this.#mail(owner)]],
      [1, () => [`${owner} MX 0 .`]],
      [1, () => [this.#address(owner), `${owner} MX 0 .`]],
      [
        1,
        () => (isWild ? [this.#text(owner)] : [`_sip._tcp${isHost ? `.${owner}` : ""} SRV 0 0 5060 ${this.#target()}`]),
      ],
      [isHost ? 4 : 0, () => [`${owner} CNAME ${this.#target()}`]],
      [isHost && !isWild ? 4 : 0, () => this.#delegation(owner)],
    ];
    let dice = this.#below(kinds.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, make] of kinds) {
      dice -= weight;
      if (dice < 0) return make();
    }
    return [];
  }

  #delegation(owner: string): string[] {
    const dice = this.#below(5);
    if (dice < 2) return [`${owner} NS ns.${owner}`, `ns.${owner} A 192.0.2.${53 + this.#below(2)}`];
    if (dice === 2)
      return [
        `${owner} NS ns.${owner}`,
        `${owner} NS ns2.${owner}`,
        `ns.${owner} A 192.0.2.53`,
        `ns2.${owner} AAAA 2001:db8::53`,
      ];
    if (dice === 3) return [`${owner} NS ns1.outside.test.`];
    return [`${owner} NS ${this.#target()}`];
  }

  #address(owner: string): string {
    return `${owner} A 192.0.2.${1 + this.#below(3)}`;
  }

  #text(owner: string): string {
    return `${owner} TXT "text ${this.#below(2)}"`;
  }

  #mail(owner: string): string {
    return `${owner} MX ${10 + this.#below(2)} ${this.#target()}`;
  }

  #target(): string {
    return this.#pick(this.#targets);
  }

  #below(end: number): number {
    return this.#random.below(end);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }
}

/** The world without what validate refuses on either side: all records of a name with an error are left out. */
export function valid(world: DarkWorld): DarkWorld {
  return { ...world, zones: validSide(validSide(world.zones, "before"), "after") };
}

export function isValid(world: DarkWorld): boolean {
  return JSON.stringify(valid(world)) === JSON.stringify(world);
}

function validSide(zones: readonly DarkZone[], side: "before" | "after"): readonly DarkZone[] {
  let now = zones;
  for (;;) {
    const faulty = faultyOwners(now, side);
    if (faulty.size === 0) return now;
    now = now.map((zone): DarkZone => {
      const one = zone[side];
      if (one === undefined || zone.isSecondary) return zone;
      const lines = one.lines.filter((line) => !faulty.has(`${zone.name} ${ownerOf(line, zone.name)}`));
      return { ...zone, [side]: { ...one, lines } };
    });
  }
}

/** `zone owner` where there is an error. */
function faultyOwners(zones: readonly DarkZone[], side: "before" | "after"): Set<string> {
  const used = zones.filter((zone) => zone[side] !== undefined && !zone.isSecondary);
  const read = used.map((zone) => zoneOf(zone[side]?.lines.join("\n") ?? "", zone.name, zone.name));
  const across = checkAcross(read);
  const faulty = new Set<string>();
  for (const [index, zone] of read.entries()) {
    const found = [...checkZone(zone), ...accept(zone).problems, ...(across[index] ?? [])];
    for (const one of found.filter(({ severity }) => hasErrors([{ severity } as never])))
      faulty.add(`${zone.name} ${(one.owner ?? zone.name).toLowerCase()}`);
  }
  return faulty;
}

function ownerOf(line: string, zone: string): string {
  const [owner = "@"] = line.split(" ");
  return owner === "@" ? zone : `${owner}.${zone}`;
}
