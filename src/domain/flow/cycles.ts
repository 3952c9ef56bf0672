import type { Flow, FlowNode } from './flow.ts'
import { leadsOf } from './nodes/index.ts'

type Step = { readonly chatFlowId: number; readonly nodeId: string }

/** Returns one node of each endless cycle without waiting that starts in these flows, also through other flows. */
export function cycles(flows: ReadonlyMap<number, Flow>, chatFlowId: number): readonly string[] {
  const done = new Set<string>()
  const onWay = new Map<string, Step>()
  const found = new Set<string>()
  const keyOf = (step: Step) => `${step.chatFlowId}|${step.nodeId}`
  for (const nodeId of flows.get(chatFlowId)?.nodes.keys() ?? []) {
    const way: { step: Step; next: Step[] }[] = []
    const visit = (step: Step) => {
      onWay.set(keyOf(step), step)
      way.push({ step, next: following(flows, step) })
    }
    const first = { chatFlowId, nodeId }
    if (!done.has(keyOf(first))) visit(first)
    for (let last = way.at(-1); last; last = way.at(-1)) {
      const next = last.next.pop()
      if (!next) {
        onWay.delete(keyOf(last.step))
        done.add(keyOf(last.step))
        way.pop()
      } else if (onWay.has(keyOf(next))) {
        const steps = [...onWay.values()]
        const cycle = steps.slice(steps.findIndex((step) => keyOf(step) === keyOf(next)))
        const own = cycle.find((step) => step.chatFlowId === chatFlowId)
        if (own) found.add(own.nodeId)
      } else if (!done.has(keyOf(next))) visit(next)
    }
  }
  return [...found]
}

/** Returns the steps that a conversation can reach from a node without waiting for the customer. */
function following(flows: ReadonlyMap<number, Flow>, { chatFlowId, nodeId }: Step): Step[] {
  const flow = flows.get(chatFlowId)
  const node = flow?.nodes.get(nodeId)
  if (!flow || !node) return []
  const other = startedBy(node)
  if (other !== undefined) {
    const first = other === null ? null : flows.get(other)?.firstNode
    return other === null || first == null ? [] : [{ chatFlowId: other, nodeId: first }]
  }
  // Conditions on the assistant's exit are evaluated at once, also in a step that waits.
  const atOnce = judgedIn(node).filter(({ test }) => !node.wait || test.of === 'assistant')
  return atOnce.flatMap(({ action }) => (action.to === 'node' ? [{ chatFlowId, nodeId: action.nodeId }] : []))
}

/** Returns the conditions that can be evaluated: known ones, and none if the node leaves the flow. */
export const judgedIn = (node: FlowNode): FlowNode['conditions'] =>
  leavesFlow(node) ? [] : node.conditions.filter(({ unknown }) => unknown === undefined)

/** Whether an interaction of the node leaves the flow. */
export const leavesFlow = (node: FlowNode): boolean => startedBy(node) !== undefined

/** Returns the flow that a node starts; undefined: the node stays in the flow; null: no flow is named, or no flow follows. */
function startedBy({ interactions }: FlowNode): number | null | undefined {
  for (const interaction of interactions) {
    const flow = leadsOf(interaction)
    if (flow !== undefined) return flow
  }
  return undefined
}
