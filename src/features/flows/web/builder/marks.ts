import { createContext, useContext } from 'react'
import { endId } from '#domain/flow/edit.ts'
import type { Parts } from '#domain/flow/parts.ts'
import type { Played } from './conversation.ts'
import type { Detail } from './draft.ts'

/** Reason for highlighting a step or edge: on a simulation's path, not covered by any case, or different from a version. */
export type Mark = 'lit' | 'uncovered' | 'added' | 'removed' | 'changed'

/** Highlighted items by canvas node or edge id. */
export type Marks = ReadonlyMap<string, Mark>

const nothing: Marks = new Map()
const MarksContext = createContext<Marks>(nothing)

/** Context provider of the marks. */
export const MarksProvider = MarksContext.Provider

/** Returns the marks of the flow on screen. */
export const useMarks = (): Marks => useContext(MarksContext)

const wayOf = (id: string, index: number, mark: Mark): [string, Mark][] => [
  [`${id}>${index}`, mark],
  [endId(id, index), mark],
]

/** Returns the marks of a simulated conversation's path. */
export function pathMarks(chatFlowId: number, { steps }: Played): Marks {
  const own = steps.filter((step) => step.chatFlowId === chatFlowId)
  return new Map([
    ...own.slice(0, 1).map((): [string, Mark] => ['start', 'lit']),
    ...own.flatMap(({ nodeId, isEntry, branch }): [string, Mark][] => [
      ...(isEntry && nodeId !== null ? [[nodeId, 'lit'] as [string, Mark]] : []),
      ...(branch ? wayOf(branch.nodeId, branch.index, 'lit') : []),
    ]),
  ])
}

/** Returns the marks of steps and edges that no case covers. */
export function coverageMarks(steps: readonly Parts[], { coverage, branches }: Detail): Marks {
  const nodes = new Set(coverage)
  const ways = new Set(branches.map(({ nodeId, index }) => endId(nodeId, index)))
  return new Map(
    steps.flatMap(({ id, conditions }): [string, Mark][] => [
      ...(nodes.has(id) ? [] : [[id, 'uncovered'] as [string, Mark]]),
      ...conditions.flatMap((_, index) => (ways.has(endId(id, index)) ? [] : wayOf(id, index, 'uncovered'))),
    ]),
  )
}
