import { coverageOf, differences } from '#domain/flow/cases.ts'
import type { FlowDocument } from '#domain/flow/document.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import type { RecordedEvent, RecordedFacts } from '#domain/flow/recording.ts'
import { itemAt } from '#domain/present.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { channelType } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import type { flows } from '../contract.ts'
import { documentIn, flowOf } from './documents.ts'
import { type Asking, conversationOf, playerOf } from './play.ts'
import { findFlow } from './queries.ts'
import { type Conversation, deleteCase, insertCase, listCases, type StoredCase } from './queries-cases.ts'
import { findEvents } from './queries-sessions.ts'

type UserCtx = Ctx & { readonly user: Actor }

const MOST_CASES = 200

/** Results of a flow's cases, and the nodes that they enter. */
export type CaseResults = Returned<typeof flows.runCases>

/** Runs all cases of a flow on one of its documents. */
export async function runCases(ctx: Asking, chatFlowId: number, document: FlowDocument): Promise<CaseResults> {
  const cases = await listCases(ctx.db, chatFlowId)
  if (cases.length === 0) return { cases: [], coverage: [], branches: [] }
  const contactIds = cases.flatMap(({ conversation }) => conversation.contactId ?? [])
  const play = await playerOf(ctx, { chatFlowId, version: 0, flow: readFlow(document) }, contactIds)
  const played = cases.map(({ conversation }) => play(conversation))
  const results = cases.map(({ id, name, expect }, index) => {
    const found = differences(expect, itemAt(played, index))
    return { id, name, isPassed: found.length === 0, differences: found.map(copied) }
  })
  const { nodes, branches } = coverageOf(chatFlowId, played)
  return { cases: results, coverage: [...nodes], branches: [...branches] }
}

const copied = ({ field, expected, actual }: ReturnType<typeof differences>[number]) => ({
  field,
  expected: [...expected],
  actual: [...actual],
})

/** Runs the cases of a flow on its draft. */
export async function runDraft(ctx: Asking, id: number): Promise<CaseResults> {
  const row = required(await findFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  return runCases(ctx, id, documentIn(row))
}

/** Returns the cases of a flow with their results on the draft. */
export async function readCases(ctx: Asking, id: number): Promise<Returned<typeof flows.listCases>> {
  const { cases: results, ...coverage } = await runDraft(ctx, id)
  const byId = new Map(results.map((one) => [one.id, one]))
  const cases = await listCases(ctx.db, id)
  return {
    cases: cases.flatMap(({ conversation: { known, ...conversation }, expect, ...one }) => {
      const result = byId.get(one.id)
      return result
        ? [
            {
              ...one,
              ...conversation,
              ...(known && { known: { ...known, tagIds: [...known.tagIds] } }),
              events: [...conversation.events],
              answers: [...conversation.answers],
              expect: copiedExpect(expect),
              ...result,
            },
          ]
        : []
    }),
    ...coverage,
  }
}

const copiedExpect = ({ messages, path, end }: StoredCase['expect']) => ({
  ...(messages ? { messages: [...messages] } : {}),
  ...(path ? { path: [...path] } : {}),
  ...(end === undefined ? {} : { end }),
})

/** Stores a conversation as a case of a flow. */
export async function createCase(
  ctx: UserCtx,
  id: number,
  { name, expect, ...body }: Input<typeof flows.createCase>['body'],
): Promise<{ id: number }> {
  required(await findFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  return addCase(ctx, id, { name, conversation: await conversationOf(ctx, body), expect, ticketId: null })
}

async function addCase(
  ctx: UserCtx,
  id: number,
  one: Omit<Parameters<typeof insertCase>[2], 'now'>,
): Promise<{ id: number }> {
  if ((await listCases(ctx.db, id)).length >= MOST_CASES) fail('ERR_MAX_FLOW_CASES')
  return { id: await insertCase(ctx.db, id, { ...one, now: ctx.now }) }
}

/** Creates a case from a ticket that this flow attended, expecting the same path and end. */
export async function caseOfTicket(
  ctx: UserCtx,
  id: number,
  { name, ticketId, channel }: { name: string; ticketId: number; channel: string },
): Promise<{ id: number }> {
  required(await findFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const events = required(await findEvents(ctx.db, ticketId, id), 'ERR_NO_FLOW_SESSION_FOUND')
  const [start] = events
  const version = start?.type === 'start' ? start.version : 0
  const flow = required(await flowOf(ctx, id, version), 'ERR_NO_FLOW_VERSION_FOUND')
  const known = knownAtStart(flow, start?.facts)
  const conversation = {
    ...asSimulation(events),
    contactId: null,
    channel: channelType(channel) ? channel : null,
    known,
  }
  const { path, session } = (await playerOf(ctx, { chatFlowId: id, version, flow }, []))(conversation)
  return addCase(ctx, id, { name, conversation, expect: { path, end: session.end }, ticketId })
}

/** Returns the facts at the start that decided the path; of variables only those that conditions test. */
function knownAtStart(flow: Flow, facts: RecordedFacts = {}): NonNullable<Conversation['known']> {
  const { tagIds = [], isFirstTicket = false, values = {}, own = {} } = facts
  const tests = [...flow.nodes.values()].flatMap(({ conditions }) => conditions.map(({ test }) => test))
  const asked = new Set(tests.flatMap((test) => (test.of === 'variable' ? [test.name] : [])))
  const decided = Object.entries({ ...own, ...values }).filter(([name]) => asked.has(name))
  return { tagIds: tagIds.slice(0, 100), isFirstTicket, values: Object.fromEntries(decided) }
}

/** Converts a session's recorded events to a simulation. */
function asSimulation(events: readonly RecordedEvent[]) {
  return {
    at: events[0]?.at ?? 0,
    events: events.slice(1).flatMap((event) => {
      if (event.type === 'answer') return [{ at: event.at, text: event.text }]
      return event.type === 'timer' ? [{ at: event.at }] : []
    }),
    answers: events.flatMap((event) =>
      event.type === 'called' ? [{ nodeId: event.nodeId, status: event.status, body: event.body }] : [],
    ),
  }
}

/** Removes a case. */
export async function removeCase(ctx: UserCtx, id: number, caseId: number): Promise<void> {
  if (!(await deleteCase(ctx.db, id, caseId))) fail('ERR_NO_FLOW_CASE_FOUND')
}
