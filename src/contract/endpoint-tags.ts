/** The groups of endpoints, in the order of the OpenAPI document, each with its description. */
export const endpointTags = {
  Account: "The owner of the domains",
  Domains: "DNS zones and their records",
  Events: "Changes, and the users who made them",
  Invoices: "Bills of what the account uses",
  Logins: "Users who signed in",
  Maintenance: "Work of the operator on the hosts of nodes",
  Managed: "Monitored services, and the operator's access to nodes",
  Notifications: "Matters that need attention",
  "OAuth clients": "Applications that users sign in to",
  Profile: "The user of the token",
  Regions: "Places of the service",
  Support: "Tickets, and the operator's replies",
  Tags: "Labels of domains and other objects",
  Transfers: "Nodes and domains that move from one account to another",
  Users: "The users of the account",
  Nodes: "Compute nodes",
} as const;

export type EndpointTag = keyof typeof endpointTags;
