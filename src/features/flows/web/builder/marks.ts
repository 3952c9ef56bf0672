import { createContext, useContext } from 'react'
import { endId } from '#domain/flow/edit.ts'
import type { Played } from './conversation.ts'
import type { Detail } from './draft.ts'
import type { Parts } from './parts.ts'

/** Why a step or a way is painted: a simulated conversation goes through it, no case does, or it differs from a version. */
export type Mark = 'lit' | 'uncovered' | 'added' | 'removed' | 'changed'

/** What is painted, by the ids of nodes and edges of the canvas. */
export type Marks = ReadonlyMap<string, Mark>

const nothing: Marks = new Map()
const MarksContext = createContext<Marks>(nothing)

/** Gives the marks to what stands within it. */
export const MarksProvider = MarksContext.Provider

/** What is painted of the flow on screen. */
export const useMarks = (): Marks => useContext(MarksContext)

const wayOf = (id: string, index: number, mark: Mark): [string, Mark][] => [
  [`${id}>${index}`, mark],
  [endId(id, index), mark],
]

/** The way that a simulated conversation has taken through a flow. */
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

/** The steps and ways of a flow through which none of its cases goes. */
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
