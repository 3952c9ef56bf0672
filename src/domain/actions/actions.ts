import { ownMember } from '../keys.ts'
import { snooze } from '../tickets/commands.ts'
import type { TicketLog } from '../tickets/logs.ts'
import {
  close,
  type Outcome,
  type TicketChange,
  type TicketState,
  type TransitionRefusal,
  transfer,
  type WakingCommand,
} from '../tickets/transitions.ts'

/** One action on a ticket; a macro is an ordered list of actions. */
export type Action =
  | { readonly kind: 'tag'; readonly tagIds: readonly number[] }
  | { readonly kind: 'untag'; readonly tagIds: readonly number[] }
  | { readonly kind: 'queue'; readonly queueId: number }
  /** Null: the user who runs the actions. */
  | { readonly kind: 'person'; readonly userId: number | null }
  | { readonly kind: 'note'; readonly body: string }
  | { readonly kind: 'text'; readonly body: string }
  /** Moves the ticket's contact to a kanban stage. */
  | { readonly kind: 'stage'; readonly stageId: number }
  /** Without `reasonId`: the reason given for the whole list, or the ticket's own. */
  | { readonly kind: 'close'; readonly reasonId?: number | null | undefined }
  /** Creates an opportunity in a funnel stage; the name may contain variables, the value is decimal text. */
  | { readonly kind: 'opportunity'; readonly pipelineStageId: number; readonly name: string; readonly value: string }
  /** Snoozes the ticket for `minutes` from the time of execution. */
  | { readonly kind: 'snooze'; readonly minutes: number }

/** Kind of an action. */
export type ActionKind = Action['kind']

/** Ids that actions refer to, by kind. */
export type Named = {
  readonly tag: readonly number[]
  readonly queue: readonly number[]
  readonly user: readonly number[]
  readonly stage: readonly number[]
  readonly pipelineStage: readonly number[]
  readonly reason: readonly number[]
}

/** Error code for a refused action. */
export type ActionRefusal =
  | TransitionRefusal
  | 'ERR_NO_TAG_FOUND'
  | 'ERR_NO_QUEUE_FOUND'
  | 'ERR_NO_USER_FOUND'
  | 'ERR_NO_KANBAN_FOUND'
  | 'ERR_NO_PIPELINE_STAGE_FOUND'
  | 'ERR_NO_REASON_FOUND'
  | 'ERR_MESSAGE_EMPTY'
  | 'ERR_MESSAGE_TICKET_CLOSED'
  | 'ERR_MESSAGE_TICKET_PENDING'
  | 'ERR_MESSAGE_TOO_LONG'

/** Result of one action; `body` is the text to write, with its variables filled in. */
export type Step = { readonly refusal: ActionRefusal | null; readonly isSame: boolean; readonly body: string | null }

/** Text to write into the ticket: a note for the team, or a message to the customer. */
export type Written = { readonly kind: 'note' | 'text'; readonly body: string }

/** Opportunity to create for the ticket's contact. */
export type Opening = { readonly stageId: number; readonly name: string; readonly value: string }

/** Result of a list of actions on a ticket: one step each, and all texts and opportunities to create if no action is refused. */
export type Performed = TicketChange & {
  readonly steps: readonly Step[]
  readonly written: readonly Written[]
  readonly openings: readonly Opening[]
  /** New kanban stage; null if unchanged. */
  readonly stageId: number | null
  /** Whether the ticket ends unchanged and nothing is written: each action changed nothing, or was reversed by a later one. */
  readonly isSame: boolean
}

/** Input of `performAll`: a ticket, the acting user, and the data that the actions need. */
export type Given = {
  readonly ticket: TicketState
  readonly tagIds: readonly number[]
  /** Kanban stage of the ticket's contact. */
  readonly stageId: number | null
  /** `by` null: an automation rule, which may also write to pending tickets. */
  readonly command: WakingCommand<WakingCommand['by'] | null>
  /** Close reason for `close` actions without one. */
  readonly reasonId?: number | undefined
  /** Existing ids among those that the actions refer to. */
  readonly there: Named
  /** Maximum text length of the ticket's channel. */
  readonly maxTextLength: number
  /** Returns a body with its variables filled in. */
  readonly render: (action: Written) => string
}

/** Returns all ids that the actions refer to, by kind. */
export function namedIn(actions: readonly Action[]): Named {
  const named: Record<keyof Named, number[]> = {
    tag: [],
    queue: [],
    user: [],
    stage: [],
    pipelineStage: [],
    reason: [],
  }
  for (const action of actions) {
    if (action.kind === 'tag' || action.kind === 'untag') named.tag.push(...action.tagIds)
    if (action.kind === 'queue') named.queue.push(action.queueId)
    if (action.kind === 'person' && action.userId !== null) named.user.push(action.userId)
    if (action.kind === 'stage') named.stage.push(action.stageId)
    if (action.kind === 'opportunity') named.pipelineStage.push(action.pipelineStageId)
    if (action.kind === 'close' && action.reasonId != null) named.reason.push(action.reasonId)
  }
  return named
}

/** Returns the error code of an action that refers to a missing record; null if all exist. */
export function whyGone(action: Action, there: Named): ActionRefusal | null {
  const { tag, queue, user, stage, pipelineStage, reason } = namedIn([action])
  if (tag.some((id) => !there.tag.includes(id))) return 'ERR_NO_TAG_FOUND'
  if (queue.some((id) => !there.queue.includes(id))) return 'ERR_NO_QUEUE_FOUND'
  if (user.some((id) => !there.user.includes(id))) return 'ERR_NO_USER_FOUND'
  if (stage.some((id) => !there.stage.includes(id))) return 'ERR_NO_KANBAN_FOUND'
  if (pipelineStage.some((id) => !there.pipelineStage.includes(id))) return 'ERR_NO_PIPELINE_STAGE_FOUND'
  return reason.some((id) => !there.reason.includes(id)) ? 'ERR_NO_REASON_FOUND' : null
}

/** Returns the tags that a list of actions adds and removes; for a tag with both, the last action counts. */
export function tagsOf(actions: readonly Action[]): {
  readonly add: readonly number[]
  readonly remove: readonly number[]
} {
  const last = new Map<number, 'tag' | 'untag'>()
  for (const action of actions)
    if (action.kind === 'tag' || action.kind === 'untag') for (const id of action.tagIds) last.set(id, action.kind)
  const those = (kind: 'tag' | 'untag') => [...last].flatMap(([id, one]) => (one === kind ? [id] : []))
  return { add: those('tag'), remove: those('untag') }
}

/** Applies a list of actions to a ticket in order, each to the result of the previous; a refused action changes nothing. */
export function performAll(actions: readonly Action[], given: Given): Performed {
  let state = given.ticket
  let tags = new Set(given.tagIds)
  let { stageId } = given
  const logs: TicketLog[] = []
  const written: Written[] = []
  const openings: Opening[] = []
  const steps = actions.map((action): Step => {
    const gone = whyGone(action, given.there)
    if (gone) return { refusal: gone, isSame: false, body: null }
    if (action.kind === 'tag' || action.kind === 'untag') {
      const next =
        action.kind === 'tag' ? [...tags, ...action.tagIds] : [...tags].filter((id) => !action.tagIds.includes(id))
      const isSame = new Set(next).size === tags.size
      tags = new Set(next)
      return { refusal: null, isSame, body: null }
    }
    if (action.kind === 'note' || action.kind === 'text') {
      const body = given.render(action)
      const refusal = whyNotWritten(action.kind, body, state, given)
      if (!refusal) written.push({ kind: action.kind, body })
      return { refusal, isSame: false, body }
    }
    if (action.kind === 'opportunity') {
      const name = given.render({ kind: 'note', body: action.name })
      openings.push({ stageId: action.pipelineStageId, name, value: action.value })
      return { refusal: null, isSame: false, body: name }
    }
    if (action.kind === 'stage') {
      // A closed ticket keeps the stage in which it ended.
      if (state.status === 'closed') return { refusal: 'ERR_TICKET_TRANSITION', isSame: false, body: null }
      const isSame = stageId === action.stageId
      stageId = action.stageId
      return { refusal: null, isSame, body: null }
    }
    const outcome = moveOf(action, state, given)
    if (typeof outcome === 'string') return { refusal: outcome, isSame: false, body: null }
    state = { ...state, ...outcome.set }
    logs.push(...outcome.logs)
    return { refusal: null, isSame: Object.keys(outcome.set).length === 0, body: null }
  })
  const changed = Object.entries(state).filter(([key, value]) => ownMember(given.ticket, key) !== value)
  const set: Partial<TicketState> = Object.fromEntries(changed)
  const isStaged = stageId !== given.stageId
  const isTagged = tags.size !== given.tagIds.length || given.tagIds.some((id) => !tags.has(id))
  const isSame = changed.length === 0 && !isStaged && !isTagged && written.length + openings.length === 0
  return { steps, set, logs, written, openings, stageId: isStaged ? stageId : null, isSame }
}

function moveOf(
  action: Extract<Action, { kind: 'queue' | 'person' | 'close' | 'snooze' }>,
  ticket: TicketState,
  { command, reasonId }: Given,
): Outcome | 'ERR_NO_USER_FOUND' {
  switch (action.kind) {
    case 'queue':
      return transfer(ticket, { ...command, userId: null, queueId: action.queueId })
    case 'person': {
      const userId = action.userId ?? command.by?.id
      if (userId === undefined) return 'ERR_NO_USER_FOUND'
      return transfer(ticket, { ...command, userId, queueId: ticket.queueId })
    }
    case 'close':
      return close(ticket, { ...command, reasonId: action.reasonId ?? reasonId })
    case 'snooze':
      return snooze(ticket, { ...command, until: command.at + action.minutes * 60_000 })
  }
}

function whyNotWritten(
  kind: Written['kind'],
  body: string,
  { status }: TicketState,
  { command, maxTextLength }: Given,
): ActionRefusal | null {
  if (body.trim() === '') return 'ERR_MESSAGE_EMPTY'
  if (kind === 'note') return null
  if (status === 'closed') return 'ERR_MESSAGE_TICKET_CLOSED'
  if (status === 'pending' && command.by !== null) return 'ERR_MESSAGE_TICKET_PENDING'
  return body.length > maxTextLength ? 'ERR_MESSAGE_TOO_LONG' : null
}
