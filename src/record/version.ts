/** Schema version written into every record as `v`. Readers upgrade older records and leave newer ones alone. */
export const RECORD_VERSION = 1;
