/** The words of the two documents, and those of the hosted service, which names its products. */
export const spellings = ["documented", "live"] as const;
export type Spelling = (typeof spellings)[number];

/** Words as documented and as live. One that ends in `_`, `:` or `/` is the beginning of longer ones. */
type Pairs = readonly (readonly [documented: string, live: string])[];

/**
 * Every word that the documents replace (decisions/documents#names, decisions/nodes#words). Of several beginnings of a
 * word, the first counts.
 */
export const words = {
  key: [
    ["node", "linode"],
    ["nodes", "linodes"],
    ["node_id", "linode_id"],
    ["node_label", "linode_label"],
    ["add_nodes", "add_linodes"],
    ["maximum_nodes_per_pg", "maximum_linodes_per_pg"],
    ["maximum_nodes_per_flexible_pg", "maximum_linodes_per_flexible_pg"],
    ["interfaces_for_new_nodes", "interfaces_for_new_linodes"],
    ["balancer", "nodebalancer"],
    ["balancers", "nodebalancers"],
    ["balancer_id", "nodebalancer_id"],
    ["add_balancers", "add_nodebalancers"],
    ["deployscript", "stackscript"],
    ["deployscript_id", "stackscript_id"],
    ["deployscript_data", "stackscript_data"],
    ["add_deployscripts", "add_stackscripts"],
    ["k8scluster", "lkecluster"],
    ["k8scluster_id", "lkecluster_id"],
    ["k8s_cluster_id", "lke_cluster_id"],
    ["add_k8s", "add_lkes"],
    ["metrics", "longview"],
    ["metricsclient_id", "longviewclient_id"],
    ["metrics_subscription", "longview_subscription"],
    ["add_metrics", "add_longview"],
    ["console_auth_method", "lish_auth_method"],
    ["from_operator", "from_linode"],
  ],
  path: [
    ["/node/kernels/node/", "/linode/kernels/linode/"],
    ["/node/deployscripts/", "/linode/stackscripts/"],
    ["/node/", "/linode/"],
    ["/images/node/", "/images/linode/"],
    ["/managed/node-settings/", "/managed/linode-settings/"],
    ["/balancers/", "/nodebalancers/"],
    ["/k8s/", "/lke/"],
    ["/metrics/", "/longview/"],
  ],
  action: [
    ["node_", "linode_"],
    ["balancer_", "nodebalancer_"],
    ["deployscript_", "stackscript_"],
    ["k8s_", "lke_"],
    ["metricsclient_", "longviewclient_"],
    ["watchdog_reboot", "lassie_reboot"],
    ["console_boot", "lish_boot"],
  ],
  entity: [
    ["node", "linode"],
    ["node_config", "linode_config"],
    ["balancer", "nodebalancer"],
    ["deployscript", "stackscript"],
    ["k8scluster", "lkecluster"],
    ["metrics", "longview"],
  ],
  capability: [
    ["Nodes", "Linodes"],
    ["GPU Nodes", "GPU Linodes"],
    ["Balancers", "NodeBalancers"],
  ],
  scope: [["nodes:", "linodes:"]],
  id: [["node/", "linode/"]],
  device: [["/dev/disk/by-id/scsi-0Node_", "/dev/disk/by-id/scsi-0Linode_"]],
} as const satisfies Record<string, Pairs>;

/**
 * The kinds of text that consist of words: a path starts with `/v4` or without it, `scopes` is a list of them, and
 * `entityId` an id only if the entity is an image.
 */
export type WordKind = Exclude<keyof typeof words, "key" | "scope"> | "scopes" | "entityId";

/** The name of a key in replies and bodies of the hosted service. */
export function liveKey(key: string): string {
  return swap(words.key, key, "live");
}

/** A sentence of the service in live words. Names, quoted values and paths in it stay as they are. */
export function liveSentence(text: string): string {
  return text.replace(/(?<![\w.'"`/-])[Nn]ode(s?)(?![\w"`/[-]|'(?!s\b)|\.\S)/g, "Linode$1");
}

/** A text of this kind in the given spelling. Other texts, and those that have it already, stay unchanged. */
export function spell(kind: Exclude<WordKind, "entityId">, text: string, to: Spelling): string {
  switch (kind) {
    case "path": {
      const [version = ""] = /^\/v4(?:beta)?(?=\/)/.exec(text) ?? [];
      return version + swap(words.path, `${text.slice(version.length)}/`, to).slice(0, -1);
    }
    case "scopes":
      return text.replace(/[^\s,]+/g, (scope) => swap(words.scope, scope, to));
    default:
      return swap(words[kind], text, to);
  }
}

function swap(pairs: Pairs, text: string, to: Spelling): string {
  const [from, into] = to === "live" ? ([0, 1] as const) : ([1, 0] as const);
  const pair = pairs.find(({ [from]: word }) => text === word || (/[_:/]$/.test(word) && text.startsWith(word)));
  return pair === undefined ? text : pair[into] + text.slice(pair[from].length);
}
