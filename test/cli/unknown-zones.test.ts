import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";
import { targetDesk } from "./target-desk.ts";

const zone = "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

const unknown: { what: string; zones: string; talk: string }[] = [
  {
    what: "a misspelled zone name",
    zones: "exmaple.com",
    talk: lines`
      error[zone-unknown] exmaple.com is neither a file nor a zone of this project
        Did you mean "example.com"?
    `,
  },
  {
    what: "a misspelled file name",
    zones: "zones/exmaple.com.yaml",
    talk: lines`
      error[zone-unknown] zones/exmaple.com.yaml is neither a file nor a zone of this project
        Did you mean "zones/example.com.yaml"?
    `,
  },
  {
    what: "one of two zones",
    zones: "example.com shop.test",
    talk: lines`
      error[zone-unknown] shop.test is neither a file nor a zone of this project
        Write the path of a zone file, or the name of a zone of this project.
    `,
  },
  {
    what: "a folder",
    zones: "zones",
    talk: lines`
      error[zone-unknown] zones is a folder
        Use --zones zones to read the zone files in it.
    `,
  },
];

test.each(unknown)("reports $what as unknown to the project", async ({ zones, talk }) => {
  const desk = await apiDesk({ "zones/example.com.yaml": zone });
  expect(await desk.run(`apply --yes ${zones}`)).toEqual({ code: 3, out: "", talk });
  expect(desk.writes).toEqual([]);
});

const config = `TARGETS
zones:
  - { path: zones, targets: [public, office] }
  - { path: inside, targets: [office] }
`;

const ofFolder = "add public to the targets of its folder in zonewright.yaml";
const ofFile = "add office to `targets` in zones/example.org.yaml";
const elsewhere: { what: string; words: string; targets: string; fix: string }[] = [
  { what: "a zone by its name", words: "plan example.net --target public", targets: "office", fix: ofFolder },
  {
    what: "a zone by its file",
    words: "plan inside/example.net.yaml --target public",
    targets: "office",
    fix: ofFolder,
  },
  { what: "a zone of fewer targets", words: "apply example.org --target office", targets: "public", fix: ofFile },
  { what: "one of two", words: "plan example.com example.net --target public", targets: "office", fix: ofFolder },
];

test.each(elsewhere)("$what that the selected target does not have is an error", async ({ words, targets, fix }) => {
  const files = {
    "zonewright.yaml": config,
    "zones/example.com.yaml": zone,
    "zones/example.org.yaml": `targets: public\n${zone}`,
    "inside/example.net.yaml": zone,
  };
  const desk = await targetDesk(["public", "office"], files);
  const name = words.split(" ").find((word) => /example\.(?:net|org)/.test(word)) ?? "";
  const [, selected = ""] = /--target (\S+)/.exec(words) ?? [];
  expect(await desk.run(words)).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[zone-unknown] ${name} is not applied to the target ${selected}, but to ${targets}
        Leave out --target, or ${fix}.
    `,
  });
  const advised = await desk.run(words.replace(/ --target \S+/, ""));
  expect(advised.talk).not.toContain("zone-unknown");
});

test("every plan reports skipped files", async () => {
  const desk = await apiDesk({ "zones/example.com.yam": zone, "zones/example.net.yaml": zone });
  await desk.run("apply --yes");
  expect(await desk.run("plan")).toEqual({
    code: 0,
    out: lines`
      note  zones/example.com.yam is skipped: the name of a zone file ends in .yaml, .yml, .zone, .db; it looks like a zone file in YAML
      in sync: 1 zone, nothing to do
    `,
    talk: "",
  });
});
