import type { EndpointTag } from "../../contract/endpoint-tags.ts";
import type { EndpointName } from "../../contract/endpoints/index.ts";
import type { Destination } from "./router.ts";

/** Upper bounds of the classes of latencies, in seconds; a last class without a bound follows. */
export const latencyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Every other method is counted as `other`: clients choose the text of a method. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);

export interface RequestCount {
  readonly method: string;
  /** `none` outside of the endpoints. */
  readonly endpoint: EndpointName | "none";
  readonly status: number;
  count: number;
}

export interface LatencyCount {
  /** The group of the endpoint in the OpenAPI document; `none` outside of the endpoints. */
  readonly group: EndpointTag | "none";
  /** Requests by class, see `latencyBounds`. */
  readonly classes: number[];
  /** Of all latencies, in seconds. */
  sum: number;
}

/** Counts requests, as plain numbers: neither paths nor anything else that a client chooses is kept. */
export class RequestCounts {
  readonly #requests = new Map<string, RequestCount>();
  readonly #latencies = new Map<string, LatencyCount>();

  /** Counts a request; `took` is the time until its reply, in milliseconds. */
  count(destination: Destination, request: { readonly method: string }, status: number, took: number): void {
    const isRead = destination.kind !== "unread";
    const method = isRead && methods.has(request.method) ? request.method : "other";
    const [endpoint, group] =
      destination.kind === "endpoint"
        ? ([destination.name, destination.endpoint.tag] as const)
        : (["none", "none"] as const);
    const key = `${method} ${endpoint} ${status}`;
    const known = this.#requests.get(key);
    if (known) known.count++;
    else this.#requests.set(key, { method, endpoint, status, count: 1 });
    this.#countLatency(group, took / 1000);
  }

  listRequests(): readonly RequestCount[] {
    return [...this.#requests.values()];
  }

  listLatencies(): readonly LatencyCount[] {
    return [...this.#latencies.values()];
  }

  #countLatency(group: LatencyCount["group"], seconds: number): void {
    let latencies = this.#latencies.get(group);
    if (latencies === undefined) {
      latencies = { group, classes: Array(latencyBounds.length + 1).fill(0), sum: 0 };
      this.#latencies.set(group, latencies);
    }
    const bounded = latencyBounds.findIndex((bound) => seconds <= bound);
    const at = bounded === -1 ? latencyBounds.length : bounded;
    latencies.classes[at] = (latencies.classes[at] ?? 0) + 1;
    latencies.sum += seconds;
  }
}
