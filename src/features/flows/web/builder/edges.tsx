import { BaseEdge, type EdgeProps, getBezierPath, getSmoothStepPath } from '@xyflow/react'
import { useDraggedBy } from './dragged.ts'
import { SIZE } from './parts.ts'

const BACK = { borderRadius: 12, offset: 20 }

type Ends = Omit<EdgeProps, 'id'>

/** Returns the current end points of an edge. */
function useEnds(known: Ends): Ends {
  const { x: fromX, y: fromY } = useDraggedBy(known.source)
  const { x: toX, y: toY } = useDraggedBy(known.target)
  return {
    ...known,
    sourceX: known.sourceX + fromX,
    sourceY: known.sourceY + fromY,
    targetX: known.targetX + toX,
    targetY: known.targetY + toY,
  }
}

/** Edge between two steps; a backward one is routed around the steps instead of behind them. */
function WayEdge({ id, ...known }: EdgeProps) {
  const ends = useEnds(known)
  const isBack = ends.targetX < ends.sourceX
  const [path] = isBack ? getSmoothStepPath({ ...ends, ...BACK }) : getBezierPath(ends)
  return <BaseEdge id={id} path={path} />
}

/** Edge from the start: a straight line if its step is right below. */
function StartEdge({ id, ...known }: EdgeProps) {
  const ends = useEnds(known)
  const { sourceX, sourceY, targetX, targetY } = ends
  const x = sourceX - SIZE.start.width / 2
  const [bottom, top] = [sourceY + SIZE.start.height / 2, targetY - SIZE.step.header / 2]
  const isBelow = top > bottom && x > targetX && x < targetX + SIZE.step.width
  const [curve] = getBezierPath(ends)
  return <BaseEdge id={id} path={isBelow ? `M${x},${bottom}L${x},${top}` : curve} />
}

/** Components of the edge types. */
export const edgeTypes = { default: WayEdge, start: StartEdge }
