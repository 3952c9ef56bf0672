import type { MessageStatus } from './status.ts'
import type { MessageType } from './types.ts'

/** What can be done to a message after it was said. */
export const ACT_TYPES = ['edit', 'revoke', 'react'] as const

/** What can be done to a message after it was said. */
export type ActType = (typeof ACT_TYPES)[number]

/** What was done to a message elsewhere; `at` in epoch ms, `key` decides between two of the same moment. */
export type ReceivedAct = {
  readonly type: ActType
  /** The company did it, on its own phone; else the contact. */
  readonly fromMe: boolean
  readonly at: number
  readonly key: string
  readonly body: string | null
  /** Identities of those whom an edited text mentions. */
  readonly mentions: readonly string[] | null
  readonly emoji: string | null
}

/**
 * What acts make of a message: its text (null: as it was said) with those whom it mentions by identity, whether it is
 * taken back, the contact's reaction, and the company's own (undefined: it gave none on its phone).
 */
export type ActedOn = {
  readonly isDeleted: boolean
  readonly body: string | null
  readonly mentions: readonly string[]
  readonly reaction: string | null
  readonly ownReaction: string | null | undefined
}

/**
 * What acts elsewhere make of a message, in whatever order and however often they came: of two edits or reactions the
 * later one counts, and what was taken back stays so. Each edits what is their own; contacts take back their own alone, the
 * company also what somebody said in a group that it runs.
 */
export function stateAfter(acts: readonly ReceivedAct[], isTheirs: boolean): ActedOn {
  const last = (type: ActType, fromMe: boolean) =>
    acts
      .filter((act) => act.type === type && act.fromMe === fromMe)
      .reduce<ReceivedAct | null>((best, act) => (best === null || isAfter(act, best) ? act : best), null)
  const edit = last('edit', !isTheirs)
  return {
    isDeleted: last('revoke', true) !== null || (isTheirs && last('revoke', false) !== null),
    body: edit?.body ?? null,
    mentions: edit?.mentions ?? [],
    reaction: last('react', false)?.emoji ?? null,
    ownReaction: last('react', true)?.emoji,
  }
}

const isAfter = (a: ReceivedAct, b: ReceivedAct): boolean => a.at > b.at || (a.at === b.at && a.key > b.key)

/** A message as the rules for acts on it need to know it; `at` in epoch ms. */
export type ActTarget = {
  readonly fromMe: boolean
  readonly isNote: boolean
  readonly isDeleted: boolean
  readonly type: MessageType
  readonly hasText: boolean
  readonly status: MessageStatus
  readonly at: number
  /** It waits for its time, or can still be taken back: it is changed where it stands. */
  readonly isWaiting?: boolean
}

/** Why an act is refused, as the code of an error. */
export type ActRefusal =
  | 'ERR_FETCH_WAPP_MSG'
  | 'ERR_CHANNEL_CANNOT'
  | 'ERR_SEND_STATE'
  | 'ERR_EDIT_TOO_LATE'
  | 'ERR_EDIT_NOTHING'
  | 'ERR_DELETE_WAPP_MSG'

const WITH_TEXT: ReadonlySet<MessageType> = new Set(['text', 'image', 'video', 'document'])
const ON_ITS_WAY: ReadonlySet<MessageStatus> = new Set(['pending', 'queued'])
const NOT_GONE: ReadonlySet<MessageStatus> = new Set(['failed', 'uncertain', 'canceled'])

/** What a channel permits of it. */
export type ActRules = {
  readonly react: boolean
  readonly editMinutes: number | null
  readonly revokeHours: number | null
}

/** Why the team may not do this to a message of a channel now; null when it may. Menus and server ask the same. */
export function whyNotAct(type: ActType, target: ActTarget, rules: ActRules, now: number): ActRefusal | null {
  if (target.isNote || target.type === 'transfer') return 'ERR_FETCH_WAPP_MSG'
  if (target.isWaiting) return 'ERR_SEND_STATE'
  if (type === 'react') return rules.react ? whyNotReact(target) : 'ERR_CHANNEL_CANNOT'
  if (type === 'revoke') {
    if (!target.fromMe) return 'ERR_DELETE_WAPP_MSG'
    if (rules.revokeHours === null) return 'ERR_CHANNEL_CANNOT'
    return isWithin(target, rules.revokeHours * 60, now) ? null : 'ERR_DELETE_WAPP_MSG'
  }
  if (!target.fromMe || !WITH_TEXT.has(target.type) || !target.hasText) return 'ERR_EDIT_NOTHING'
  if (rules.editMinutes === null) return 'ERR_CHANNEL_CANNOT'
  if (target.isDeleted || NOT_GONE.has(target.status)) return 'ERR_SEND_STATE'
  return isWithin(target, rules.editMinutes, now) ? null : 'ERR_EDIT_TOO_LATE'
}

const whyNotReact = ({ isDeleted, status }: ActTarget): ActRefusal | null =>
  isDeleted || NOT_GONE.has(status) || ON_ITS_WAY.has(status) ? 'ERR_SEND_STATE' : null

const isWithin = ({ at, status }: ActTarget, minutes: number, now: number): boolean =>
  ON_ITS_WAY.has(status) || now - at <= minutes * 60_000

const ONE_EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})$/v

/** Whether a text is one emoji and nothing else. */
export const isOneEmoji = (text: string): boolean => ONE_EMOJI.test(text)
