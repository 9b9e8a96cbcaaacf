import fc from "fast-check";
import { expect, test } from "vitest";
import { cutOf } from "../../src/dns/lookup.ts";
import { type NameKey, nameKey, readExactName } from "../../src/dns/name.ts";
import { byOwner, type ZoneRecord } from "../../src/dns/zone.ts";
import { Answerers } from "../../src/planner/answerer.ts";
import { domainName } from "../names.ts";
import { samples } from "../properties.ts";
import { Answerers as Old } from "./earlier-answerers.ts";

const apex = domainName("example.");
const label = fc.constantFrom("*", "a", "A", "b", "B", "c");
const name = fc.array(label, { maxLength: 4 }).map((labels) => readExactName([...labels, "Example."].join(".")));
const type = fc.constantFrom("A", "A", "TXT", "NS", "CNAME", "DNAME");
const record = fc
  .tuple(name, type)
  .map(([owner, type]): ZoneRecord => ({ owner, type, ttl: undefined, data: { target: domainName("host.test.") } }));
const zone = fc.array(record, { maxLength: 12 }).map(byOwner);

/** The nearest DNAME record above a name. */
const isRenamed = (owners: ReturnType<typeof byOwner>, target: NameKey) =>
  cutOf(apex, target, (above) => above !== target && owners.get(above)?.has("DNAME") === true) !== undefined ||
  (target !== apex && owners.get(apex)?.has("DNAME") === true);

test("owners that answer: the same as before, but below a DNAME record", () => {
  fc.assert(
    fc.property(zone, name.map(nameKey), (owners, target) => {
      if (isRenamed(owners, target)) return;
      expect(new Answerers(apex, owners).of(target)).toEqual(new Old(apex, owners).of(target));
    }),
    samples(20_000),
  );
});

test("the part that a wildcard covers: the same as before, but below a DNAME record and below a zone cut", () => {
  fc.assert(
    fc.property(zone, name.map(nameKey), (owners, target) => {
      if (isRenamed(owners, target)) return;
      const isCut =
        cutOf(apex, target, (above) => owners.get(above)?.has("NS") === true && above !== apex) !== undefined;
      const found = new Answerers(apex, owners).under(target);
      expect(found).toEqual(isCut ? undefined : new Old(apex, owners).under(target));
    }),
    samples(20_000),
  );
});
