import { expect } from "vitest";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { reportProblem } from "../../src/server/areas/managed/issues.ts";
import { addMaintenance } from "../../src/server/areas/nodes/operator/maintenance.ts";
import { openTicket } from "../../src/server/areas/support/handlers/tickets-operator.ts";
import { findRow } from "../../src/server/store/rows.ts";
import { owe } from "./bills.ts";
import { Browser, givePassword } from "./browser.ts";
import type { start } from "./start.ts";

/** A valid body of each endpoint that takes one. */
export const bodies: Readonly<Record<string, () => unknown>> = {
  "PUT /account": () => ({ city: "Utrecht" }),
  "POST /account/cancel": () => ({ comments: "moving" }),
  "POST /account/credit-card": () => ({
    card_number: "4111111111111111",
    cvv: "123",
    expiry_month: 11,
    expiry_year: 2031,
  }),
  "POST /account/entity-transfers": () => ({ entities: { domains: [1] } }),
  "POST /account/service-transfers": () => ({ entities: { domains: [1] } }),
  "POST /account/oauth-clients": () => application,
  "PUT /account/oauth-clients/{clientId}": () => ({ label: "renamed" }),
  "POST /managed/contacts": () => contact,
  "PUT /managed/contacts/{contactId}": () => ({ name: "Ada King" }),
  "POST /managed/credentials": () => ({ ...credential, label: "db" }),
  "PUT /managed/credentials/{credentialId}": () => ({ label: "renamed" }),
  "POST /managed/credentials/{credentialId}/update": () => ({ password: "another horse" }),
  "PUT /managed/node-settings/{nodeId}": () => ({ ssh: { port: 2222 } }),
  "POST /managed/services": () => ({ ...service, credentials: [] }),
  "PUT /managed/services/{serviceId}": () => ({ label: "renamed" }),
  "POST /support/tickets": () => ticket,
  "POST /support/tickets/{ticketId}/attachments": () => {
    const form = new FormData();
    form.set("file", new File(["text"], "notes.txt"));
    return form;
  },
  "POST /support/tickets/{ticketId}/replies": () => ({ description: "It works again." }),
  "POST /tags": () => ({ label: "web" }),
  "POST /node/instances": () => empty,
  "PUT /node/instances/{nodeId}": () => ({ group: "web" }),
  "POST /node/instances/{nodeId}/boot": () => ({}),
  "POST /node/instances/{nodeId}/reboot": () => ({}),
  "POST /node/instances/{nodeId}/ips": () => ({ type: "ipv4", public: false }),
  "PUT /node/instances/{nodeId}/ips/{address}": () => ({ rdns: "mail.example.net" }),
  "PUT /networking/ips/{address}": () => ({ rdns: "mail.example.net" }),
  "POST /node/instances/{nodeId}/rescue": () => ({}),
  "POST /node/instances/{nodeId}/rebuild": () => ({ image: "node/debian12", root_pass: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/password": () => ({ root_pass: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/disks": () => disk,
  "PUT /node/instances/{nodeId}/disks/{diskId}": () => ({ label: "renamed" }),
  "POST /node/instances/{nodeId}/disks/{diskId}/password": () => ({ password: "correct Horse 7" }),
  "POST /node/instances/{nodeId}/disks/{diskId}/resize": () => ({ size: 200 }),
  "POST /node/instances/{nodeId}/configs": () => config,
  "PUT /node/instances/{nodeId}/configs/{configId}": () => ({ label: "renamed" }),
  "POST /node/instances/{nodeId}/clone": () => ({}),
  "POST /node/instances/{nodeId}/resize": () => ({ type: "g6-standard-1" }),
  "POST /node/instances/{nodeId}/migrate": () => ({}),
  "POST /node/instances/{nodeId}/backups": () => ({ label: "before" }),
  "POST /node/instances/{nodeId}/backups/{backupId}/restore": () => ({ node_id: 1, overwrite: true }),
  "POST /volumes": () => ({ label: "backup", region: "us-east" }),
  "PUT /volumes/{volumeId}": () => ({ label: "renamed" }),
  "POST /volumes/{volumeId}/attach": () => ({ node_id: 1 }),
  "POST /networking/firewalls": () => firewall,
  "PUT /networking/firewalls/{firewallId}": () => ({ label: "renamed" }),
  "PUT /networking/firewalls/{firewallId}/rules": () => firewall.rules,
  "POST /networking/firewalls/{firewallId}/devices": () => ({ id: 1, type: "node" }),
  "POST /volumes/{volumeId}/resize": () => ({ size: 30 }),
  "POST /domains": () => master,
  "POST /domains/import": () => ({ domain: "example.org", remote_nameserver: "ns1.example.org" }),
  "PUT /domains/{domainId}": () => ({ group: "web" }),
  "POST /domains/{domainId}/clone": () => ({ domain: "example.org" }),
  "POST /domains/{domainId}/records": () => a,
  "PUT /domains/{domainId}/records/{recordId}": () => ({ target: "192.0.2.2" }),
};

export const a = { type: "A", name: "web", target: "192.0.2.1" };
export const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };
const empty = { region: "us-east", type: "g6-nanode-1" };
const disk = { label: "data", size: 100 };
const config = { label: "boot", devices: {} };
const firewall = { label: "web", rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" } };
const ticket = { summary: "Lookups fail", description: "No answer since noon." };
const contact = { name: "Ada Lovelace", email: "ada@example.com" };
const credential = { label: "web", password: "correct horse" };
const service = {
  service_type: "tcp",
  label: "mail",
  address: "mail.example.com:25",
  timeout: 10,
  credentials: [1],
};
const application = { label: "dashboard", redirect_uri: "https://dashboard.example/callback" };

/**
 * Gives a server an object of every kind: a ticket of the operator, and others that the owner made; jobs have to end
 * at the next request. `ids` are those of path parameters that are not 1.
 */
export async function populate<Api extends Awaited<ReturnType<typeof start>>>(started: Promise<Api>) {
  const api = await started;
  await api.domain("example.com", [{ ...a, name: "www" }]);
  await api.call("POST", "/node/instances", { ...empty, backups_enabled: true });
  await api.call("POST", "/node/instances/1/configs", config);
  await api.call("POST", "/volumes", { label: "data", node_id: 1 });
  await api.call("POST", "/networking/firewalls", { ...firewall, devices: { nodes: [1] } });
  await api.call("POST", "/node/instances/1/disks", disk);
  api.clock.now = new Date(api.clock.now.getTime() + 10_000); // a disk is ready after it
  await api.call("POST", "/node/instances/1/backups", { label: "before" });
  await api.call("POST", "/support/tickets", { ...ticket, domain_id: 1 });
  await api.call("POST", "/support/tickets/1/replies", { description: "It works again." });
  await openTicket(api.store, { ...ticket, account: "admin", about: { domain: "example.com" }, now: api.clock.now });
  await addMaintenance(api.store, { node_id: 1, type: "reboot", reason: "new kernel", begins: api.clock.now });
  await api.call("POST", "/tags", { label: "prod", domains: [1] });
  await api.call("POST", "/managed/contacts", contact);
  await api.call("POST", "/managed/credentials", credential);
  await api.call("POST", "/managed/services", service);
  await api.store.write(async (db) => {
    const down = (await findRow(db, "managed_services", { id: 1, account_id: 1 })) ?? expect.fail();
    await reportProblem(db, down, "it refuses the connection", api.clock.now);
  });
  await owe(api.store, 500);
  await receivePayment(api.store, "admin", { amount: 50_000, now: api.clock.now });
  await api.call("POST", "/node/instances", empty);
  const { token } = (await api.call("POST", "/account/entity-transfers", { entities: { nodes: [2] } })).body;
  const client = (await api.call("POST", "/account/oauth-clients", application)).body.id;
  await givePassword(api.store, "admin", "correct horse battery");
  await new Browser(api.server).signIn("/sign-in", "admin", "correct horse battery");
  const ids: Record<string, string> = {
    label: "prod",
    token,
    clientId: client,
    regionId: "us-east",
    username: "admin",
    kernelId: "node/latest-64bit",
    address: "198.18.0.2",
    year: "2026",
    month: "3",
  };
  return { api, ids };
}
