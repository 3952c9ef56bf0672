import { Stage } from '#web/ui/identity/badges.tsx'
import { useStages } from '../choices/choices.ts'

/** Kanban stage by id, in its colour. */
export function StageOf({ id }: { id: number }) {
  const stage = useStages()?.find((one) => one.id === id)
  return stage ? <Stage name={stage.name} color={stage.color} /> : null
}
