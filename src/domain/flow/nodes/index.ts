import { entriesIn } from '../../keys.ts'
import { memberOf } from '../../present.ts'
import type { AssistantExit, Interaction, Interactions } from '../flow.ts'
import type { JsonObject } from '../json.ts'
import type { Existing, ProblemCode } from '../problems.ts'
import type { Run } from '../run.ts'
import type { CalledEvent } from '../session.ts'
import { assistant } from './assistant.ts'
import { block } from './block.ts'
import { calendarEvent } from './calendar-event.ts'
import { call } from './call.ts'
import { delay } from './delay.ts'
import { flow } from './flow.ts'
import type { FormField, NodeKind } from './kind.ts'
import { media } from './media.ts'
import { message } from './message.ts'
import { note } from './note.ts'
import { nothing, UNAVAILABLE } from './nothing.ts'
import { opportunity } from './opportunity.ts'
import { options } from './options.ts'
import { phoneCall } from './phone-call.ts'
import { reason } from './reason.ts'
import { schedule } from './schedule.ts'
import { stage } from './stage.ts'
import { tag } from './tag.ts'
import { textMessage } from './text-message.ts'

/** Registry of all interaction kinds, in the order of the builder's menu. */
const NODES: { readonly [K in keyof Interactions]: NodeKind<K> } = {
  message,
  options,
  media,
  delay,
  tag,
  stage,
  reason,
  note,
  flow,
  block,
  call,
  schedule,
  textMessage,
  assistant,
  phoneCall,
  opportunity,
  calendarEvent,
  nothing,
}

const kindOf = <K extends keyof Interactions>({ does }: { readonly does: K }): NodeKind<K> => NODES[does]

/** Display data of an interaction type: label, form, and whether the product supports it. */
type InteractionKind = { readonly label: string; readonly isAvailable: boolean; readonly form: readonly FormField[] }

const byType = new Map(
  entriesIn(NODES).flatMap(([does, { types }]) => Object.keys(types).map((type) => [type, does] as const)),
)

/**
 * Interaction types of the product family, by type. Unlisted types are unknown: the engine skips them, and documents keep
 * them.
 */
export const INTERACTIONS: Readonly<Record<string, InteractionKind>> = {
  ...Object.fromEntries(
    Object.values(NODES).flatMap(({ types }) =>
      Object.entries(types).map(([type, written]) => [type, { ...written, isAvailable: true }]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(UNAVAILABLE).map(([type, { label }]) => [type, { label, isAvailable: false, form: [] }]),
  ),
}

/** Returns the display data of an interaction type; null if unknown. */
export const interactionKind = (type: string): InteractionKind | null =>
  Object.hasOwn(INTERACTIONS, type) ? memberOf(INTERACTIONS, type) : null

/** Reads an interaction from its type and fields. */
export function readDoing(id: string, type: string, fields: JsonObject): Interaction {
  const does = byType.get(type) ?? 'nothing'
  return { id, type, does, ...NODES[does].read(fields, type) } as Interaction
}

/** Returns the texts of an interaction that may contain variables. */
export const interactionTexts = (one: Interaction): readonly string[] => kindOf(one).texts?.(one) ?? []

/** Returns the variable names that an interaction stores. */
export const capturesOf = (one: Interaction): readonly string[] => kindOf(one).captures?.(one) ?? []

/** Returns the problems of an interaction. */
export const complaintsOf = (one: Interaction, existing: Existing): readonly (readonly [ProblemCode, string])[] =>
  kindOf(one).check?.(one, existing) ?? []

/** Returns the flow that an interaction leads to (null: none, undefined: it does not leave the flow). */
export const leadsOf = (one: Interaction): number | null | undefined => kindOf(one).leads?.(one)

/** Whether nothing may follow an interaction. */
export const isLast = (one: Interaction): boolean => kindOf(one).isLast?.(one) ?? false

/** Performs an interaction; the session may wait or have ended afterwards. */
export const perform = (run: Run, one: Interaction): void => kindOf(one).perform(run, one)

/** Passes the answer of a call to the interaction that waited for it; returns false if its kind has no handler. */
export function takeCalled(run: Run, one: Interaction, event: CalledEvent): boolean {
  const { called } = kindOf(one)
  called?.(run, one, event)
  return called !== undefined
}

/** Passes the customer's text to an interaction that talks with the customer. */
export const takeSpoken = (run: Run, one: Interaction, text: string): void => kindOf(one).spoken?.(run, one, text)

/** Leaves the flow by an interaction whose assistant ended with this result. */
export const takeLeave = (run: Run, one: Interaction, exit: AssistantExit): void => kindOf(one).left?.(run, one, exit)

/** Whether an interaction is repeated after an answer that was not understood. */
export const isRepeated = (one: Interaction): boolean => kindOf(one).isRepeated ?? false
