import { readName } from "../../dns/name/name.ts";
import type { DemoStage } from "./stage.ts";

/** The world of the demo outside of its folder. */
export interface NodesWorld {
  /** The port of the name service on 127.0.0.1. */
  readonly dnsPort: number;
}

/** The node of the demo, which is created twice. */
const newNode = ["create-node", "--set", "region=us-east", "--set", "type=g6-nanode-1", "--set"];
const zone = "zones/example.com.yaml";
const app = `  app:
    A: { ttl_sec: 5m, values: { node: web-1 } }
    lenient: private-address # simulated
`;

/** A node whose name follows it: from its creation over its replacement to its name in reverse DNS. */
export async function runNodes(stage: DemoStage, { dnsPort }: NodesWorld): Promise<void> {
  const api = (...argv: string[]) => stage.show(["api", ...argv]);
  const listNodes = () => api("list-nodes", "--columns", "id,label,ipv4");
  const lookUp = () => stage.showDig(dnsPort, readName("app.example.com."), "A");
  const reverse = (name: string) => stage.showDig(dnsPort, readName(name), "PTR");

  stage.narrate("An API with compute nodes and a name service run on this machine. Three zones are applied to it.");
  await stage.apply();
  stage.narrate("A node is created, and gets an address. Its addresses are simulated: nothing answers there.");
  await stage.capture("api", ...newNode, "label=web-1");
  await listNodes();

  stage.narrate("In zones/example.com.yaml, app refers to the node instead of an address.");
  stage.edit(zone, "  sip:\n", `${app}  sip:\n`);
  await stage.show(["plan"]);
  await stage.apply();
  await stage.show(["snapshot", "--out", "applied.json"]);
  stage.narrate("The name service answers with it at once.");
  await lookUp();
  stage.narrate("The address has a name in reverse DNS. It can be changed to one that leads back to the address.");
  await reverse("2.0.18.198.in-addr.arpa.");
  await api("update-node-address", "1", "198.18.0.2", "--set", "rdns=app.example.com");
  await reverse("2.0.18.198.in-addr.arpa.");

  stage.narrate("The node is replaced. The event of its deletion names the records that still have its address.");
  await api("delete-node", "1", "--yes", "--wait");
  await api("list-events", "--filter", "action=node_delete", "--columns", "action,entity.label,message");
  await stage.capture("api", ...newNode, "label=web-1");
  stage.narrate("The old address rests for seven days: a third node gets another one.");
  await stage.capture("api", ...newNode, "label=db-1");
  await listNodes();

  stage.narrate("No record was changed by hand, so there is no drift. The new address is pending.");
  await stage.show(["drift", "--snapshot", "applied.json", "--full"]);
  await stage.show(["plan"]);
  await stage.apply();
  await stage.show(["plan", "--detailed-exitcode"]);
  await lookUp();

  stage.narrate("The new address gets the name in reverse DNS as well; the old one has none.");
  await api("update-node-address", "2", "198.18.0.3", "--set", "rdns=app.example.com");
  await reverse("3.0.18.198.in-addr.arpa.");
  await reverse("2.0.18.198.in-addr.arpa.");
}
