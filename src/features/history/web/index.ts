/** Loads the maintenance tools for the company's conversations. */
export const loadMaintenance = async () => (await import('./maintenance.ts')).maintenance
