import { memberOf } from '../present.ts'

/** Kinds of bulk jobs on groups; a job changes one group after the other. */
export const GROUP_JOB_KINDS = [
  ...(['create', 'title', 'description', 'picture', 'admins_only', 'promote', 'demote', 'add', 'remove'] as const),
] as const
export type GroupJobKind = (typeof GROUP_JOB_KINDS)[number]

/** Kind of membership change. */
export type MembersKind = 'promote' | 'demote' | 'add' | 'remove'

/** Returns whether a kind is about members. */
export const isOfMembers = (kind: GroupJobKind): kind is MembersKind =>
  kind === 'promote' || kind === 'demote' || kind === 'add' || kind === 'remove'

export const GROUP_JOB_STATUSES = ['processing', 'paused', 'completed', 'canceled'] as const
export type GroupJobStatus = (typeof GROUP_JOB_STATUSES)[number]

/** States of a group within a job. */
export const GROUP_ITEM_STATES = ['waiting', 'doing', 'done', 'partial', 'failed', 'uncertain', 'skipped'] as const
export type GroupItemState = (typeof GROUP_ITEM_STATES)[number]

/** Role of a member in a group. */
export type GroupRole = 'owner' | 'admin' | 'member'

/** Whether a role may change members and the group's shared data. */
export const runs = (role: GroupRole | null): boolean => role === 'owner' || role === 'admin'

/** Kinds of automatic group rules. */
export const GROUP_RULE_KINDS = ['greeting', 'farewell', 'ban', 'word'] as const
export type GroupRuleKind = (typeof GROUP_RULE_KINDS)[number]

/** Result for one number: `code` is WhatsApp's answer (200: done). */
export type NumberOutcome = { readonly number: string; readonly code: number }

const OUTCOMES: Readonly<Record<number, string>> = {
  401: 'bloqueou este número',
  403: 'só entra por convite',
  404: 'não tem WhatsApp ou não está no grupo',
  408: 'saiu do grupo há pouco: só volta por convite',
  409: 'já está no grupo',
  419: 'o grupo está cheio',
}

/**
 * Whether the requested membership holds after the change; adding a present member and removing an absent one count as
 * success.
 */
export const isAsWished = (kind: MembersKind, code: number): boolean =>
  code === 200 || (kind === 'add' && code === 409) || (kind === 'remove' && code === 404)

/** Summarizes the results of several numbers as a state, with a sentence about the failed ones. */
export function summaryOf(
  kind: MembersKind,
  outcomes: readonly NumberOutcome[],
): { readonly state: 'done' | 'partial' | 'failed'; readonly reason: string } {
  const failed = outcomes.filter(({ code }) => !isAsWished(kind, code))
  const reason = failed.map(({ number, code }) => `${number}: ${OUTCOMES[code] ?? `recusado (${code})`}`).join('; ')
  const state = failed.length === 0 ? 'done' : failed.length === outcomes.length ? 'failed' : 'partial'
  return { state, reason }
}

/** Maximum number of names in one greeting. */
const MOST_NAMES = 10

/** Returns a greeting or farewell for several people; names the first ones if there are many. */
export function greetingFor(text: string, { names, group }: { names: readonly string[]; group: string }): string {
  const more = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES)
  const last = more > 0 ? `mais ${more}` : shown.pop()
  const all = shown.length > 0 ? `${shown.join(', ')} e ${last}` : (last ?? '')
  const values: Readonly<Record<string, string>> = { name: all, group }
  return text.replace(/\{\{\s*(\w{1,20})\s*\}\}/g, (found, key: string) =>
    Object.hasOwn(values, key) ? memberOf(values, key) : found,
  )
}

/** Error text of a change that requires a group admin. */
export const NOT_ADMIN = 'O número não é administrador deste grupo.'
/** Error text of a change to a group that the account is not in. */
export const NOT_IN_GROUP = 'O número não participa deste grupo.'
/** Error text of a group creation without any valid participant. */
export const NOBODY_THERE = 'Nenhum dos participantes tem WhatsApp.'
