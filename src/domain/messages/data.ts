import { isOneOf } from '../keys.ts'
import type { SentTemplate } from '../message-templates/template.ts'
import type { ByMailData } from './by-mail.ts'
import type { CallData } from './calls.ts'
import type { GroupEvent } from './group-event.ts'
import type { MailData } from './mail.ts'
import type { NoteMentions } from './mentions.ts'

/**
 * A contact card; `wuid`: the digits by which a channel identifies the person; `more`: its other fields, one a line.
 */
export type ContactCard = {
  readonly fullName: string
  readonly phoneNumber: string
  readonly wuid?: string
  readonly more?: readonly string[]
}

/** A place, in degrees. */
export type GeoLocation = {
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
  readonly address?: string
}

/** What a message with buttons has beside its text. */
export type ButtonSet = {
  readonly footer?: string
  readonly buttons: readonly { readonly id: string; readonly text: string }[]
}

/** What a poll asks to choose from, beside its question; `many`: of several one may choose more than one. */
export type Poll = { readonly options: readonly string[]; readonly many: boolean }

/** What a list has to choose from; `id` is what the channel says when the row is chosen. */
export type ListRow = { readonly id: string; readonly title: string; readonly description?: string }

/** A list that opens by a button; of several sections each has a title. */
export type OptionList = {
  readonly button: string
  readonly sections: readonly { readonly title?: string; readonly rows: readonly ListRow[] }[]
}

/** A button that leads to a page. */
export type LinkButton = { readonly text: string; readonly url: string }

/** A button that opens a form (of Meta's: a WhatsApp Flow) by the provider's id. */
export type FormButton = { readonly text: string; readonly formId: string }

/** Text above and below an interactive message. */
export type Frame = { readonly header?: string; readonly footer?: string }

/** Which button was pressed, or which row of a list. */
export type ButtonPress = { readonly buttonId: string }

/**
 * State of a file at a provider: `coming` automatically, `kept` until requested, `expired` (the sender may be asked
 * again), `refused` for its size or kind.
 */
export const REMOTE_STATES = ['coming', 'kept', 'expired', 'refused'] as const

/** A file that was not downloaded yet; sizes in bytes and pixels, null if unknown. */
export type RemoteFile = {
  readonly name: string
  readonly size: number | null
  readonly durationMs?: number
  readonly width?: number
  readonly height?: number
  /** A small JPEG in base64. */
  readonly thumbnail?: string
  /** Of a voice note: how loud it is along the way, 64 numbers of 0–100. */
  readonly waveform?: readonly number[]
}

/** The `data` of a message whose file is not here. */
export type RemoteData = { readonly remote: RemoteFile & { readonly state: (typeof REMOTE_STATES)[number] } }

/** The ad or post that a contact came from; empty if unknown. `picture` is an address at the provider. */
export type AdSource = {
  readonly sourceId: string
  readonly url: string
  readonly isPost: boolean
  readonly headline: string
  readonly text: string
  readonly picture: string | null
}

/** A public comment and the company's post it belongs to; '' if unknown. */
export type CommentSource = { readonly comment: { readonly postId: string } }

/** What a message consists of beside text and file. */
export type MessageData =
  | ContactCard
  | GeoLocation
  | ButtonSet
  | ButtonPress
  | (Frame & { readonly list: OptionList })
  | (Frame & { readonly link: LinkButton })
  | (Frame & { readonly form: FormButton })
  | { readonly poll: Poll }
  /** The contact may view or play the file once. */
  | { readonly viewOnce: true }
  | { readonly mentions: NoteMentions }
  | RemoteData
  | { readonly template: SentTemplate; readonly buttons: ButtonSet['buttons'] }
  | CallData
  | { readonly ad: AdSource }
  | CommentSource
  | MailData
  | ByMailData
  | GroupEvent
  /** What is spoken in a recording. */
  | { readonly transcript: string }

/** Whether a message's `data` is an object. */
export const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

/** The card in a message's `data`; null where there is none. */
export function cardOf(data: unknown): ContactCard | null {
  if (!isRecord(data)) return null
  const { fullName, phoneNumber, wuid, more } = data
  if (typeof fullName !== 'string' || typeof phoneNumber !== 'string') return null
  return {
    ...{ fullName, phoneNumber },
    ...(typeof wuid === 'string' ? { wuid } : {}),
    ...(Array.isArray(more) ? { more: more.filter((one) => typeof one === 'string') } : {}),
  }
}

/** The place in a message's `data`; null where there is none on Earth. */
export function locationOf(data: unknown): GeoLocation | null {
  if (!isRecord(data)) return null
  const { latitude, longitude, name, address } = data
  const isThere = typeof latitude === 'number' && typeof longitude === 'number'
  if (!isThere || !(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return null
  return {
    latitude,
    longitude,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof address === 'string' ? { address } : {}),
  }
}

/** The buttons in a message's `data`; null where there are none. */
export function buttonsOf(data: unknown): ButtonSet | null {
  if (!isRecord(data) || !Array.isArray(data['buttons'])) return null
  const buttons = data['buttons'].flatMap((one: unknown) =>
    isRecord(one) && typeof one['id'] === 'string' && typeof one['text'] === 'string'
      ? [{ id: one['id'], text: one['text'] }]
      : [],
  )
  return { buttons, ...(typeof data['footer'] === 'string' ? { footer: data['footer'] } : {}) }
}

/** The poll in a message's `data`; null where there is none. */
export function pollOf(data: unknown): Poll | null {
  const poll = isRecord(data) ? data['poll'] : null
  if (!isRecord(poll) || !Array.isArray(poll['options'])) return null
  return { options: poll['options'].filter((one) => typeof one === 'string'), many: poll['many'] === true }
}

/** Returns the votes in a poll by phone id, from a message's `data`; empty if there are none. */
export function votesOf(data: unknown): Readonly<Record<string, readonly string[]>> {
  const votes = isRecord(data) ? data['votes'] : null
  return isVotes(votes) ? votes : {}
}

const isVotes = (value: unknown): value is Record<string, string[]> =>
  isRecord(value) && Object.values(value).every(Array.isArray)

/** What is spoken in a recording, where it was written down. */
export const transcriptOf = (data: unknown): string | null =>
  isRecord(data) && typeof data['transcript'] === 'string' ? data['transcript'] : null

/** Whether the file of a message may be looked at once only. */
export const isViewOnce = (data: unknown): boolean => isRecord(data) && data['viewOnce'] === true

/** The file in a message's `data` that is not here; null where there is none. */
export function remoteOf(data: unknown): RemoteData['remote'] | null {
  const remote = isRecord(data) ? data['remote'] : null
  return isRemote(remote) ? remote : null
}

const isRemote = (value: unknown): value is RemoteData['remote'] =>
  isRecord(value) && isOneOf(REMOTE_STATES, value['state'])

/** The ad in a message's `data`, by itself; null where there is none. */
export function adOf(data: unknown): { ad: AdSource } | null {
  const ad = isRecord(data) ? data['ad'] : null
  return isAd(ad) ? { ad } : null
}

const isAd = (value: unknown): value is AdSource => isRecord(value)

/** Whether a message is a public comment. */
export const isComment = (data: unknown): boolean => isRecord(data) && isRecord(data['comment'])

/** A card or a place in words, for channels and lists that have nothing but text; null for everything else. */
export function dataAsText(type: string, data: unknown): string | null {
  const card = type === 'contact' ? cardOf(data) : null
  if (card) return [[card.fullName, card.phoneNumber].filter(Boolean).join(': '), ...(card.more ?? [])].join('\n')
  const location = type === 'location' ? locationOf(data) : null
  if (!location) return null
  const { latitude, longitude, name, address } = location
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return [name, address, link].filter(Boolean).join('\n')
}
