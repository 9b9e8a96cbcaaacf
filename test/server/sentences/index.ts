import { accountSections } from "./account.ts";
import { domainSections } from "./domains.ts";
import { eventSections } from "./events.ts";
import type { Sections } from "./kit.ts";
import { serviceSections } from "./service.ts";

/** The sentences of the documents and of the design, by their sections. */
export const sections: Sections = { ...accountSections, ...eventSections, ...domainSections, ...serviceSections };
