/** A stage of the kanban by its id. */
export const loadStageOf = async () => (await import('./list/StageOf.tsx')).StageOf
