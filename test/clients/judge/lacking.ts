import type { Reason } from "./suite.ts";

/** Things that the server lacks without an endpoint of their own, as failed tests of several clients show them. */
export const lacking: readonly Reason[] = [
  { found: /Must have only the slots sda to sdh/, reason: "configuration profiles have the slots sda to sdh only" },
  {
    found:
      /Block Storage Encryption|DiskEncryption to be: disabled|RUN +\w+_withBlockStorageEncryption|'(?:disk_)?encryption' expected|assert 'enabled' == &lt;InstanceDisk|\bencryption\s+= "enabled" -> "disabled"/,
    reason: "all disks and volumes are shown as encrypted, whatever a request says",
  },
  {
    found: /'maintenance_policy' expected|MaintenancePolicy|maintenance_policy == toggled/,
    reason: "all nodes have one maintenance policy",
  },
  { found: /'has_user_data' expected|HasUserData to be true|has_user_data == True/, reason: "nodes have no user data" },
  {
    found: /ip\.linodeusercontent\.com|ns\[0-9\]\.linode\.com/,
    reason: "the test expects names in domains of the hosted service",
  },
  {
    found: /ssh dial failed|RUN +TestAccResourceInstanceConfig_provisioner/,
    reason: "nodes are simulated, so that no one can log in to them",
  },
  { found: /-\s+"io_ready": "false"/, reason: "the test expects that an attached volume stays without `io_ready`" },
  { found: /linode\/debian[89]\b/, reason: "the catalogue does not have the image" },
  { found: /A valid plan type by that ID was not found/, reason: "the catalogue does not have the type" },
  {
    found: /RUN +\w+[iI]nterfaceGeneration/,
    reason: "nodes have interfaces in configuration profiles only",
  },
  {
    found: /Failed to query available provider packages/,
    reason: "the test downloads another provider, which was not at hand",
  },
  { found: /Cannot filter on interfaces/, reason: "configuration profiles cannot be filtered by their interfaces" },
  {
    found: /Cannot filter on reserved|Expected IP to be reserved|IPAddress: [\d.]+\.reserved/,
    reason: "addresses cannot be reserved",
  },
  { found: /(?:reserved|IP) address, but got none/, reason: "addresses in the request for a node are ignored" },
  { found: /'monitors\.metrics\.0' expected/, reason: "regions do not tell what is monitored there" },
  { found: /firewall rule set: \[404\]/, reason: "zonewright does not serve `/networking/firewalls/rulesets`" },
  { found: /index out of range \[-1\]/, reason: "zonewright does not serve `/object-storage`" },
  { found: /RUN +\w+KernelAndBootSize/, reason: "the size of the first disk cannot be chosen" },
  { found: /Expected profile email/, reason: "the user has no e-mail address" },
  { found: /Error parsing time/, reason: "the catalogue does not tell when support for an image ends" },
];
