/** Loads the component that shows a kanban stage by id. */
export const loadStageOf = async () => (await import('./list/StageOf.tsx')).StageOf
