import { type ContentService, contentReads, contentWrites, idOf, zoneNameOf } from "../by-content.ts";
import type { Target, WriteFailure } from "../target.ts";
import { examineFiles } from "./examine.ts";
import { FilesError, missingZoneError } from "./failure.ts";
import { filesKind } from "./kind.ts";
import { type FilesOptions, ZonePublisher } from "./zone-publisher.ts";

/** A folder of zone files that a name server loads. */
export function filesTarget(options: FilesOptions): Target {
  const publisher = new ZonePublisher(options);
  const { verifyAt } = options;
  const service: ContentService = {
    listNames: () => publisher.names(),
    find: (name) => publisher.find(name),
    readRecords: (name) => publisher.records(name),
    change: ({ name }, changes, { expected } = {}) => publisher.change(name, changes, expected),
    goneError: missingZoneError,
    countRequests: () => publisher.requests,
  };
  return {
    ...filesKind,
    read: {
      ...contentReads(service),
      listNotes: () => publisher.notes,
      readZoneFile: async ({ name }) => publisher.text(name),
      examine: (zones) =>
        examineFiles(
          publisher,
          options,
          zones.map(({ name }) => name),
        ),
      ...(verifyAt && {
        ownServer: { address: verifyAt, ask: (question, more) => publisher.ask(verifyAt, question, more) },
      }),
    },
    writes: {
      ...contentWrites(service),
      async createZone({ name }) {
        await publisher.create(name);
        return idOf(name);
      },
      deleteZone: (id) => publisher.remove(zoneNameOf(id)),
      changeSettings: async () => {
        throw new Error("zone files have no settings");
      },
      failureOf,
    },
  };
}

function failureOf(error: unknown): WriteFailure {
  return error instanceof FilesError ? error.failure : "refused";
}
