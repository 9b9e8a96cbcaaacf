import { afterAll, beforeAll, expect, test } from "vitest";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { spell } from "../../src/contract/words.ts";
import { receivePayment } from "../../src/server/areas/account/payments-operator.ts";
import { reportProblem } from "../../src/server/areas/managed/issues.ts";
import { setManaged } from "../../src/server/areas/managed/managed-operator.ts";
import { findServiceRow as findService } from "../../src/server/areas/managed/services-rows.ts";
import { addMaintenance } from "../../src/server/areas/nodes/operator/maintenance.ts";
import { type Listening, listen } from "../../src/server/http/node.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { documentedEndpoints } from "../spec/endpoints.ts";
import { owe } from "./bills.ts";
import { Browser, givePassword } from "./browser.ts";
import { anyText, findRequests } from "./hosted-requests.ts";
import { noon, start } from "./start.ts";

/**
 * The client of the live service's own web interface, unmodified: only its address is turned
 * (decisions/service#clients). Its types leave the endings of their imports out, so TypeScript finds nothing in them
 * here.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
const exported: Readonly<Record<string, any>> = await import("@linode/api-v4");

/** The functions that the tests of this file used. */
const used = new Set<string>();
const linode = new Proxy(
  { ...exported },
  {
    get(functions, name: string) {
      used.add(name);
      return functions[name];
    },
  },
);

let api: Awaited<ReturnType<typeof start>>;
let listening: Listening;
let signedIn: number;
beforeAll(async () => {
  api = await start({ profile: "live", jobDriver: simulatedDriver(0) });
  listening = await listen(api.server, { port: 0 });
  linode.baseRequest.interceptors.request.use((config: { url?: string }) => ({
    ...config,
    url: config.url?.replace("https://api.linode.com", listening.url) ?? "",
  }));
  signedIn = linode.setToken(api.token);
});
afterAll(() => listening.close());

async function withToken(token: string, call: () => Promise<unknown>): Promise<unknown> {
  linode.baseRequest.interceptors.request.eject(signedIn);
  const other = linode.setToken(token);
  try {
    return await call();
  } finally {
    linode.baseRequest.interceptors.request.eject(other);
    signedIn = linode.setToken(api.token);
  }
}

const domain = {
  id: 1,
  type: "master",
  domain: "example.com",
  status: "active",
  description: "",
  group: "",
  soa_email: "hostmaster@example.com",
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  master_ips: [],
  axfr_ips: [],
  tags: ["prod"],
  created: noon,
  updated: noon,
  errors: "",
};
const record = {
  id: 1,
  type: "A",
  name: "www",
  target: "192.0.2.1",
  priority: 0,
  weight: 0,
  port: 0,
  service: null,
  protocol: null,
  ttl_sec: 300,
  tag: null,
  created: noon,
  updated: noon,
};
const page = { page: 1, pages: 1, results: 1 };

test("a domain is created, changed and deleted", async () => {
  const fields = {
    domain: "example.com",
    type: "master",
    soa_email: "hostmaster@example.com",
    tags: ["prod"],
  };
  expect(await linode.createDomain(fields)).toEqual(domain);
  expect(await linode.getDomain(1)).toEqual(domain);
  expect(await linode.getDomains({ page: 1, page_size: 25 }, { domain: "example.com" })).toEqual({
    ...page,
    data: [domain],
  });
  expect(await linode.getDomains({}, { domain: "example.org" })).toEqual({ ...page, results: 0, data: [] });
  const filter = {
    "+or": [{ domain: { "+contains": "ample" } }, { tags: "prod" }],
    "+order_by": "domain",
    "+order": "desc",
  };
  expect((await linode.getDomains({}, filter)).results).toBe(1);

  expect(await linode.createDomainRecord(1, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 })).toEqual(
    record,
  );
  expect(await linode.getDomainRecords(1, { page_size: 25 })).toEqual({ ...page, data: [record] });
  expect(await linode.updateDomainRecord(1, 1, { target: "192.0.2.2" })).toEqual({ ...record, target: "192.0.2.2" });
  expect((await linode.getDomainRecord(1, 1)).target).toBe("192.0.2.2");
  expect((await linode.getDNSZoneFile(1)).zone_file.at(-1)).toBe("www 300 A 192.0.2.2");

  expect(await linode.updateDomain(1, { description: "mine", ttl_sec: 121 })).toEqual({
    ...domain,
    description: "mine",
    ttl_sec: 300,
  });
  expect(await linode.cloneDomain(1, { domain: "example.net" })).toEqual({
    ...domain,
    id: 2,
    domain: "example.net",
    description: "mine",
    ttl_sec: 300,
  });
  expect((await linode.getDomainRecords(2)).data).toEqual([{ ...record, id: 2, target: "192.0.2.2" }]);

  expect(await linode.deleteDomainRecord(1, 1)).toEqual({});
  expect(await linode.deleteDomain(1)).toEqual({});
  expect((await linode.getDomains()).results).toBe(1);
});

test.each<[fields: object, stored: object]>([
  [{ type: "AAAA", name: "", target: "2001:db8::1" }, {}],
  [{ type: "CNAME", name: "ftp", target: "www.example.org" }, {}],
  [{ type: "MX", name: "", target: "mail.example.org", priority: 10 }, {}],
  [{ type: "NS", name: "sub", target: "ns1.example.org" }, {}],
  [{ type: "PTR", name: "1", target: "host.example.org" }, {}],
  [{ type: "TXT", name: "_dmarc", target: "v=DMARC1; p=none" }, {}],
  [{ type: "CAA", name: "", target: "letsencrypt.org", tag: "issue" }, {}],
  [
    { type: "SRV", service: "sip", protocol: "tcp", target: "sip.example.org", port: 5060, priority: 10, weight: 5 },
    { name: "_sip._tcp" },
  ],
])("a record is written and read: %o", async (fields, stored) => {
  const made = await linode.createDomainRecord(2, { ...fields, ttl_sec: 0 });
  expect(made).toEqual({ ...record, ttl_sec: 0, ...fields, ...stored, id: made.id });
  expect((await linode.getDomainRecord(2, made.id)).target).toBe(made.target);
});

test.each<[string, () => Promise<unknown>, object]>([
  [
    "a wrong token",
    () => withToken("wrong", linode.getDomains),
    { status: 401, data: { errors: [{ reason: "Invalid Token" }] } },
  ],
  ["an unknown id", () => linode.getDomain(99), { status: 404, data: { errors: [{ reason: "Not found" }] } }],
  [
    "a bad name",
    () => linode.createDomainRecord(2, { type: "A", name: "@", target: "192.0.2.1" }),
    {
      status: 400,
      data: {
        errors: [
          { reason: "Name contains invalid characters", field: "name" },
          { reason: "Invalid hostname", field: "name" },
        ],
      },
    },
  ],
  [
    "a transfer",
    () => linode.importZone({ domain: "example.org", remote_nameserver: "ns1.example.org" }),
    {
      status: 400,
      data: { errors: [{ reason: "An unknown error occured. Please open a ticket for further assistance." }] },
    },
  ],
])("an error of %s is read", async (_, call, refusal) => {
  const error = await call().then(
    () => undefined,
    (error) => error.response,
  );
  expect({ status: error.status, data: error.data }).toEqual(refusal);
});

const hex64 = expect.stringMatching(/^[0-9a-f]{64}$/);

test("the account, its settings, its card and its sign-ins", async () => {
  const account = {
    company: "admin",
    email: "owner@account.invalid",
    first_name: "",
    last_name: "",
    address_1: "",
    address_2: "",
    city: "",
    state: "",
    zip: "",
    country: "",
    phone: "",
    balance: 0,
    tax_id: "",
    credit_card: { last_four: null as string | null, expiry: null as string | null },
    balance_uninvoiced: 0,
    active_since: noon,
    capabilities: ["Linodes", "Backups", "Block Storage", "Cloud Firewall", "Vlans"],
    active_promotions: [],
    euuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  expect(await linode.getAccountInfo()).toEqual(account);
  expect(await linode.updateAccountInfo({ city: "Utrecht" })).toEqual({ ...account, city: "Utrecht" });
  const card = { card_number: "4111111111111111", expiry_month: 11, expiry_year: 2031, cvv: "123" };
  expect(await linode.saveCreditCard(card)).toEqual({});
  expect((await linode.getAccountInfo()).credit_card).toEqual({ last_four: "1111", expiry: "11/2031" });
  expect(await linode.getAccountSettings()).toEqual({
    backups_enabled: false,
    managed: false,
    network_helper: true,
    longview_subscription: null,
    object_storage: "disabled",
    interfaces_for_new_linodes: "legacy_config_only",
    maintenance_policy: "linode/migrate",
  });
  expect(await linode.getNotifications()).toEqual({ ...page, results: 0, data: [] });

  await givePassword(api.store, "admin", "correct horse battery");
  await new Browser(api.server).signIn("/sign-in", "admin", "correct horse battery");
  const login = {
    id: 1,
    datetime: noon,
    ip: "192.0.2.99",
    username: "admin",
    status: "successful",
    restricted: false,
  };
  expect(await linode.getAccountLogins()).toEqual({ ...page, data: [login] });
  expect(await linode.getAccountLogin(1)).toEqual(login);
});

test("invoices and their items", async () => {
  await owe(api.store, 1234);
  const invoice = { id: 1, date: noon, label: "Invoice", subtotal: 12.34, tax: 0, total: 12.34 };
  const newestFirst = { "+order_by": "date", "+order": "desc" };
  expect(await linode.getInvoices({ page_size: 25 }, newestFirst)).toEqual({ ...page, data: [invoice] });
  expect(await linode.getInvoice(1)).toEqual(invoice);
  const item = {
    label: "Debt",
    type: "misc",
    from: noon,
    to: noon,
    quantity: 1,
    unit_price: "12.34",
    amount: 12.34,
    tax: 0,
    total: 12.34,
  };
  expect(await linode.getInvoiceItems(1)).toEqual({ ...page, data: [item] });
  expect((await linode.getAccountInfo()).balance).toBe(12.34);
  await receivePayment(api.store, "admin", { amount: 123_400, now: api.clock.now });
});

test("the user, the tokens and the other users", async () => {
  expect(await linode.getProfile()).toEqual({
    uid: 1,
    username: "admin",
    email: "",
    timezone: "UTC",
    email_notifications: false,
    restricted: false,
    two_factor_auth: false,
    ip_whitelist_enabled: false,
    authorized_keys: [],
  });
  // The body of a 204.
  expect([await linode.getMyGrants(), await linode.listGrants()]).toEqual(["", ""]);
  const token = { id: 1, label: "", scopes: "*", created: noon, expiry: null, token: "<REDACTED>" };
  expect(await linode.getPersonalAccessTokens({}, { "+order_by": "created", "+order": "desc" })).toEqual({
    ...page,
    data: [token],
  });
  expect(await linode.getPersonalAccessToken(1)).toEqual(token);
  const user = { username: "admin", email: "", restricted: false, ssh_keys: [], tfa_enabled: false };
  expect(await linode.getUsers()).toEqual({ ...page, data: [user] });
  expect(await linode.getUser("admin")).toEqual(user);
});

test("tags, and the events about them", async () => {
  expect(await linode.createTag({ label: "web", domains: [2] })).toEqual({ label: "web" });
  expect(await linode.getTags({}, { label: "web" })).toEqual({ ...page, data: [{ label: "web" }] });
  expect(await linode.deleteTag("web")).toEqual({});
  const [last] = (await linode.getEvents({ page_size: 25 }, { action: "tag_delete" })).data;
  const event = {
    id: last.id,
    created: noon,
    seen: false,
    read: false,
    percent_complete: null,
    time_remaining: null,
    rate: null,
    duration: null,
    action: "tag_delete",
    username: "admin",
    entity: { label: "web", id: "web", type: "tag", url: "/v4/tags/web" },
    status: "notification",
    secondary_entity: null,
    message: "",
  };
  expect(last).toEqual(event);
  expect(await linode.markEventRead(last.id)).toEqual({});
  expect(await linode.markEventSeen(last.id)).toEqual({});
  expect(await linode.getEvent(last.id)).toEqual({ ...event, seen: true, read: true });
});

test("OAuth clients", async () => {
  const redirect_uri = "https://dashboard.example/callback";
  const made = await linode.createOAuthClient({ label: "dashboard", redirect_uri, public: false });
  const client = {
    id: expect.stringMatching(/^[0-9a-f]{20}$/),
    redirect_uri,
    label: "dashboard",
    status: "active",
    secret: "<REDACTED>",
    thumbnail_url: null,
    public: false,
  };
  expect(made).toEqual({ ...client, secret: hex64 });
  expect(await linode.getOAuthClients()).toEqual({ ...page, data: [client] });
  expect(await linode.getOAuthClient(made.id)).toEqual(client);
  expect(await linode.updateOAuthClient(made.id, { label: "panel" })).toEqual({ ...client, label: "panel" });
  const reset = await linode.resetOAuthClientSecret(made.id);
  expect(reset).toEqual({ ...client, label: "panel", secret: hex64 });
  expect(reset.secret).not.toBe(made.secret);
  expect(await linode.deleteOAuthClient(made.id)).toEqual({});
  expect((await linode.getOAuthClients()).data).toEqual([]);
});

test("support tickets", async () => {
  const made = await linode.createSupportTicket({ summary: "Lookups fail", description: "Timeouts", domain_id: 2 });
  const ticket = {
    id: 1,
    attachments: [],
    closed: null,
    closable: true,
    description: "Timeouts",
    entity: { label: "example.net", id: 2, type: "domain", url: "/v4/domains/2" },
    gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
    opened: noon,
    opened_by: "admin",
    status: "new",
    summary: "Lookups fail",
    updated: noon,
    updated_by: null,
  };
  expect(made).toEqual(ticket);
  const reply = await linode.createReply({ ticket_id: 1, description: "Solved" });
  expect(reply).toEqual({
    id: 1,
    created: noon,
    created_by: "admin",
    description: "Solved",
    from_linode: false,
    gravatar_id: "d41d8cd98f00b204e9800998ecf8427e",
  });
  expect(await linode.getTicketReplies(1)).toEqual({ ...page, data: [reply] });
  const form = new FormData();
  form.set("file", new File(["text"], "notes.txt"));
  expect(await linode.uploadAttachment(1, form)).toEqual({});
  const answered = { ...ticket, attachments: ["notes.txt"], updated_by: "admin" };
  expect(await linode.getTicket(1)).toEqual(answered);
  expect(await linode.closeSupportTicket(1)).toEqual({});
  expect(await linode.getTickets()).toEqual({
    ...page,
    data: [{ ...answered, closed: noon, closable: false, status: "closed" }],
  });
});

test("regions, types and images", async () => {
  const london = {
    id: "eu-west",
    country: "gb",
    capabilities: ["Linodes", "Backups", "Block Storage", "Cloud Firewall", "Vlans"],
    status: "ok",
    resolvers: { ipv4: "192.0.2.5,192.0.2.6", ipv6: "3fff::5,3fff::6" },
    label: "London, UK",
    site_type: "core",
    monitors: { alerts: ["Linodes"] },
    placement_group_limits: {
      maximum_pgs_per_customer: null,
      maximum_linodes_per_pg: 5,
      maximum_linodes_per_flexible_pg: 5,
    },
  };
  expect((await linode.getRegions()).data).toContainEqual(london);
  expect(await linode.getRegion("eu-west")).toEqual(london);
  const nanode = { id: "g6-nanode-1", label: "Nanode 1GB", price: { hourly: 0.01, monthly: 5 } };
  expect((await linode.getLinodeTypes()).data[0]).toMatchObject(nanode);
  expect(await linode.getType("g6-nanode-1")).toMatchObject({
    ...nanode,
    region_prices: [
      { id: "id-cgk", hourly: 0.012, monthly: 6 },
      { id: "br-gru", hourly: 0.014, monthly: 7 },
    ],
    addons: {
      backups: {
        price: { hourly: 0.0025, monthly: 1.25 },
        region_prices: [
          { id: "id-cgk", hourly: 0.003, monthly: 1.5 },
          { id: "br-gru", hourly: 0.0035, monthly: 1.75 },
        ],
      },
    },
  });
  const debian = {
    id: "linode/debian12",
    label: "Debian 12",
    size: 1600,
    type: "manual",
    is_public: true,
    status: "available",
    vendor: "Debian",
    description: null,
    deprecated: false,
    created: "2024-01-01T00:00:00",
    updated: "2024-01-01T00:00:00",
    created_by: "linode",
    eol: null,
    expiry: null,
    capabilities: [],
    regions: [],
    tags: [],
    total_size: 1600,
    is_shared: false,
  };
  expect(await linode.getImage("linode/debian12")).toEqual(debian);
  expect(await linode.getImages({}, { id: "linode/debian12" })).toEqual({ ...page, data: [debian] });
});

test("a node, its disks and its configuration profiles", async () => {
  const { id } = await linode.createLinode({ region: "us-east", type: "g6-nanode-1", label: "web-2", booted: false });
  const disk = {
    id: 1,
    status: "ready",
    label: "data",
    created: noon,
    updated: noon,
    filesystem: "ext4",
    size: 2000,
    disk_encryption: "enabled",
  };
  const started = { ...disk, status: "not ready" };
  const fields = { label: "data", size: 2000, image: "linode/debian12", root_pass: "correct Horse 7" };
  expect(await linode.createLinodeDisk(id, fields)).toEqual(started);
  expect(await linode.getLinodeDisk(id, 1)).toEqual(disk);
  expect(await linode.getLinodeDisks(id, {}, { label: "data" })).toEqual({ ...page, data: [disk] });
  expect(await linode.updateLinodeDisk(id, 1, { label: "root" })).toEqual({ ...disk, label: "root" });
  expect(await linode.resizeLinodeDisk(id, 1, 3000)).toEqual({});
  expect(await linode.cloneLinodeDisk(id, 1)).toEqual({ ...started, id: 2, label: "Copy of root", size: 3000 });
  expect(await linode.changeLinodeDiskPassword(id, 1, "correct Horse 8")).toEqual({});
  expect(await linode.deleteLinodeDisk(id, 2)).toEqual({});

  const empty = { sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };
  const config = {
    id: 1,
    label: "boot",
    helpers: { updatedb_disabled: true, distro: true, modules_dep: true, network: true, devtmpfs_automount: true },
    kernel: "linode/grub2",
    comments: "",
    memory_limit: 0,
    created: noon,
    updated: noon,
    root_device: "/dev/sda",
    devices: { ...empty, sda: { disk_id: 1, volume_id: null } },
    initrd: null,
    run_level: "default",
    virt_mode: "paravirt",
    interfaces: [],
  };
  const { label, kernel, devices } = config;
  expect(await linode.createLinodeConfig(id, { label, kernel, devices })).toEqual(config);
  expect(await linode.getLinodeConfig(id, 1)).toEqual(config);
  expect(await linode.getLinodeConfigs(id)).toEqual({ ...page, data: [config] });
  expect(await linode.updateLinodeConfig(id, 1, { comments: "new" })).toEqual({ ...config, comments: "new" });

  expect(await linode.rescueLinode(id, { sda: { disk_id: 1, volume_id: null } })).toEqual({});
  const image = { image: "linode/debian12", root_pass: "correct Horse 7" };
  expect(await linode.rebuildLinode(id, image)).toMatchObject({ id, status: "rebuilding" });
  expect(await linode.deleteLinodeConfig(id, 2)).toEqual({});
});

test("a node, its power and its addresses, and kernels", async () => {
  const fields = { region: "us-east", type: "g6-nanode-1", image: "linode/debian12", root_pass: "correct Horse 7" };
  const node = {
    id: 2,
    label: "web-1",
    group: "",
    status: "provisioning",
    created: noon,
    updated: noon,
    type: "g6-nanode-1",
    ipv4: ["198.18.0.3"],
    ipv6: "2001:db8::f03c:91ff:fe00:2/128",
    image: "linode/debian12",
    region: "us-east",
    specs: { disk: 25600, memory: 1024, vcpus: 1, transfer: 1000, gpus: 0, accelerated_devices: 0 },
    alerts: { cpu: 90, network_in: 10, network_out: 10, transfer_quota: 80, io: 10000 },
    backups: { enabled: false, available: false, schedule: { day: null, window: null }, last_successful: null },
    hypervisor: "kvm",
    watchdog_enabled: true,
    tags: [],
    site_type: "core",
    host_uuid: expect.stringMatching(/^[0-9a-f]{40}$/),
    has_user_data: false,
    placement_group: null,
    disk_encryption: "enabled",
    lke_cluster_id: null,
    capabilities: [],
    interface_generation: "legacy_config",
    maintenance_policy: "linode/migrate",
  };
  expect(await linode.createLinode({ ...fields, label: "web-1" })).toEqual(node);
  const running = { ...node, status: "running" };
  expect(await linode.getLinode(2)).toEqual(running);
  expect(await linode.getLinodes({}, { label: "web-1" })).toEqual({ ...page, data: [running] });
  expect(await linode.updateLinode(2, { label: "web-3" })).toEqual({ ...running, label: "web-3" });
  expect(await linode.linodeReboot(2)).toEqual({});
  expect(await linode.linodeShutdown(2)).toEqual({});
  expect(await linode.changeLinodePassword(2, "correct Horse 8")).toEqual({});
  expect(await linode.linodeBoot(2)).toEqual({});
  expect(await linode.rescueMetalLinode(2)).toEqual({});

  const address = await linode.allocateIPAddress(2, { type: "ipv4", public: false });
  expect(address).toMatchObject({ address: "192.168.128.2", public: false, linode_id: 2 });
  expect((await linode.getLinodeIPs(2)).ipv4.private).toEqual([address]);
  expect(await linode.getIP("192.168.128.2")).toEqual(address);
  expect(await linode.getIPs({}, { public: false })).toEqual({ ...page, data: [address] });
  expect(await linode.updateIP("198.18.0.3", "mail.example.edu")).toMatchObject({ rdns: "mail.example.edu" });
  const error = await linode.removeIPAddress({ linodeID: 2, address: "198.18.0.3" }).catch(refusalOf);
  expect(error).toEqual({ errors: [{ reason: "A Linode must have at least one public IPv4 address." }] });

  const kernel = await linode.getLinodeKernel("linode/latest-64bit");
  expect(kernel).toMatchObject({ id: "linode/latest-64bit", architecture: "x86_64", kvm: true });
  expect(await linode.getLinodeKernels({}, { id: "linode/latest-64bit" })).toEqual({ ...page, data: [kernel] });
});

test("volumes", async () => {
  const volume = {
    id: 1,
    status: "active",
    label: "data",
    created: noon,
    updated: noon,
    filesystem_path: "/dev/disk/by-id/scsi-0Linode_Volume_data",
    hardware_type: "nvme",
    linode_id: null,
    linode_label: null,
    region: "us-east",
    size: 20,
    tags: [],
    io_ready: false,
    encryption: "enabled",
  };
  const created = await linode.createVolume({ label: "data", region: "us-east", size: 20 });
  expect(created).toEqual({ ...volume, status: "creating" });
  const attached = { ...volume, linode_id: 2, linode_label: "web-3", io_ready: true };
  expect(await linode.attachVolume(1, { linode_id: 2 })).toEqual(attached);
  expect(await linode.getVolume(1)).toEqual(attached);
  expect(await linode.getVolumes({}, { label: "data" })).toEqual({ ...page, data: [attached] });
  expect(await linode.getLinodeVolumes(2)).toEqual({ ...page, data: [attached] });
  const resizing = { ...attached, size: 30, status: "resizing" };
  expect(await linode.resizeVolume(1, { size: 30 })).toEqual(resizing);
  expect(await linode.detachVolume(1)).toEqual({});
  expect(await linode.updateVolume(1, { tags: ["prod"] })).toEqual({ ...volume, size: 30, tags: ["prod"] });
  expect(await linode.deleteVolume(1)).toEqual({});
});

test("firewalls", async () => {
  const ssh = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] }, label: "ssh" };
  const rules = { inbound: [ssh], inbound_policy: "DROP", outbound: [], outbound_policy: "ACCEPT" };
  const stored = { ...rules, version: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) };
  const entity = { label: "web-3", id: 2, type: "linode", url: "/v4/linode/instances/2" };
  const entities = [{ ...entity, parent_entity: null }];
  const dates = { created: noon, updated: noon };
  const firewall = { id: 1, label: "web", ...dates, status: "enabled", rules: stored, tags: [], entities };
  expect(await linode.createFirewall({ label: "web", rules, devices: { linodes: [2] } })).toEqual(firewall);
  expect(await linode.getFirewall(1)).toEqual(firewall);
  expect(await linode.getFirewalls({}, { label: "web" })).toEqual({ ...page, data: [firewall] });
  expect(await linode.getLinodeFirewalls(2)).toEqual({ ...page, data: [firewall] });
  expect(await linode.disableFirewall(1)).toEqual({ ...firewall, status: "disabled" });
  expect(await linode.enableFirewall(1)).toEqual(firewall);
  expect(await linode.updateFirewall(1, { label: "www" })).toEqual({ ...firewall, label: "www" });
  expect(await linode.getFirewallRules(1)).toEqual(stored);
  expect(await linode.updateFirewallRules(1, { ...rules, inbound: [] })).toEqual({
    ...stored,
    inbound: [],
    version: 2,
  });
  const device = { id: 1, created: noon, updated: noon, entity: entities[0] };
  expect(await linode.getFirewallDevices(1)).toEqual({ ...page, data: [device] });
  expect(await linode.getFirewallDevice(1, 1)).toEqual(device);
  expect(await linode.deleteFirewallDevice(1, 1)).toEqual({});
  expect(await linode.addFirewallDevice(1, { id: 2, type: "linode" })).toEqual({ ...device, id: 2 });
  expect(await linode.deleteFirewall(1)).toEqual({});
});

test("a node is backed up, restored, cloned, resized, moved and deleted", async () => {
  expect(await linode.enableBackups(2)).toEqual({});
  expect(await linode.takeSnapshot(2, "before")).toMatchObject({ id: 1, type: "snapshot", label: "before" });
  const { automatic, snapshot } = await linode.getLinodeBackups(2);
  expect([automatic, snapshot.in_progress]).toEqual([[], null]);
  expect(snapshot.current).toMatchObject({ id: 1, status: "successful", configs: ["My Debian 12 Disk Profile"] });
  expect(await linode.restoreBackup(2, 1, 2, true)).toEqual({});
  expect(await linode.cancelBackups(2)).toEqual({});
  expect(await linode.cloneLinode(2, { region: "us-east", type: "g6-nanode-1" })).toMatchObject({ id: 3 });
  expect(await linode.resizeLinode(2, { type: "g6-standard-1" })).toEqual({});
  expect(await linode.scheduleOrQueueMigration(2, { region: "us-west" })).toEqual({});
  expect(await linode.deleteLinode(2)).toEqual({});
});

test("transfers", async () => {
  const { id } = await linode.createDomain({
    domain: "moving.example",
    type: "master",
    soa_email: "hostmaster@example.com",
  });
  const entities = { linodes: [], domains: [id] };
  const offered = {
    entities,
    token: expect.any(String),
    status: "pending",
    created: noon,
    updated: noon,
    expiry: "2026-03-05T12:00:00",
    is_sender: true,
  };
  const first = await linode.createServiceTransfer({ entities });
  expect(first).toEqual(offered);
  expect(await linode.getServiceTransfer(first.token)).toEqual(first);
  expect(await linode.cancelServiceTransfer(first.token)).toEqual({});
  const { token } = await linode.createServiceTransfer({ entities: { domains: [id] } });
  const stranger = await api.mint({ username: "receiver" });
  await withToken(stranger, async () => {
    expect(await linode.acceptServiceTransfer(token)).toEqual({});
    expect(await linode.getServiceTransfer(token)).toEqual({ ...offered, status: "completed", is_sender: false });
    expect((await linode.getDomain(id)).domain).toBe("moving.example");
  });
  const order = { "+order_by": "created", "+order": "desc" };
  expect((await linode.getServiceTransfers({}, { status: "completed", ...order })).data).toEqual([
    { ...offered, token, status: "completed" },
  ]);
  const seen = { reason: "This transfer is no longer pending." };
  expect(await linode.cancelServiceTransfer(token).catch(refusalOf)).toEqual({ errors: [seen] });
});

test("maintenance", async () => {
  const { label } = await linode.getLinode(1);
  const begins = new Date("2026-03-08T02:00:00Z");
  await addMaintenance(api.store, { node_id: 1, type: "reboot", reason: "new kernel", begins });
  const item = {
    type: "reboot",
    status: "pending",
    reason: "new kernel",
    when: "2026-03-08T02:00:00",
    entity: { label, id: 1, type: "linode", url: "/v4/linode/instances/1" },
  };
  expect(await linode.getAccountMaintenance()).toEqual({ ...page, data: [item] });
});

const refusalOf = ({ response }: { response: { data: object } }) => response.data;

test("the statistics and the traffic of a node", async () => {
  const unavailable = { errors: [{ reason: "Stats are unavailable at this time." }] };
  const neverBooted = (await linode.createLinode({ region: "us-east", type: "g6-nanode-1" })).id;
  expect(await linode.getLinodeStats(neverBooted).catch(refusalOf)).toEqual(unavailable);
  expect(await linode.getLinodeStatsByDate(neverBooted, "2026", "03").catch(refusalOf)).toEqual(unavailable);
  expect(await linode.getLinodeTransfer(1)).toMatchObject({ used: 0, billable: 0 });
  expect(await linode.getLinodeTransferByDate(1, "2026", "03")).toMatchObject({ bytes_in: 0, bytes_out: 0 });
});

test("managed contacts, credentials and settings of nodes", async () => {
  const contact = { name: "Ada Lovelace", email: "ada@example.com", group: "on-call" };
  const stored = { id: 1, ...contact, phone: { primary: null, secondary: null }, updated: noon };
  expect(await linode.createContact(contact)).toEqual(stored);
  expect(await linode.getManagedContact(1)).toEqual(stored);
  const order = { "+order_by": "name", "+order": "asc" };
  expect(await linode.getManagedContacts({ page_size: 25 }, order)).toEqual({ ...page, data: [stored] });
  const phone = { primary: "123-456-7890", secondary: null };
  expect(await linode.updateContact(1, { ...contact, phone })).toEqual({ ...stored, phone });
  expect(await linode.deleteContact(1)).toEqual({});

  const credential = { id: 1, label: "web server", last_decrypted: null };
  const login = { label: "web server", username: "root", password: "correct horse" };
  expect(await linode.createCredential(login)).toEqual(credential);
  expect(await linode.getCredential(1)).toEqual(credential);
  expect(await linode.getCredentials({}, { "+order_by": "label" })).toEqual({ ...page, data: [credential] });
  expect(await linode.updateCredential(1, { label: "db" })).toEqual({ ...credential, label: "db" });
  expect(await linode.updatePassword(1, { username: "ops", password: "another horse" })).toEqual({});
  expect(await linode.deleteCredential(1)).toEqual({});
  expect((await linode.getCredentials()).data).toEqual([]);
  expect((await linode.getSSHPubKey()).ssh_key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} /);

  const { id, label } = await linode.createLinode({ region: "us-east", type: "g6-nanode-1" });
  const ssh = { access: true, user: "root", ip: "any", port: 22 };
  const settings = { id, label, group: "", ssh };
  expect((await linode.getLinodeSettings({}, { "+order_by": "label" })).data).toContainEqual(settings);
  expect(await linode.updateLinodeSettings(id, { ssh: { port: 2222 } })).toEqual({
    ...settings,
    ssh: { ...ssh, port: 2222 },
  });
  expect(await linode.deleteLinode(id)).toEqual({});

  const shop = {
    service_type: "url",
    label: "Web shop",
    address: "https://shop.example.com/",
    timeout: 30,
    credentials: [],
    notes: "",
    body: "welcome",
    consultation_group: "",
  };
  const service = { id: 1, status: "pending", ...shop, region: null, created: noon, updated: noon };
  expect(await linode.createServiceMonitor(shop)).toEqual(service);
  expect(await linode.getServiceMonitor(1)).toEqual(service);
  expect(await linode.getServices({}, { "+order_by": "label" })).toEqual({ ...page, data: [service] });
  expect(await linode.updateServiceMonitor(1, { ...shop, timeout: 5 })).toEqual({ ...service, timeout: 5 });
  expect((await linode.disableServiceMonitor(1)).status).toBe("disabled");
  expect((await linode.enableServiceMonitor(1)).status).toBe("pending");
  await api.store.write(async (db) => {
    await reportProblem(db, (await findService(db, 1, 1)) ?? expect.fail(), "it is closed", api.clock.now);
  });
  expect((await linode.getManagedIssues()).data).toMatchObject([{ id: 1, services: [1], entity: { type: "ticket" } }]);
  expect(await linode.deleteServiceMonitor(1)).toEqual({});
  expect(await linode.getManagedStats()).toMatchObject({ data: expect.anything() });

  await setManaged(api.store, "admin", false, api.clock.now);
  const disabled = { errors: [{ reason: "Managed is not enabled for this account." }] };
  expect(await linode.getManagedContacts().catch(refusalOf)).toEqual(disabled);
  expect(await linode.enableManaged()).toEqual({});
  expect((await linode.getManagedContacts()).results).toBe(0);
});

test("the account is cancelled, and its tokens end", async () => {
  expect(await linode.cancelAccount({ comments: "moving" })).toEqual({ survey_link: "" });
  const error = await linode.getProfile().catch((error: { response: object }) => error.response);
  expect(error).toMatchObject({ status: 401, data: { errors: [{ reason: "Invalid Token" }] } });
});

const requests = new Map((await findRequests()).map(({ name, request }) => [name, request]));

/** The request for an endpoint, in the words of the live service. */
function requestFor(endpoint: string): string {
  const [method, path = ""] = endpoint.split(" ");
  return `${method} ${spell("path", path.replace(/\{\w+\}/g, anyText), "live")}`;
}

test("every function whose path the server serves was called by a test above", () => {
  const paths = new Set(endpointsIn("live").map(([, { method, path }]) => requestFor(`${method} ${path}`)));
  const served = [...requests].filter(([, request]) => request !== undefined && paths.has(request));
  expect([...requests].filter(([, request]) => request === undefined)).toEqual([]);
  expect(served.length).toBeGreaterThan(50);
  expect(served.flatMap(([name]) => (used.has(name) ? [] : [name]))).toEqual([]);
});

test("104 of the 114 documented endpoints have a function, and those that are served were called", () => {
  const sent = new Set(requests.values());
  const called = new Set([...requests].flatMap(([name, request]) => (used.has(name) ? [request] : [])));
  const rows = documentedEndpoints.map((row) => ({ ...row, request: requestFor(row.endpoint) }));
  expect(rows.flatMap(({ endpoint, request }) => (sent.has(request) ? [] : [endpoint]))).toEqual([
    "GET /account/entity-transfers",
    "POST /account/entity-transfers",
    "GET /account/entity-transfers/{token}",
    "DELETE /account/entity-transfers/{token}",
    "POST /account/entity-transfers/{token}/accept",
    "DELETE /managed/credentials/{credentialId}",
    "GET /managed/issues/{issueId}",
    "GET /managed/node-settings/{nodeId}",
    "GET /tags/{label}",
    "GET /node/instances/{nodeId}/backups/{backupId}",
  ]);
  const withFunction = rows.filter(({ request }) => sent.has(request));
  expect(withFunction.length).toBe(104);
  const uncalled = withFunction.filter(({ request }) => !called.has(request));
  expect(uncalled).toEqual(withFunction.filter(({ isRequired }) => !isRequired));
});
