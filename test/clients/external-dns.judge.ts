import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../client/sockets.ts";
import { clientProgram, runProgram } from "./judge/suite.ts";
import { folder, serve } from "./run.ts";

// `npm run judge:clients`: not part of `npm test`.
const externalDns = clientProgram("external-dns");

/** A load balancer for host names: an IPv4 address or a name. */
interface Ingress {
  readonly hosts: readonly string[];
  readonly target: string;
}

/** The API of a Kubernetes cluster that has these ingresses, as long as the test; its address. */
async function cluster(ingresses: readonly Ingress[]): Promise<string> {
  const items = ingresses.map(({ hosts, target }, index) => ({
    metadata: { name: `web-${index}`, namespace: "default", uid: String(index), resourceVersion: "1" },
    spec: { rules: hosts.map((host) => ({ host })) },
    status: { loadBalancer: { ingress: [/^[\d.]+$/.test(target) ? { ip: target } : { hostname: target }] } },
  }));
  const list = { kind: "IngressList", apiVersion: "networking.k8s.io/v1", metadata: { resourceVersion: "1" }, items };
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://cluster");
    reply.setHeader("Content-Type", "application/json");
    if (!pathname.endsWith("/ingresses")) return reply.writeHead(404).end("{}");
    if (searchParams.get("watch") === "true") {
      // It stays open and reports no change; clients may ask for all objects as its first events.
      reply.flushHeaders();
      if (searchParams.get("sendInitialEvents") !== "true") return;
      const type = { kind: "Ingress", apiVersion: list.apiVersion };
      const annotations = { "k8s.io/initial-events-end": "true" };
      const end = { ...type, metadata: { ...list.metadata, annotations } };
      for (const item of items) reply.write(`${JSON.stringify({ type: "ADDED", object: { ...type, ...item } })}\n`);
      return reply.write(`${JSON.stringify({ type: "BOOKMARK", object: end })}\n`);
    }
    return reply.end(JSON.stringify(list));
  });
  onTestFinished(() => server.closeAllConnections());
  return listen(server);
}

async function prepare() {
  const api = await serve({ profile: "live", clock: () => new Date() });
  await api.domain("example.com");
  /** Brings the zone to the state of the ingresses; returns its writes and the records. */
  const sync = async (...ingresses: Ingress[]) => {
    api.writes.length = 0;
    const options = ["--source=ingress", "--policy=sync", "--registry=txt", "--txt-owner-id=cluster-1", "--once"];
    const cwd = folder();
    const kubeconfig = join(cwd, "kubeconfig");
    const named = { cluster: "test", user: "test" };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: "test", cluster: { server: await cluster(ingresses) } }],
        users: [{ name: "test", user: {} }],
        contexts: [{ name: "test", context: named }],
        "current-context": "test",
      }),
    );
    const words = ["--provider=linode", "--domain-filter=example.com", `--kubeconfig=${kubeconfig}`];
    const { code, text } = await runProgram([externalDns, ...words, ...options], {
      cwd,
      env: { LINODE_TOKEN: api.token, LINODE_URL: api.url, LINODE_API_VERSION: "v4" },
      seconds: 60,
    });
    const records = (await api.records(1)) as { type: string; name: string; target: string }[];
    const lines = records.map(({ type, name, target }) => `${name} ${type} ${type === "TXT" ? "" : target}`.trim());
    return { code, text, records: lines.sort(), writes: [...api.writes] };
  };
  return sync;
}

const address = { hosts: ["www.example.com"], target: "192.0.2.1" };

test("creates an address with its record of ownership, has nothing to do then, and deletes both", async () => {
  const sync = await prepare();
  const first = await sync(address);
  expect(first.records, first.text).toEqual(["a-www TXT", "www A 192.0.2.1"]);
  expect((await sync(address)).writes).toEqual([]);
  expect((await sync()).records).toEqual([]);
});

test("creates a wildcard with its record of ownership", async () => {
  const sync = await prepare();
  const first = await sync({ hosts: ["*.example.com"], target: "192.0.2.1" });
  expect(first.records, first.text).toEqual(["* A 192.0.2.1", "a-*  TXT"]);
});

test("changes the target of an alias", async () => {
  const sync = await prepare();
  const first = await sync({ hosts: ["www.example.com"], target: "lb1.example.net" });
  expect(first.records, first.text).toEqual(["cname-www TXT", "www CNAME lb1.example.net"]);
  const second = await sync({ hosts: ["www.example.com"], target: "lb2.example.net" });
  expect(second.records, second.text).toEqual(["cname-www TXT", "www CNAME lb2.example.net"]);
});

test("replaces an address by an alias", async () => {
  const sync = await prepare();
  const first = await sync(address);
  expect(first.code, first.text).toBe(0);
  const second = await sync({ hosts: ["www.example.com"], target: "lb1.example.net" });
  expect(second.records, second.text).toEqual(["cname-www TXT", "www CNAME lb1.example.net"]);
});
