import type { Branch, FlowEnd } from './session.ts'
import type { Simulated } from './simulate.ts'

/** Expectations of a test case: the flow's messages, the nodes entered, the end; omitted fields match anything. */
export type Expected = {
  readonly messages?: readonly string[] | undefined
  readonly path?: readonly string[] | undefined
  readonly end?: FlowEnd | null | undefined
}

/** Difference between an expected and a simulated conversation. */
export type Difference = {
  readonly field: 'messages' | 'path' | 'end'
  readonly expected: readonly string[]
  readonly actual: readonly string[]
}

/** Returns the differences between expectations and a simulated conversation; empty if all match. */
export function differences(expected: Expected, { messages, path, session }: Simulated): readonly Difference[] {
  const pairs = [
    ['messages', expected.messages, messages.map(({ body }) => body)],
    ['path', expected.path, path],
    ['end', expected.end === undefined ? undefined : listed(expected.end), listed(session.end)],
  ] as const
  return pairs.flatMap(([field, wanted, actual]) =>
    wanted === undefined || isEqual(wanted, actual) ? [] : [{ field, expected: wanted, actual }],
  )
}

/** Coverage of a flow: the nodes and conditions that conversations pass through. */
type Coverage = { readonly nodes: readonly string[]; readonly branches: readonly Branch[] }

/** Returns the coverage of one flow by conversations, which may also pass through other flows. */
export function coverageOf(chatFlowId: number, played: readonly Simulated[]): Coverage {
  const steps = played.flatMap((one) => one.steps.filter((step) => step.chatFlowId === chatFlowId))
  const branches = steps.flatMap(({ branch }) => branch ?? [])
  return {
    nodes: [...new Set(steps.flatMap(({ nodeId, isEntry }) => (isEntry && nodeId !== null ? [nodeId] : [])))],
    branches: [...new Map(branches.map((one) => [`${one.nodeId}>${one.index}`, one])).values()],
  }
}

const listed = (end: FlowEnd | null): readonly string[] => (end === null ? [] : [end])

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index])
