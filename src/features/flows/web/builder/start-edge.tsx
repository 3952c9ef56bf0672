import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { SIZE } from './parts.ts'

/** The way from the start: straight down where its step stands below it. */
function StartEdge({ id, ...ends }: EdgeProps) {
  const { sourceX, sourceY, targetX, targetY } = ends
  const x = sourceX - SIZE.start.width / 2
  const [bottom, top] = [sourceY + SIZE.start.height / 2, targetY - SIZE.step.header / 2]
  const isBelow = top > bottom && x > targetX && x < targetX + SIZE.step.width
  const [curve] = getBezierPath(ends)
  return <BaseEdge id={id} path={isBelow ? `M${x},${bottom}L${x},${top}` : curve} />
}

/** How ways are drawn that are not drawn as all others. */
export const edgeTypes = { start: StartEdge }
