/** What mends the company's conversations. */
export const loadMaintenance = async () => (await import('./maintenance.ts')).maintenance
