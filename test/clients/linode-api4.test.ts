import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as always, expect } from "vitest";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { owe } from "../server/bills.ts";
import { Browser, formOf, givePassword } from "../server/browser.ts";
import { noon } from "../server/start.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("linode-cli"));

const script = fileURLToPath(new URL("linode_session.py", import.meta.url));

type Api = Awaited<ReturnType<typeof serve>>;

/**
 * An expression of Python, where `linode` is the client with our token, `other` one with a wrong token and `login` the
 * one of an OAuth client; what it gives.
 */
type Step = [expression: string, gives: unknown];

/** A session with the client: each expression, with what it gives. */
async function session(
  api: Api,
  steps: readonly Step[],
  client = { id: "unknown", secret: "unknown" },
): Promise<Step[]> {
  const expressions = steps.map(([expression]) => expression);
  const given = { url: api.url, tokens: { linode: api.token, other: "wrong" }, client, expressions };
  const python = join(judgesFolder, "venv/bin/python3");
  const { code, out, talk } = await run([python, script], { cwd: folder(), input: JSON.stringify(given) });
  expect({ code, talk }).toEqual({ code: 0, talk: [] });
  const lines = out.trimEnd().split("\n");
  return lines.map((line, i) => [expressions[i] ?? "", JSON.parse(line)]);
}

const invalidToken = "[401] Invalid Token";
const hex64 = expect.stringMatching(/^[0-9a-f]{64}$/);

test("reads the account, the profile and the regions", async () => {
  const api = await serve();
  const steps: Step[] = [
    [
      "linode.account()",
      {
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
        credit_card: { last_four: null, expiry: null },
        balance_uninvoiced: 0,
        active_since: noon,
        capabilities: ["Linodes", "Backups", "Block Storage", "Cloud Firewall", "Vlans"],
        active_promotions: [],
        euuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ],
    [
      "linode.profile()",
      {
        uid: 1,
        username: "admin",
        email: "",
        timezone: "UTC",
        email_notifications: false,
        restricted: false,
        two_factor_auth: false,
        ip_whitelist_enabled: false,
        authorized_keys: [],
      },
    ],
    ["linode.profile.tokens()", [{ id: 1, label: "", scopes: "*", created: noon, expiry: null, token: "<REDACTED>" }]],
    ["linode.account.users()", [{ username: "admin", email: "", restricted: false, ssh_keys: [], tfa_enabled: false }]],
    ["(settings := linode.account.settings()).network_helper, settings.longview_subscription", [true, null]],
    ["[region.country for region in linode.regions() if region.id == 'eu-central']", ["de"]],
    ["[(region := linode.load(Region, 'eu-central')).label, region.status]", ["Frankfurt, DE", "ok"]],
    ["linode.load(Region, 'nowhere').country", "ApiError: GET /v4/regions/nowhere: [404] Not found"],
    ["other.account()", `ApiError: GET /v4/account: ${invalidToken}`],
    ["other.profile()", `ApiError: GET /v4/profile: ${invalidToken}`],
  ];
  expect(await session(api, steps)).toEqual(steps);
  expect(api.writes).toEqual([]);
});

const noAlias =
  "ApiError: POST /v4/domains/1/records: [400] type: Must be one of A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA";

test.each([
  { records: "documented", ttl: 3600, open: () => ({}), alias: noAlias, aliasLines: [] }, // the TTL 301 is rounded
  {
    records: "open",
    ttl: 301,
    open: (rdata: string) => ({ rdata, flags: 0 }),
    alias: "www.example.net.",
    aliasLines: ["@ ALIAS www.example.net."],
  },
] as const)(
  "creates, reads, changes and deletes a domain and its records: $records",
  async ({ records, ttl, open, alias, aliasLines }) => {
    const api = await serve({ records });
    const unset = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
    const times = { created: noon, updated: noon };
    const www = { ...unset, ...times, id: 1, type: "A", name: "www", target: "192.0.2.1", ttl_sec: ttl };
    const mail = { ...unset, ...times, id: 2, type: "MX", name: "", target: "mail.example.com", priority: 10 };
    const steps: Step[] = [
      ["(domain := linode.domain_create('example.com', soa_email='hostmaster@example.com')).domain", "example.com"],
      [
        "(www := domain.record_create('A', name='www', target='192.0.2.1', ttl_sec=301))",
        { ...www, ...open("192.0.2.1") },
      ],
      [
        "domain.record_create('MX', target='mail.example.com', priority=10)",
        { ...mail, ...open("10 mail.example.com.") },
      ],
      ["domain.record_create('ALIAS', target='www.example.net').target", alias],
      [
        "linode.load(Domain, 1).zone_file_view()[3:]",
        ["@ NS ns1.example.net.", `www ${ttl} A 192.0.2.1`, "@ MX 10 mail.example.com.", ...aliasLines],
      ],
      ["setattr(www, 'target', '192.0.2.2')", null],
      ["www.save()", true],
      ["linode.load(Domain, 1).records[0]", { ...www, target: "192.0.2.2", ...open("192.0.2.2") }],
      ["www.delete()", true],
      ["[record.type for record in linode.load(Domain, 1).records][:1]", ["MX"]],
      [
        "linode.load(Domain, 1).clone('example.net') and [domain.domain for domain in linode.domains()]",
        ["example.com", "example.net"],
      ],
      ["linode.load(Domain, 1).delete()", true],
    ];
    expect(await session(api, steps)).toEqual(steps);
  },
);

test("reads invoices and their items", async () => {
  const api = await serve();
  await owe(api.store, 1234);
  const steps: Step[] = [
    ["[invoice.total for invoice in linode.account.invoices()]", [12.34]],
    [
      "(invoice := linode.load(Invoice, 1)).label, invoice.subtotal, invoice.tax, invoice.date.isoformat()",
      ["Invoice", 12.34, 0, noon],
    ],
    [
      "[(item.label, item.type, item.quantity, item.unit_price, item.amount, item.from_date.isoformat()) for item in invoice.items]",
      [["Debt", "misc", 1, "12.34", 12.34, noon]],
    ],
    ["linode.account().balance", 12.34],
    ["linode.load(Invoice, 2).total", "ApiError: GET /v4/account/invoices/2: [404] Not found"],
  ];
  expect(await session(api, steps)).toEqual(steps);
  expect(api.writes).toEqual([]);
});

test("creates, reads and deletes tags, each with its event", async () => {
  const api = await serve();
  await api.domain("example.com");
  await api.domain("example.net");
  const event = (id: number, action: string) => ({
    id,
    action,
    username: "admin",
    created: noon,
    entity: { label: "web", id: "web", type: "tag", url: "/v4/tags/web" },
    status: "notification",
    percent_complete: null,
    time_remaining: null,
    rate: null,
    duration: null,
    secondary_entity: null,
    message: "",
    read: false,
    seen: false,
  });
  const steps: Step[] = [
    ["(tag := linode.tag_create('web', domains=[linode.load(Domain, 2)])).label", "web"],
    ["[tag.label for tag in linode.tags()]", ["web"]],
    [
      "[(type(entity).__name__, entity.domain, entity.tags) for entity in tag.objects]",
      [["Domain", "example.net", ["web"]]],
    ],
    ["tag.delete()", true],
    ["[tag.label for tag in linode.tags()]", []],
    ["linode.load(Domain, 2).tags", []],
    ["linode.account.events()[:2]", [event(4, "tag_delete"), event(3, "tag_create")]],
    ["other.tags()", `ApiError: GET /v4/tags: ${invalidToken}`],
  ];
  expect(await session(api, steps)).toEqual(steps);
  expect(api.writes).toEqual(["POST /v4/tags 200", "DELETE /v4/tags/web 200"]);
});

test("registers, changes and deletes OAuth clients", async () => {
  const api = await serve();
  const shown = {
    id: expect.stringMatching(/^[0-9a-f]{20}$/),
    label: "panel",
    redirect_uri: "https://dashboard.example/callback",
    status: "active",
    public: false,
    thumbnail_url: null,
    secret: "<REDACTED>",
  };
  const steps: Step[] = [
    ["(client := linode.account.oauth_client_create('dashboard', 'https://dashboard.example/callback')).secret", hex64],
    ["setattr(client, 'label', 'panel')", null],
    ["client.save()", true],
    ["linode.account.oauth_clients()", [shown]],
    ["linode.load(OAuthClient, client.id).label", "panel"],
    ["client.delete()", true],
    ["linode.account.oauth_clients()", []],
  ];
  expect(await session(api, steps)).toEqual(steps);
});

test("creates, boots, rebuilds, backs up, clones, resizes and deletes nodes, with all that is on them", async () => {
  const api = await serve({ jobDriver: simulatedDriver(0) });
  const steps: Step[] = [
    [
      "(node := linode.linode.instance_create('g6-nanode-1', 'us-east', image='linode/debian12', root_pass='correct Horse 7', label='web-1')).label",
      "web-1",
    ],
    ["(now := lambda: linode.load(Instance, node.id)).__call__().status", "running"],
    [
      "[(disk.label, disk.size, disk.filesystem) for disk in now().disks]",
      [
        ["Debian 12 Disk", 25088, "ext4"],
        ["512 MB Swap Image", 512, "swap"],
      ],
    ],
    [
      "[(config.label, config.kernel.id) for config in now().configs]",
      [["My Debian 12 Disk Profile", "linode/latest-64bit"]],
    ],
    ["node.shutdown()", true],
    ["now().status", "offline"],
    ["now().disks[0].reset_root_password('correct Horse 8')", null],
    ["now().disks[0].resize(20000)", true],
    ["(disk := node.disk_create(size=100, label='data', filesystem='ext4')).label", "data"],
    ["disk.duplicate().label", "Copy of data"],
    ["disk.delete()", true],
    ["[(disk.label, disk.size) for disk in now().disks[:1]]", [["Debian 12 Disk", 20000]]],
    ["(config := node.config_create(kernel='linode/grub2', label='own', disks=[now().disks[0]])).label", "own"],
    ["setattr(config, 'comments', 'second')", null],
    ["config.save()", true],
    ["node.boot(config)", true],
    ["now().status", "running"],
    ["node.reboot()", true],
    ["node.rescue(now().disks[0].id)", {}],
    ["config.delete()", true],
    ["node.rebuild('linode/ubuntu24.04', root_pass='correct Horse 7')", true],
    ["(now().image.id, now().status)", ["linode/ubuntu24.04", "running"]],
    ["node.enable_backups()", true],
    ["(backup := node.snapshot('before')).label", "before"],
    ["now().available_backups.snapshot.current.status", "successful"],
    ["(other := linode.linode.instance_create('g6-nanode-1', 'us-east', label='web-2')).status", "provisioning"],
    ["backup.restore_to(other, overwrite=True)", true],
    ["[disk.label for disk in linode.load(Instance, other.id).disks]", ["Ubuntu 24.04 LTS Disk", "512 MB Swap Image"]],
    ["node.cancel_backups()", true],
    ["node.ip_allocate(public=False).address", "192.168.128.2"],
    [
      "[(address.address, address.rdns) for address in now().ips.ipv4.public]",
      [["198.18.0.2", "198-18-0-2.ip.nodes.invalid"]],
    ],
    ["(now().ips.ipv4.private[0].address, now().ips.ipv6.slaac.prefix)", ["192.168.128.2", 64]],
    ["(volume := linode.volume_create('data', linode=node, size=20)).linode_id", 1],
    ["volume.resize(30)", true],
    ["[(volume.label, volume.size) for volume in now().volumes()]", [["data", 30]]],
    ["volume.detach()", true],
    ["volume.delete()", true],
    [
      "(firewall := linode.networking.firewall_create('web', {'inbound_policy': 'DROP', 'outbound_policy': 'ACCEPT'}, devices={'linodes': [node.id]})).status",
      "enabled",
    ],
    ["[firewall.label for firewall in now().firewalls()]", ["web"]],
    ["firewall.delete()", true],
    ["(clone := node.clone(region='us-east', instance_type='g6-nanode-1', label='web-3')).id", 3],
    ["node.resize('g6-standard-1')", true],
    ["(now().type.id, now().specs.disk)", ["g6-standard-1", 51200]],
    ["node.transfer.quota", 1774],
    ["[node.delete() for node in linode.linode.instances()]", [true, true, true]],
    ["len(linode.linode.instances())", 0],
    ["[event.action for event in linode.account.events() if event.status == 'failed']", []],
  ];
  expect(await session(api, steps)).toEqual(steps);
});

test("a node is offered to another account, which accepts it", async () => {
  const api = await serve({ jobDriver: simulatedDriver(0) });
  await api.mint({ username: "receiver", token: "token-of-receiver" });
  const steps: Step[] = [
    ["(receiver := LinodeClient('token-of-receiver', base_url=url + '/v4')).profile().username", "receiver"],
    ["(node := linode.linode.instance_create('g6-nanode-1', 'us-east', label='web-1')).id", 1],
    ["linode.account.service_transfer_create({'linodes': [node.id]})", null],
    ["(first := linode.account.service_transfers()[0]).status", "pending"],
    ["first.delete()", true],
    ["linode.account.service_transfer_create({'linodes': [node.id]})", null],
    ["(second := linode.account.service_transfers()[1]).entities", { linodes: [1], domains: [] }],
    ["(found := receiver.load(ServiceTransfer, second.token)).is_sender", false],
    ["found.service_transfer_accept()", null],
    ["[node.label for node in receiver.linode.instances()]", ["web-1"]],
    ["len(linode.linode.instances())", 0],
    ["[transfer.status for transfer in linode.account.service_transfers()]", ["cancelled", "completed"]],
    ["[transfer.is_sender for transfer in receiver.account.service_transfers()]", [false]],
    ["receiver.load(ServiceTransfer, first.token).status", expect.stringMatching(/^ApiError: .*: \[404\] Not found$/)],
  ];
  expect(await session(api, steps)).toEqual(steps);
});

test("LinodeLoginClient: sign-in, consent, code, tokens, refresh, expiry", async () => {
  const api = await serve();
  await givePassword(api.store, "admin", "correct horse battery");
  const registered = { label: "dashboard", redirect_uri: "https://dashboard.example/callback" };
  const { body: client } = await api.call("POST", "/account/oauth-clients", registered);
  const scopes = "[OAuthScopes.Domains.read_only, OAuthScopes.Events.all, OAuthScopes.Linodes.read_only]";
  const query = `client_id=${client.id}&response_type=code&scopes=domains%3Aread_only%2Cevents%3A%2A%2Clinodes%3Aread_only`;
  const start: Step[] = [[`login.generate_login_url(scopes=${scopes})`, `${api.url}/oauth/authorize?${query}`]];
  expect(await session(api, start, client)).toEqual(start);

  const browser = new Browser(api.server);
  const signedIn = await browser.signIn(`/oauth/authorize?${query}`, "admin", "correct horse battery");
  const consent = await browser.get(signedIn.location ?? "");
  const { location } = await browser.submit(formOf(consent, "/oauth/authorize"), { decision: "allow" });
  const code = new URL(location ?? "").searchParams.get("code") ?? "";
  expect(location).toBe(`https://dashboard.example/callback?code=${code}&iss=http%3A%2F%2Fapi`);

  const finish: Step[] = [
    [`[(first := login.finish_oauth('${code}'))[0], first[3]]`, [hex64, hex64]],
    [`first[1] == ${scopes}`, true],
    ["(linode := LinodeClient(first[0], base_url=url + '/v4')).domains()", []],
    ["[event.action for event in linode.account.events()]", ["oauth_client_create"]],
    ["linode.tags()", "ApiError: GET /v4/tags: [401] Your OAuth token is not authorized to use this endpoint."],

    ["[(second := login.refresh_oauth_token(first[3]))[0], second[3]]", [hex64, hex64]],
    [`second[0] != first[0] and second[3] != first[3] and second[1] == ${scopes}`, true],
    ["(linode := LinodeClient(second[0], base_url=url + '/v4')).domains()", []],

    ["login.expire_token(second[0])", true],
    ["linode.domains()", `ApiError: GET /v4/domains: ${invalidToken}`],
    [
      "login.refresh_oauth_token(second[3])",
      "ApiError: Refresh failed: POST /oauth/token: [400] " +
        '{"error":"invalid_grant","error_description":"the refresh token is not known, was used, or was revoked"}',
    ],
    [
      `login.finish_oauth('${code}')`,
      "ApiError: OAuth token exchange failed: POST /oauth/token: [400] " +
        '{"error":"invalid_grant","error_description":' +
        '"the code is not known, was used, has expired, or belongs to another request"}',
    ],
  ];
  expect(await session(api, finish, client)).toEqual(finish);
});
