/** A call that makes no sense, whatever the files and the service say. */
export class UsageError extends Error {}
