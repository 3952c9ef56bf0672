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

/** One thing that is done with a ticket, as data: a macro is a list of them, done in order. */
export type Action =
  | { readonly kind: 'tag'; readonly tagIds: readonly number[] }
  | { readonly kind: 'untag'; readonly tagIds: readonly number[] }
  | { readonly kind: 'queue'; readonly queueId: number }
  /** Null: the user who runs the list. */
  | { readonly kind: 'person'; readonly userId: number | null }
  | { readonly kind: 'note'; readonly body: string }
  | { readonly kind: 'text'; readonly body: string }
  /** Into a stage of the kanban, which is the contact's. */
  | { readonly kind: 'stage'; readonly stageId: number }
  /** Without a reason: with the one that is given for the whole list, or the ticket's own. */
  | { readonly kind: 'close'; readonly reasonId?: number | null | undefined }
  /** A new one in a stage of the funnel; the name may have variables, the value is decimal text. */
  | { readonly kind: 'opportunity'; readonly pipelineStageId: number; readonly name: string; readonly value: string }
  /** For so long, from when it is done. */
  | { readonly kind: 'snooze'; readonly minutes: number }

/** What an action does. */
export type ActionKind = Action['kind']

/** What actions name, by kind. */
export type Named = {
  readonly tag: readonly number[]
  readonly queue: readonly number[]
  readonly user: readonly number[]
  readonly stage: readonly number[]
  readonly pipelineStage: readonly number[]
  readonly reason: readonly number[]
}

/** Why an action is refused: a code of the error catalogue. */
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

/** What becomes of one action; `body` is what would be written, its variables filled in. */
export type Step = { readonly refusal: ActionRefusal | null; readonly isSame: boolean; readonly body: string | null }

/** Something that is written into the ticket: for the team, or to the customer. */
export type Written = { readonly kind: 'note' | 'text'; readonly body: string }

/** An opportunity that is begun with the ticket's contact. */
export type Opening = { readonly stageId: number; readonly name: string; readonly value: string }

/** What a list of actions makes of a ticket: a step for each, and all that there is to write and to begin if none is refused. */
export type Performed = TicketChange & {
  readonly steps: readonly Step[]
  readonly written: readonly Written[]
  readonly openings: readonly Opening[]
  /** Null where it stays as it is. */
  readonly stageId: number | null
  /** It ends as it began, with nothing written: each step changed nothing, or what another one undid. */
  readonly isSame: boolean
}

/** A ticket, who acts, and what its actions need to know. */
export type Given = {
  readonly ticket: TicketState
  readonly tagIds: readonly number[]
  /** Kanban stage of its contact. */
  readonly stageId: number | null
  /** `by` null: a rule, which also writes to who still waits. */
  readonly command: WakingCommand<WakingCommand['by'] | null>
  /** Why tickets are closed that the list closes without saying why. */
  readonly reasonId?: number | undefined
  /** What there is of what the actions name. */
  readonly there: Named
  /** So long a text may be that the ticket's channel carries. */
  readonly maxTextLength: number
  /** A body with its variables filled in, as it is written. */
  readonly render: (action: Written) => string
}

/** Everything that actions name. */
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

/** Why an action cannot be done with any ticket: what it names is there no longer. */
export function whyGone(action: Action, there: Named): ActionRefusal | null {
  const { tag, queue, user, stage, pipelineStage, reason } = namedIn([action])
  if (tag.some((id) => !there.tag.includes(id))) return 'ERR_NO_TAG_FOUND'
  if (queue.some((id) => !there.queue.includes(id))) return 'ERR_NO_QUEUE_FOUND'
  if (user.some((id) => !there.user.includes(id))) return 'ERR_NO_USER_FOUND'
  if (stage.some((id) => !there.stage.includes(id))) return 'ERR_NO_KANBAN_FOUND'
  if (pipelineStage.some((id) => !there.pipelineStage.includes(id))) return 'ERR_NO_PIPELINE_STAGE_FOUND'
  return reason.some((id) => !there.reason.includes(id)) ? 'ERR_NO_REASON_FOUND' : null
}

/** The tags that a list gives and takes; of a tag that it does both with, the last counts. */
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

/** Decides what a list of actions makes of a ticket, each from what the ones before it left; a refused one changes nothing. */
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
