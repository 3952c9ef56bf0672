import type { MessageStatus } from './status.ts'
import type { MessageType } from './types.ts'

/** Acts on an existing message. */
export const ACT_TYPES = ['edit', 'revoke', 'react'] as const

/** Type of an act on an existing message. */
export type ActType = (typeof ACT_TYPES)[number]

/** Author of a message or act in a group: a channel address, and the number where known. */
export type Author = { readonly identity: string; readonly number?: string | null | undefined }

/** Act received from a channel; `at` in epoch ms, `key` orders acts of the same time. */
export type ReceivedAct = {
  readonly type: ActType
  /** Whether the company acted, on its own phone; else the contact. */
  readonly fromMe: boolean
  /** Author within a group; null if unknown. */
  readonly author: Author | null
  readonly at: number
  readonly key: string
  readonly body: string | null
  /** Identities mentioned in an edited text. */
  readonly mentions: readonly string[] | null
  readonly emoji: string | null
}

/** Authorship of a message: the company or the contact; in a group its author and the group's admins, if known. */
export type Authorship = {
  readonly isTheirs: boolean
  readonly group: { readonly author: Author | null; readonly admins: readonly Author[] } | null
}

/**
 * State of a message after acts: its text (null: unchanged) with the identities it mentions, whether it is revoked, the
 * contact's reaction, and the company's own (undefined: none given on its phone).
 */
export type ActedOn = {
  readonly isDeleted: boolean
  readonly body: string | null
  readonly mentions: readonly string[]
  readonly reaction: string | null
  readonly ownReaction: string | null | undefined
}

/**
 * Computes a message's state from acts in any order, duplicates included: the last edit or reaction of a person counts, and
 * a revocation is final. Authors may edit and revoke their own messages only, whatever their device claims; group admins may
 * also revoke others' messages, as may the company on its phone. In a group the last reaction not withdrawn is shown.
 */
export function stateAfter(acts: readonly ReceivedAct[], authorship: Authorship): ActedOn {
  const edit = last(acts.filter((act) => act.type === 'edit' && isAuthor(act, authorship)))
  const reactions = acts.filter(({ type }) => type === 'react')
  const theirs = Map.groupBy(
    reactions.filter(({ fromMe }) => !fromMe),
    ({ author }) => (authorship.group && author ? (author.number ?? author.identity) : ''),
  )
  const shown = [...theirs.values()].flatMap((each) => last(each) ?? []).filter(({ emoji }) => emoji !== null)
  return {
    isDeleted: acts.some(
      (act) => act.type === 'revoke' && (act.fromMe || isAuthor(act, authorship) || isAdmin(act, authorship)),
    ),
    body: edit?.body ?? null,
    mentions: edit?.mentions ?? [],
    reaction: last(shown)?.emoji ?? null,
    ownReaction: last(reactions.filter(({ fromMe }) => fromMe))?.emoji,
  }
}

const isAuthor = ({ fromMe, author }: ReceivedAct, { isTheirs, group }: Authorship): boolean =>
  fromMe !== isTheirs && (fromMe || group === null || isSamePerson(author, group.author))

const isAdmin = ({ author }: ReceivedAct, { group }: Authorship): boolean =>
  group?.admins.some((admin) => isSamePerson(author, admin)) ?? false

const isSamePerson = (a: Author | null, b: Author | null): boolean =>
  a !== null && b !== null && (a.identity === b.identity || (Boolean(a.number) && a.number === b.number))

const last = (acts: readonly ReceivedAct[]): ReceivedAct | null =>
  acts.reduce<ReceivedAct | null>((best, act) => (best === null || isAfter(act, best) ? act : best), null)

const isAfter = (a: ReceivedAct, b: ReceivedAct): boolean => a.at > b.at || (a.at === b.at && a.key > b.key)

/** Message data that the rules for acts need; `at` in epoch ms. */
export type ActTarget = {
  readonly fromMe: boolean
  readonly isNote: boolean
  readonly isDeleted: boolean
  readonly type: MessageType
  readonly hasText: boolean
  readonly status: MessageStatus
  readonly at: number
  /** Whether the message is scheduled or can still be undone, so that it is changed directly. */
  readonly isWaiting?: boolean
}

/** Error code of a refused act. */
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

/** Acts that a channel permits, with their conditions. */
export type ActRules = {
  readonly react: boolean
  readonly editMinutes: number | null
  readonly revokeHours: number | null
}

/**
 * Returns the reason for which the team may not act on a message of a channel now; null if permitted. Shared by menus and
 * server.
 */
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
