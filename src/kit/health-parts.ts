/** Parts of an installation that may fail temporarily. */
export const HEALTH_PARTS = ['database', 'disk', 'ingest', 'worker', 'channels', 'listen'] as const
