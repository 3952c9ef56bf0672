import type { MessageData, RemoteData } from '#domain/messages/data.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'

type Of = { readonly tenantId: number; readonly connectionId: number }
type Spoken = Extract<ProviderEvent, { message: unknown }>
type Pointer = NonNullable<Spoken['message']['remote']>['pointer']

/** The longest preview that a message carries, in letters of base64; a longer one is left out. */
const MOST_THUMBNAIL = 4000

const boundTo = ({ tenantId, connectionId }: Of, providerId: string) =>
  `${tenantId}/connections/${connectionId}/media/${providerId}`

/** How a file is fetched, encrypted for the message that told of it. */
export const encryptPointer = ({ secrets }: Pick<Platform, 'secrets'>, of: Of, providerId: string, pointer: Pointer) =>
  secrets.encrypt(JSON.stringify(pointer), boundTo(of, providerId))

/** The pointer again, as its adapter gave it. */
export const decryptPointer = ({ secrets }: Pick<Platform, 'secrets'>, of: Of, providerId: string, stored: string) =>
  JSON.parse(secrets.decrypt(stored, boundTo(of, providerId))) as Pointer

/** An event as the journal keeps it: what opens a file stands in it encrypted. */
export function withoutKeys(platform: Pick<Platform, 'secrets'>, of: Of, event: ProviderEvent): ProviderEvent {
  if (!('message' in event) || !event.message.remote) return event
  const { providerId, remote } = event.message
  const pointer = encryptPointer(platform, of, providerId, remote.pointer)
  return { ...event, message: { ...event.message, remote: { ...remote, pointer } } }
}

/** What a journaled message consists of beside its text, and how a file of it that is not here is fetched. */
export function remoteContent(
  { data, remote }: Spoken['message'],
  state: RemoteData['remote']['state'],
): { data: MessageData | null; pointer: string | null } {
  if (!remote) return { data: data ?? null, pointer: null }
  const { pointer, thumbnail = '', ...about } = remote
  const preview = thumbnail !== '' && thumbnail.length <= MOST_THUMBNAIL ? { thumbnail } : {}
  return { data: { remote: { ...about, ...preview, state } }, pointer: String(pointer) }
}
