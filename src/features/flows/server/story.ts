import type { Returned } from '#kit/contract.ts'
import type { ReadCtx } from '#server/context.ts'
import type { ticketFlow } from '../contract.ts'
import { flowOf } from './documents.ts'
import { findStory } from './queries-sessions.ts'

/** Returns the flow's actions in a ticket that the caller may see, or in the session of one of its messages. */
export async function readStory(
  ctx: ReadCtx,
  ticketId: number,
  messageId: string | null,
): Promise<Returned<typeof ticketFlow.get>> {
  const story = await findStory(ctx.db, ticketId, messageId)
  if (!story) return { chatFlowId: null, version: null, name: null, startedWith: null, steps: [] }
  const { effect } = story
  const reason = effect === null ? undefined : story.steps.findLast(({ number }) => number < effect)
  const steps = []
  for (const step of story.steps) {
    const { at, nodeId, why } = step
    const flow = await flowOf(ctx, step.chatFlowId ?? story.chatFlowId, step.version ?? story.version)
    const name = (nodeId === null ? null : flow?.nodes.get(nodeId)?.name) ?? null
    steps.push({ at, nodeId, name, why, isReason: step === reason })
  }
  const { chatFlowId, version, name, startedWith } = story
  return { chatFlowId, version, name, startedWith, steps }
}
