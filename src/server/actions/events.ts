import type { Handler } from "../kit/context.ts";
import { findEvent, visibleTo } from "../kit/events.ts";
import * as events from "../store/events.ts";

export const markEventRead: Handler<"markEventRead"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await events.markRead(db, (await findEvent(db, eventId, context)).id);
    return {};
  });

export const markEventsSeen: Handler<"markEventsSeen"> = ({ eventId }, context) =>
  context.store.write(async (db) => {
    await events.markSeen(db, visibleTo(context), (await findEvent(db, eventId, context)).id);
    return {};
  });
