import { accountSections } from "./account.ts";
import { addressSections } from "./addresses.ts";
import { backupSections } from "./backups.ts";
import { cloneSections } from "./clones.ts";
import { companionSections } from "./companions.ts";
import { diskSections } from "./disks.ts";
import { domainSections } from "./domains.ts";
import { eventSections } from "./events.ts";
import { generalSections } from "./general.ts";
import type { Sections } from "./kit.ts";
import { managedSections } from "./managed.ts";
import { nodeStatsSections } from "./node-stats.ts";
import { nodeSections } from "./nodes.ts";
import { oauthClientSections } from "./oauth-clients.ts";
import { regionSections } from "./regions.ts";
import { serviceSections } from "./service.ts";
import { tagSections } from "./tags.ts";
import { ticketSections } from "./tickets.ts";
import { transferSections } from "./transfers.ts";

/** The sentences of the documents and of the decisions, by the section that has them. */
export const sections: Sections = {
  ...generalSections,
  ...accountSections,
  ...eventSections,
  ...oauthClientSections,
  ...ticketSections,
  ...managedSections,
  ...transferSections,
  ...tagSections,
  ...regionSections,
  ...nodeSections,
  ...backupSections,
  ...cloneSections,
  ...addressSections,
  ...nodeStatsSections,
  ...diskSections,
  ...companionSections,
  ...domainSections,
  ...serviceSections,
};
