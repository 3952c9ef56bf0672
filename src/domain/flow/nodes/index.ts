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

/** Every kind of interaction, in the order in which they are offered; one that is not here does not exist. */
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

// Which of them it is, its own `does` says.
const kindOf = <K extends keyof Interactions>({ does }: { readonly does: K }): NodeKind<K> => NODES[does]

/** What an interaction is called, its form, and whether the product can do it. */
type InteractionKind = { readonly label: string; readonly isAvailable: boolean; readonly form: readonly FormField[] }

const byType = new Map(
  entriesIn(NODES).flatMap(([does, { types }]) => Object.keys(types).map((type) => [type, does] as const)),
)

/** Every interaction of the family by its type; what is not here is unknown, is passed over and survives. */
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

/** What is known of a type; null where it is not known. */
export const interactionKind = (type: string): InteractionKind | null =>
  Object.hasOwn(INTERACTIONS, type) ? memberOf(INTERACTIONS, type) : null

/** What an interaction says, of its type and its fields. */
export function readDoing(id: string, type: string, fields: JsonObject): Interaction {
  const does = byType.get(type) ?? 'nothing'
  return { id, type, does, ...NODES[does].read(fields, type) } as Interaction
}

/** Returns the texts of an interaction that may contain variables. */
export const interactionTexts = (one: Interaction): readonly string[] => kindOf(one).texts?.(one) ?? []

/** The names under which an interaction keeps something. */
export const capturesOf = (one: Interaction): readonly string[] => kindOf(one).captures?.(one) ?? []

/** What is wrong with an interaction. */
export const complaintsOf = (one: Interaction, existing: Existing): readonly (readonly [ProblemCode, string])[] =>
  kindOf(one).check?.(one, existing) ?? []

/** Where an interaction leaves the flow; undefined: it does not. */
export const leadsOf = (one: Interaction): number | null | undefined => kindOf(one).leads?.(one)

/** Whether nothing may follow an interaction. */
export const isLast = (one: Interaction): boolean => kindOf(one).isLast?.(one) ?? false

/** Does one interaction; the session may wait or have ended after it. */
export const perform = (run: Run, one: Interaction): void => kindOf(one).perform(run, one)

/** Gives an interaction the answer that it waited for; false: its kind has no way of its own with it. */
export function takeCalled(run: Run, one: Interaction, event: CalledEvent): boolean {
  const { called } = kindOf(one)
  called?.(run, one, event)
  return called !== undefined
}

/** Gives an interaction what the customer wrote while it talks with them. */
export const takeSpoken = (run: Run, one: Interaction, text: string): void => kindOf(one).spoken?.(run, one, text)

/** Leaves the flow by an interaction that ended so. */
export const takeLeave = (run: Run, one: Interaction, exit: AssistantExit): void => kindOf(one).left?.(run, one, exit)

/** Whether an interaction is said once more after an answer that nothing understood. */
export const isRepeated = (one: Interaction): boolean => kindOf(one).isRepeated ?? false
