import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { copies, Fleet, master } from "./fleet.ts";

/** A zone that BIND's tools sign, with a key that is made once for a fleet. */
class Signer {
  readonly #fleet: Fleet;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#run("dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", "-f", "KSK", "example.com");
    this.#run("dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", "example.com");
  }

  /** Signs a zone with a serial into the project. */
  sign(serial: number, address?: string): Buffer {
    const { folder } = this.#fleet;
    writeFileSync(join(folder, "unsigned"), master(address).replace("( 7 ;", `( ${serial} ;`));
    this.#run("dnssec-signzone", "-q", "-S", "-o", "example.com", "-f", "zones/example.com.zone", "unsigned");
    return readFileSync(join(folder, "zones/example.com.zone"));
  }

  #run(program: string, ...words: string[]): void {
    execFileSync(program, words, { cwd: this.#fleet.folder, stdio: "pipe" });
  }
}

describe.skipIf(isMissing("dnssec-signzone"))("a signed zone", () => {
  const check = 'check: [named-checkzone, -i, local, "{zone}", "{file}"]';

  async function published() {
    const fleet = new Fleet({ ".keep": "" }, `${check}, ${copies}`);
    const signer = new Signer(fleet);
    const bytes = signer.sign(2_000_000_000);
    expect(await fleet.apply()).toMatchObject({ code: 0 });
    return { fleet, signer, bytes };
  }

  const readFrom = (fleet: Fleet, file: string) => readFileSync(join(fleet.folder, file));

  test("is published octet for octet, with its own serial", async () => {
    const { fleet, bytes } = await published();
    expect(readFrom(fleet, "srv/example.com.zone").equals(bytes)).toBe(true);
    expect(readFrom(fleet, "served/example.com.zone").equals(bytes)).toBe(true);
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });

  test("is published again when it is signed again with a higher serial", async () => {
    const { fleet, signer } = await published();
    const bytes = signer.sign(2_000_000_001, "192.0.2.4");
    expect(await fleet.apply()).toMatchObject({ code: 0 });
    expect(readFrom(fleet, "served/example.com.zone").equals(bytes)).toBe(true);
  });

  test.each<[title: string, damage: (fleet: Fleet, first: Buffer) => void]>([
    ["an old copy", (fleet, first) => writeFileSync(join(fleet.folder, "srv/example.com.zone"), first)],
    ["an edited one", (fleet) => fleet.write("srv/example.com.zone", `${fleet.read("srv/example.com.zone")};\n`)],
    ["none", (fleet) => rmSync(join(fleet.folder, "srv/example.com.zone"))],
  ])("takes the place of %s again, with the serial that it was published with", async (_, damage) => {
    const { fleet, signer, bytes: first } = await published();
    const bytes = signer.sign(2_000_000_001, "192.0.2.4");
    expect(await fleet.apply()).toMatchObject({ code: 0 });
    damage(fleet, first);
    expect(await fleet.apply()).toMatchObject({ code: 0 });
    expect(readFrom(fleet, "srv/example.com.zone").equals(bytes)).toBe(true);
    expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  });

  test.each([
    [
      "its serial is not above the published one",
      (signer: Signer) => signer.sign(2_000_000_000, "192.0.2.4"),
      "example.com has RRSIG or ZONEMD records, and the serial 2000000000 of its source is not above 2000000000. Sign it, or make its digest, again with a higher serial: these records cover the serial.",
    ],
    [
      "it includes a file, so that other records would be published than those of its source",
      (signer: Signer, fleet: Fleet) => {
        signer.sign(2_000_000_001, "192.0.2.4");
        fleet.write("zones/more.inc", "more A 192.0.2.7\n");
        fleet.write("zones/example.com.zone", `${fleet.read("zones/example.com.zone")}$INCLUDE more.inc\n`);
      },
      "example.com has RRSIG or ZONEMD records, so it is written only as a BIND zone file with exactly these records; the source has others. Sign the zone that is to be published, or make its digest, and apply all of its changes together.",
    ],
  ])("is refused where %s", async (_, change, says) => {
    const { fleet, signer, bytes } = await published();
    change(signer, fleet);
    const { code, talk } = await fleet.apply();
    expect([code, talk]).toEqual([3, expect.stringContaining(says)]);
    expect(readFrom(fleet, "srv/example.com.zone").equals(bytes)).toBe(true);
  });

  test("cannot be undone, because the zone before has no higher serial", async () => {
    const { fleet, signer } = await published();
    const bytes = signer.sign(2_000_000_001, "192.0.2.4");
    await fleet.apply("2026-03-04T12:00:10Z");
    const { code, talk } = await fleet.run("undo last --yes --allow G01,G03,G04,G05,G13");
    expect([code, talk]).toEqual([3, expect.stringContaining("Sign the zone that is to be published")]);
    expect(readFrom(fleet, "srv/example.com.zone").equals(bytes)).toBe(true);
  });
});

/** The zone of RFC 8976, appendix A.1, whose digest covers its serial. */
const withDigest = `example.      86400  IN  SOA     ns1 admin 2018031900 (
                                 1800 900 604800 86400 )
              86400  IN  NS      ns1
              86400  IN  NS      ns2
              86400  IN  ZONEMD  2018031900 1 1 (
                                 c68090d90a7aed71
                                 6bc459f9340e3d7c
                                 1370d4d24b7e2fc3
                                 a1ddc0b9a87153b9
                                 a9713b3c9ae5cc27
                                 777f98b8e730044c )
ns1           3600   IN  A       203.0.113.63
ns2           3600   IN  AAAA    2001:db8::63
`;

test("a zone with a digest is published octet for octet, and refused with another serial", async () => {
  const fleet = new Fleet({ "example.zone": withDigest });
  expect(await fleet.apply()).toMatchObject({ code: 0 });
  expect(fleet.read("served/example.zone")).toBe(withDigest);
  fleet.write("zones/example.zone", `${withDigest}www 3600 IN A 203.0.113.64\n`);
  const { code, talk } = await fleet.apply("2026-03-04T12:00:10Z");
  expect([code, talk]).toEqual([
    3,
    expect.stringContaining(
      "example has RRSIG or ZONEMD records, and the serial 2018031900 of its source is not above",
    ),
  ]);
  expect(fleet.read("srv/example.zone")).toBe(withDigest);
});
