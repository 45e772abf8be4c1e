/** The version of the service and of the documents that describe it (docs/behaviour.md §9). */
export const VERSION = '1.0.0';
