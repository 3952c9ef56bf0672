import { fieldIn, isOneOf, keysIn, ownMember, textFieldIn } from '#domain/keys.ts'
import { ENDINGS, type Ending } from '#domain/voice/calls.ts'
import { type DeviceState, VoiceFailure, type VoiceSignal } from '../port.ts'

/** Returns an https address; null for anything else. */
const pictureOf = (value: unknown): string | null =>
  typeof value === 'string' && /^https:\/\//i.test(value) ? value : null

// The number with country code, or an address such as `5519…@s.whatsapp.net`.
const phoneOf = (content: unknown): string => (textFieldIn(content, 'phone').split(/[@:]/)[0] ?? '').replace(/\D/g, '')

/** Returns what a `signaling` event means for the call; null if nothing (`preaccept`, `relaylatency`, `mute_v2`, unknown). */
export function signalOf(event: unknown): VoiceSignal | null {
  const tag = textFieldIn(event, 'tag')
  if (tag === 'accept') return { kind: 'accept' }
  if (isOneOf<Ending>(keysIn(ENDINGS), tag)) return { kind: 'end', why: tag }
  if (tag !== 'offer') return null
  const content = fieldIn(event, 'content')
  const number = phoneOf(content)
  return {
    ...{ kind: 'offer', number, name: textFieldIn(content, 'from_tag').trim() },
    picture: pictureOf(fieldIn(content, 'profile_picture')),
  }
}

const STATES: Readonly<Record<string, DeviceState>> = { open: 'open', connecting: 'connecting', close: 'closed' }

/** Returns the state of a device by its name at Wavoip; unknown ones are closed. */
export const stateOf = (status: unknown, qrcode: string | null): DeviceState => {
  const state = (typeof status === 'string' ? ownMember(STATES, status) : undefined) ?? 'closed'
  return state !== 'open' && qrcode ? 'linking' : state
}

/** Returns the text of a QR code; null without one. */
export const qrcodeOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Returns the picture of the called number; fails with a `VoiceFailure` unless the acknowledgement is a success. */
export function acknowledged(answer: unknown): { picture: string | null } {
  const result = fieldIn(answer, 'result')
  if (textFieldIn(answer, 'type') === 'success') return { picture: pictureOf(fieldIn(result, 'profile_picture')) }
  const sentence = typeof result === 'string' ? result.trim() : ''
  const isBusy = textFieldIn(answer, 'code') === 'busy'
  throw isBusy ? new VoiceFailure('busy') : new VoiceFailure('refused', sentence)
}

/** Address of a call's sound; `url` has no path. */
export type SoundAddress = { readonly room: string; readonly url: string }

/**
 * Returns where the sound of an `audio_transport:create` event is fetched; null if it names nothing usable. `ip` is a host
 * or an address with scheme; without one the scheme is that of the device's server.
 */
export function soundAddressOf(event: unknown, server: URL): SoundAddress | null {
  const [room, ip] = [fieldIn(event, 'room'), textFieldIn(event, 'ip').trim()]
  const port = Number(fieldIn(event, 'port'))
  const name = typeof room === 'string' || typeof room === 'number' ? String(room) : ''
  if (!/^[\w.:@-]{1,200}$/.test(name) || ip === '') return null
  const address = `${/^https?:\/\//.test(ip) ? ip : `${server.protocol}//${ip}`}${port ? `:${port}` : ''}`
  return URL.canParse(address) ? { room: name, url: new URL(address).origin } : null
}
