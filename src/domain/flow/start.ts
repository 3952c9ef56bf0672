import { spellingsOf } from '../phone/brazil.ts'
import { random } from '../random.ts'
import type { Configurations } from './flow.ts'
import { foldText } from './fold.ts'

/** Start of a new conversation; `number` is the contact's, null if the channel has none. */
export type Beginning = {
  readonly text: string
  readonly isGroup: boolean
  readonly isByAgent: boolean
  readonly isChatbotBlocked: boolean
  readonly number: string | null
}

/** Active flow with the fields that decide its start; `testNumber` empty: any contact. */
export type StartingFlow = Pick<Configurations, 'keyword' | 'startsOn'> & {
  readonly id: number
  readonly testNumber: string
}

/**
 * Returns the flow to start in a new conversation: the one whose keyword was written, else the connection's, else the
 * company's, else the first with start `entry`. Null for groups, for contacts with chatbots blocked, and for conversations
 * that an agent began.
 */
export function flowToStart(
  { text, isGroup, isByAgent, isChatbotBlocked, number }: Beginning,
  flows: readonly StartingFlow[],
  {
    connectionFlowId,
    companyFlowId,
  }: { readonly connectionFlowId: number | null; readonly companyFlowId: number | null },
): number | null {
  if (isGroup || isByAgent || isChatbotBlocked) return null
  const open = openTo(number, flows)
  const written = foldText(text)
  const byKeyword = open.find(({ keyword }) => keyword !== '' && foldText(keyword) === written)
  const byId = (id: number | null) => open.find((flow) => flow.id === id)
  return (byKeyword ?? byId(connectionFlowId) ?? byId(companyFlowId) ?? firstOn('entry', open))?.id ?? null
}

/** Returns the flow to start when a ticket is closed; null if none. */
export function flowAtClosing(
  { isGroup, isChatbotBlocked, number }: Pick<Beginning, 'isGroup' | 'isChatbotBlocked' | 'number'>,
  flows: readonly StartingFlow[],
): number | null {
  if (isGroup || isChatbotBlocked) return null
  return firstOn('closing', openTo(number, flows))?.id ?? null
}

function openTo(number: string | null, flows: readonly StartingFlow[]): readonly StartingFlow[] {
  const spellings: readonly string[] = number === null ? [] : spellingsOf(digits(number))
  return flows.filter(({ testNumber }) => testNumber === '' || spellings.includes(digits(testNumber)))
}

// Flows with a test number take precedence.
function firstOn(moment: StartingFlow['startsOn'], open: readonly StartingFlow[]): StartingFlow | undefined {
  const all = open.filter(({ startsOn }) => startsOn === moment)
  return all.find(({ testNumber }) => testNumber !== '') ?? all[0]
}

/** Versions of a flow for new conversations: the published one, and a trial with its share in percent. */
export type StartingVersions = {
  readonly version: number
  readonly trial: { readonly version: number; readonly share: number } | null
}

/** Returns the version for a new conversation, by its session's seed; independent of the random numbers of the flow. */
export const versionToStart = ({ version, trial }: StartingVersions, seed: number): number =>
  trial && random(seed ^ TRIAL).value * 100 < trial.share ? trial.version : version

const TRIAL = 0x5eed

const digits = (number: string): string => number.replace(/\D/g, '')
