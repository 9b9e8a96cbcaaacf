import { expect, test } from "vitest";
import { Desk } from "../../cli/run.ts";
import { zoneText } from "./two-servers.ts";

test("the file has the name servers that a service adds, which its config declares", async () => {
  const desk = new Desk();
  const config = (declared: string) => `targets:
  public: { kind: api, url: "https://api.example.com"${declared} }
  fleet: { kind: files, folder: srv }
zones: { path: zones, targets: [public, fleet] }
`;
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
  const found = async (declared: string, words = "validate") => {
    desk.write("zonewright.yaml", config(declared));
    const { out } = await desk.run(words);
    return out.match(/^.*name-server-missing.*$/gm) ?? [];
  };
  expect(await found(", nameservers: [ns1.example.net, ns1.hosted.example, ns2.hosted.example]")).toEqual([
    "warning[name-server-missing] public adds NS ns1.hosted.example, ns2.hosted.example to the zone, and the file, which the other targets answer with, does not have them",
  ]);
  expect(await found(", nameservers: [ns2.example.net, ns1.example.net]")).toEqual([]);
  expect(await found("")).toEqual([]);
  expect(await found(", nameservers: [ns9.example.net]", "validate --target fleet")).toHaveLength(1);
});
