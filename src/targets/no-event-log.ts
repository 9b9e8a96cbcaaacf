/** Why events are unknown where `capabilities.events` is false, as a clause. */
export const noEventLog = "the service keeps no log of events";
