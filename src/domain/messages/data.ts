import { isOneOf, isRecord, textsIn } from '../keys.ts'
import type { SentTemplate } from '../message-templates/template.ts'
import type { ByMailData } from './by-mail.ts'
import type { CallData } from './calls.ts'
import type { GroupEvent } from './group-event.ts'
import type { MailData } from './mail.ts'
import type { NoteMentions } from './mentions.ts'

/** Contact card; `wuid`: the digits that identify the person on the channel; `more`: its other fields, one per line. */
export type ContactCard = {
  readonly fullName: string
  readonly phoneNumber: string
  readonly wuid?: string
  readonly more?: readonly string[]
}

/** Location, in degrees. */
export type GeoLocation = {
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
  readonly address?: string
}

/** Buttons of a message, with its footer. */
export type ButtonSet = {
  readonly footer?: string
  readonly buttons: readonly { readonly id: string; readonly text: string }[]
}

/** Options of a poll; `many`: more than one may be chosen. */
export type Poll = { readonly options: readonly string[]; readonly many: boolean }

/** Row of a list; `id` is what the channel reports when the row is chosen. */
export type ListRow = { readonly id: string; readonly title: string; readonly description?: string }

/** List that opens by a button; with several sections each has a title. */
export type OptionList = {
  readonly button: string
  readonly sections: readonly { readonly title?: string; readonly rows: readonly ListRow[] }[]
}

/** Button with a link to a page. */
export type LinkButton = { readonly text: string; readonly url: string }

/** Button that opens a form (at Meta: a WhatsApp Flow), by the provider's id. */
export type FormButton = { readonly text: string; readonly formId: string }

/** Text above and below an interactive message. */
export type Frame = { readonly header?: string; readonly footer?: string }

/** Pressed button, or chosen row of a list. */
export type ButtonPress = { readonly buttonId: string }

/**
 * State of a file at a provider: `coming` automatically, `kept` until requested, `expired` (the sender may be asked
 * again), `refused` for its size or kind.
 */
export const REMOTE_STATES = ['coming', 'kept', 'expired', 'refused'] as const

/** File that was not downloaded yet; sizes in bytes and pixels, null if unknown. */
export type RemoteFile = {
  readonly name: string
  readonly size: number | null
  readonly durationMs?: number
  readonly width?: number
  readonly height?: number
  /** Thumbnail as base64 JPEG. */
  readonly thumbnail?: string
  /** Waveform of a voice note: 64 values of 0–100. */
  readonly waveform?: readonly number[]
}

/** `data` of a message whose file is not stored here. */
export type RemoteData = { readonly remote: RemoteFile & { readonly state: (typeof REMOTE_STATES)[number] } }

/** Ad or post that a contact came from; empty if unknown. `picture` is a URL at the provider. */
export type AdSource = {
  readonly sourceId: string
  readonly url: string
  readonly isPost: boolean
  readonly headline: string
  readonly text: string
  readonly picture: string | null
}

/** Public comment and the company's post that it belongs to; '' if unknown. */
export type CommentSource = { readonly comment: { readonly postId: string } }

/** Content of a message beside text and file. */
export type MessageData =
  | ContactCard
  | GeoLocation
  | ButtonSet
  | ButtonPress
  | (Frame & { readonly list: OptionList })
  | (Frame & { readonly link: LinkButton })
  | (Frame & { readonly form: FormButton })
  | { readonly poll: Poll }
  /** View once: the contact may open the file once. */
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
  /** Transcript of a recording. */
  | { readonly transcript: string }

/** Returns the contact card in a message's `data`; null if none. */
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

/** Returns the location in a message's `data`; null if none or outside of valid coordinates. */
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

/** Returns the buttons in a message's `data`; null if none. */
export function buttonsOf(data: unknown): ButtonSet | null {
  if (!isRecord(data) || !Array.isArray(data['buttons'])) return null
  const buttons = data['buttons'].flatMap((one: unknown) =>
    isRecord(one) && typeof one['id'] === 'string' && typeof one['text'] === 'string'
      ? [{ id: one['id'], text: one['text'] }]
      : [],
  )
  return { buttons, ...(typeof data['footer'] === 'string' ? { footer: data['footer'] } : {}) }
}

/** Returns the poll in a message's `data`; null if none. */
export function pollOf(data: unknown): Poll | null {
  const poll = isRecord(data) ? data['poll'] : null
  if (!isRecord(poll) || !Array.isArray(poll['options'])) return null
  return { options: textsIn(poll['options']), many: poll['many'] === true }
}

/** Returns the votes in a poll by phone id, from a message's `data`; empty if there are none. */
export function votesOf(data: unknown): Readonly<Record<string, readonly string[]>> {
  const votes = isRecord(data) ? data['votes'] : null
  return isVotes(votes) ? votes : {}
}

const isVotes = (value: unknown): value is Record<string, string[]> =>
  isRecord(value) && Object.values(value).every(Array.isArray)

/** Returns the transcript in a recording's `data`; null if none. */
export const transcriptOf = (data: unknown): string | null =>
  isRecord(data) && typeof data['transcript'] === 'string' ? data['transcript'] : null

/** Whether the file of a message may be looked at once only. */
export const isViewOnce = (data: unknown): boolean => isRecord(data) && data['viewOnce'] === true

/** Returns the file not stored here in a message's `data`; null if none. */
export function remoteOf(data: unknown): RemoteData['remote'] | null {
  const remote = isRecord(data) ? data['remote'] : null
  return isRemote(remote) ? remote : null
}

const isRemote = (value: unknown): value is RemoteData['remote'] =>
  isRecord(value) && isOneOf(REMOTE_STATES, value['state'])

/** Returns the ad in a message's `data`, without other content; null if none. */
export function adOf(data: unknown): { ad: AdSource } | null {
  const ad = isRecord(data) ? data['ad'] : null
  return isAd(ad) ? { ad } : null
}

const isAd = (value: unknown): value is AdSource => isRecord(value)

/** Whether a message is a public comment. */
export const isComment = (data: unknown): boolean => isRecord(data) && isRecord(data['comment'])

/** Formats a contact card or location as text, for channels and lists that support text only; null for other types. */
export function dataAsText(type: string, data: unknown): string | null {
  const card = type === 'contact' ? cardOf(data) : null
  if (card) return [[card.fullName, card.phoneNumber].filter(Boolean).join(': '), ...(card.more ?? [])].join('\n')
  const location = type === 'location' ? locationOf(data) : null
  if (!location) return null
  const { latitude, longitude, name, address } = location
  const link = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  return [name, address, link].filter(Boolean).join('\n')
}
