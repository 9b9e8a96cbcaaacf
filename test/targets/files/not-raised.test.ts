import { expect, test } from "vitest";
import { copies, Fleet, master } from "./fleet.ts";

const file = "srv/example.com.zone";
const monday = "2026-11-30T10:00:00Z";
const note = (found: string) => `note  example.com: ${found}: secondaries do not transfer it\n`;
const zoneFile = "/desk/srv/example.com.zone";

const keep = async (fleet: Fleet) => expect(await fleet.run("drift --write")).toMatchObject({ code: 0 });
const edit = (change: (text: string) => string) => async (fleet: Fleet) => {
  fleet.write(file, change(fleet.read(file)));
  await keep(fleet);
};
const restore = async (fleet: Fleet, [first = ""]: string[]) => {
  fleet.write(file, first);
  await keep(fleet);
};

/** Someone replaces a file, and the project keeps the edit: without a later serial, secondaries would never get it. */
test.each<[title: string, replace: (fleet: Fleet, earlier: string[]) => Promise<void>, which: string]>([
  [
    "edited with its serial",
    edit((text) => `${text}shop A 192.0.2.44\n`),
    `${zoneFile} was edited, and has the serial 2026113001 as before`,
  ],
  [
    "edited with a lower serial",
    edit((text) => `${text.replace("2026113001", "7")}shop A 192.0.2.44\n`),
    `the serial 7 of ${zoneFile} is not above 2026113001, the last one written`,
  ],
  ["an earlier one", restore, `the serial 2026113000 of ${zoneFile} is not above 2026113001, the last one written`],
])("a file is replaced: %s", async (_, replace, which) => {
  const fleet = new Fleet({ "example.com.zone": master() }, `serial: date, ${copies}`);
  await fleet.apply(monday);
  const first = fleet.read(file);
  fleet.write("zones/example.com.zone", master("192.0.2.4"));
  await fleet.apply(monday);
  await replace(fleet, [first]);
  expect((await fleet.run("plan")).out).toContain(note(which));
  expect(await fleet.apply(monday)).toMatchObject({ code: 0 });
  expect(fleet.serial()).toBe(2_026_113_002);
  expect(fleet.read("served/example.com.zone")).toBe(fleet.read(file));
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
});

test("a file that is edited with a later serial is kept", async () => {
  const fleet = new Fleet({ "example.com.zone": master() }, `serial: date, ${copies}`);
  await fleet.apply(monday);
  await edit((text) => `${text.replace("2026113000", "2026113050")}shop A 192.0.2.44\n`)(fleet);
  expect((await fleet.run("plan")).out).toBe("in sync: 1 zone, nothing to do\n");
  fleet.write("zones/example.com.zone", master("192.0.2.5"));
  await fleet.apply(monday);
  expect(fleet.serial()).toBe(2_026_113_051);
});
