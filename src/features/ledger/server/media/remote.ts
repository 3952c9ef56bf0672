import type { MessageData, RemoteData } from '#domain/messages/data.ts'
import { WAVE_BARS } from '#domain/messages/waveform.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { cleanName } from '#server/file-kind.ts'
import type { Platform } from '#server/platform.ts'

type Of = { readonly tenantId: number; readonly connectionId: number }
type Spoken = Extract<ProviderEvent, { message: unknown }>
type Pointer = NonNullable<Spoken['message']['remote']>['pointer']

/** Maximum length of a preview within a message, in base64 characters; a longer one is dropped. */
const MOST_THUMBNAIL = 4000
const MOST_BYTES = Number.MAX_SAFE_INTEGER
const MOST_MS = 7 * 24 * 3600_000
const MOST_PIXELS = 100_000

const boundTo = ({ tenantId, connectionId }: Of, providerId: string) =>
  `${tenantId}/connections/${connectionId}/media/${providerId}`

/** Encrypts a file pointer for its message. */
export const encryptPointer = ({ secrets }: Pick<Platform, 'secrets'>, of: Of, providerId: string, pointer: Pointer) =>
  secrets.encrypt(JSON.stringify(pointer), boundTo(of, providerId))

/** Decrypts a pointer into the adapter's value. */
export const decryptPointer = ({ secrets }: Pick<Platform, 'secrets'>, of: Of, providerId: string, stored: string) =>
  JSON.parse(secrets.decrypt(stored, boundTo(of, providerId))) as Pointer

/** Returns the event for the journal, with file keys encrypted. */
export function withoutKeys(platform: Pick<Platform, 'secrets'>, of: Of, event: ProviderEvent): ProviderEvent {
  if (!('message' in event) || !event.message.remote) return event
  const { providerId, remote } = event.message
  const pointer = encryptPointer(platform, of, providerId, remote.pointer)
  return { ...event, message: { ...event.message, remote: { ...remote, pointer } } }
}

/** Returns a journaled message's data and, while its file is not stored, the encrypted pointer to fetch it. */
export function remoteContent(
  { data, remote }: Spoken['message'],
  state: RemoteData['remote']['state'],
): { data: MessageData | null; pointer: string | null } {
  if (!remote) return { data: data ?? null, pointer: null }
  const { pointer, name, size, durationMs, width, height, thumbnail = '', waveform = [] } = remote
  return {
    data: {
      remote: {
        ...{ name: cleanName(name), size: isWithin(size, MOST_BYTES) ? size : null, state },
        ...(isWithin(durationMs, MOST_MS) ? { durationMs: Math.round(durationMs) } : {}),
        ...(isWithin(width, MOST_PIXELS) && isWithin(height, MOST_PIXELS) ? { width, height } : {}),
        ...(isPreview(thumbnail) ? { thumbnail } : {}),
        ...(isWave(waveform) ? { waveform } : {}),
      },
    },
    pointer: String(pointer),
  }
}

// The file data in a message of a stranger may be wrong.
const isWithin = (given: number | null | undefined, most: number): given is number =>
  typeof given === 'number' && given > 0 && given <= most
const isWave = (waveform: readonly number[]): boolean =>
  waveform.length === WAVE_BARS && waveform.every((bar) => Number.isInteger(bar) && bar >= 0 && bar <= 100)
const isPreview = (thumbnail: string): boolean =>
  thumbnail.length <= MOST_THUMBNAIL && /^[A-Za-z0-9+/]+=*$/.test(thumbnail)
