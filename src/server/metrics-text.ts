import { Counter, collectDefaultMetrics, Gauge, Histogram, type MetricType, Registry } from "prom-client";
import { type LatencyCount, latencyBounds, type RequestCounts } from "./http/request-counts.ts";
import { type HealthProblemId, healthProblemIds } from "./kit/health.ts";
import type { MeasuredNames } from "./nameserver/measured-names.ts";
import type { StoreOctets } from "./store/driver.ts";

/** Counts of the parts of a service, and readings for one text. */
export interface MetricsReadings {
  readonly requests: RequestCounts;
  readonly problems: ReadonlySet<HealthProblemId>;
  /** Undefined if the database does not answer. */
  readonly storeOctets: StoreOctets | undefined;
  /** Undefined without a name service. */
  readonly names: NameReadings | undefined;
}

interface NameReadings {
  readonly counts: MeasuredNames["counts"];
  readonly loaded: ReturnType<MeasuredNames["listLoaded"]>;
  /** In milliseconds; undefined if the database does not answer. */
  readonly oldestChangeMs: number | undefined;
}

/** The metrics in the text format of Prometheus, with names and base units as its conventions demand. */
export async function metricsText(readings: MetricsReadings): Promise<{ contentType: string; text: string }> {
  const registry = new Registry();
  addRequests(registry, readings.requests);
  addState(registry, readings);
  if (readings.names) addNames(registry, readings.names);
  const texts = await Promise.all([registry.metrics(), processMetrics().metrics()]);
  return { contentType: registry.contentType, text: texts.join("\n") };
}

/** Those of the process and its event loop, which all services of a process share. */
let ofProcess: Registry | undefined;

/** Gauges whose names end as those of counters do; prom-client also has them without that end. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"];

function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
    for (const name of misnamed) ofProcess.removeSingleMetric(name);
  }
  return ofProcess;
}

/** A metric without its values. */
interface Family {
  readonly name: `zonewright_${string}`;
  readonly help: string;
  readonly labelNames: readonly string[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

function addCounter(registry: Registry, family: Family, samples: readonly Sample[]): void {
  const counter = new Counter({ ...family, registers: [registry] });
  for (const { labels, value } of samples) counter.inc(labels, value);
}

function addGauge(registry: Registry, family: Family, samples: readonly Sample[]): void {
  if (samples.length === 0) return; // one without labels would be 0
  const gauge = new Gauge({ ...family, registers: [registry] });
  for (const { labels, value } of samples) gauge.set(labels, value);
}

/** A sample of things that were counted, with everything else about them as labels. */
function counted<T extends { readonly count: number }>({ count, ...labels }: T): Sample {
  return { labels: labels as Omit<T, "count"> & Sample["labels"], value: count };
}

const families = {
  requests: {
    name: "zonewright_http_requests_total",
    help: "Requests that got a reply.",
    labelNames: ["method", "endpoint", "status"],
  },
  problem: {
    name: "zonewright_health_problem",
    help: "Problems of /readyz: 1 while there is one, else 0.",
    labelNames: ["problem"],
  },
  storeSize: {
    name: "zonewright_store_size_bytes",
    help: "Size of the database, and of its write-ahead log.",
    labelNames: ["part"],
  },
  queries: {
    name: "zonewright_dns_queries_total",
    help: "Queries, by the type in their question.",
    labelNames: ["transport", "type"],
  },
  responses: {
    name: "zonewright_dns_responses_total",
    help: "Responses to queries, by their code.",
    labelNames: ["rcode"],
  },
  transfers: {
    name: "zonewright_dns_transfers_total",
    help: "Zone transfers to secondaries, by their outcome.",
    labelNames: ["type", "outcome"],
  },
  zones: {
    name: "zonewright_dns_zones_in_memory",
    help: "Zones that the name server has loaded.",
    labelNames: ["kind"],
  },
  zonesSize: {
    name: "zonewright_dns_zones_in_memory_bytes",
    help: "Estimated size of the zones that the name server has loaded.",
    labelNames: ["kind"],
  },
  oldestChange: {
    name: "zonewright_dns_oldest_unserved_change_age_seconds",
    help: "Age of the oldest change of a zone that is not served yet; 0 if there is none.",
    labelNames: [],
  },
} as const satisfies Record<string, Family>;

function addRequests(registry: Registry, requests: RequestCounts): void {
  addCounter(registry, families.requests, requests.listRequests().map(counted));
  new CountedHistogram(registry, requests.listLatencies());
}

function addState(registry: Registry, { problems, storeOctets }: MetricsReadings): void {
  const states = healthProblemIds.map((problem) => ({ labels: { problem }, value: problems.has(problem) ? 1 : 0 }));
  addGauge(registry, families.problem, states);
  const parts = Object.entries(storeOctets ?? {}).map(([part, value]) => ({ labels: { part }, value }));
  addGauge(registry, families.storeSize, parts);
}

function addNames(registry: Registry, { counts, loaded, oldestChangeMs }: NameReadings): void {
  addCounter(registry, families.queries, counts.listQueries().map(counted));
  addCounter(registry, families.responses, counts.listResponses().map(counted));
  addCounter(registry, families.transfers, counts.listTransfers().map(counted));
  const ofKinds = (key: "zones" | "octets") => loaded.map((one) => ({ labels: { kind: one.kind }, value: one[key] }));
  addGauge(registry, families.zones, ofKinds("zones"));
  addGauge(registry, families.zonesSize, ofKinds("octets"));
  const ages = oldestChangeMs === undefined ? [] : [{ labels: {}, value: oldestChangeMs / 1000 }];
  addGauge(registry, families.oldestChange, ages);
}

/** A histogram of latencies that were counted elsewhere: prom-client's own takes them only one by one. */
class CountedHistogram extends Histogram<"group" | "le"> {
  readonly #latencies: readonly LatencyCount[];

  constructor(registry: Registry, latencies: readonly LatencyCount[]) {
    super({ ...latencyFamily, labelNames: ["group"], registers: [registry] });
    this.#latencies = latencies;
  }

  override async get() {
    const values = this.#latencies.flatMap(bucketsOf);
    return { ...latencyFamily, type: histogramType, aggregator: "sum" as const, collect: () => {}, values };
  }

  /** To write text, a registry asks for the values by this name. */
  getForPromString() {
    return this.get();
  }
}

/** The types declare an enumeration that the package does not have. */
const histogramType = "histogram" as unknown as MetricType.Histogram;

const latencyFamily = {
  name: "zonewright_http_request_duration_seconds",
  help: "Time from a request to its reply, by the group of its endpoint.",
};

/** The samples of a histogram: how many are at most each bound, their sum and their number. */
function bucketsOf({ group, classes, sum }: LatencyCount) {
  const { name } = latencyFamily;
  let count = 0;
  const buckets = classes.map((inClass, index) => {
    count += inClass;
    return { metricName: `${name}_bucket`, labels: { group, le: latencyBounds[index] ?? "+Inf" }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { group }, value: sum },
    { metricName: `${name}_count`, labels: { group }, value: count },
  ];
}
