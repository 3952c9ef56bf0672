import { z } from 'zod'
import { adOf, type RemoteData, remoteOf } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { type MessageType, typeOfMime } from '#domain/messages/types.ts'
import { AppError } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type ChannelAdapter, isSendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { storeUpload } from '#server/files/store.ts'
import { job } from '#server/job.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { announceWaiting } from '../messages/announce.ts'
import { findMessages } from '../messages/queries.ts'
import { adapterOf } from '../ports/channels.ts'
import { ledgerFacts, lockLedgerTicket } from '../ticket/queries.ts'
import { findDownload, insertDownloads, removeDownload, updateDownload, updateRemote, wantedBefore } from './queries.ts'
import { decryptPointer, encryptPointer } from './remote.ts'

/** Number of failed downloads before a new upload is requested from the sender. */
const MOST_FAILURES = 3
const FIRST_PAUSE_MS = 5000
/** Size above which files wait for one another, so that smaller ones are fetched meanwhile, in bytes. */
const LARGE = 16 * 1024 * 1024
/** Maximum number of concurrent downloads of small files, so that slow providers do not block sending. */
const SLOTS = 3
const BEHIND_SENDING = 10
const MOST_BYTES = 100 * 1024 * 1024
/** Time without progress after which a download has lost its job, in ms. */
const LOST_MS = 30 * 60_000
const RECOVERED_AT_ONCE = 500

type Download = NonNullable<Awaited<ReturnType<typeof findDownload>>>
type State = RemoteData['remote']['state']

/** Stores the encrypted pointers of messages' files, and enqueues the files that are fetched automatically. */
export async function recordDownloads(
  ctx: Ctx,
  messages: readonly { readonly id: string; readonly pointer?: string | null; readonly data: unknown }[],
): Promise<void> {
  const downloads = messages.flatMap(({ id: messageId, pointer, data }) => {
    const remote = remoteOf(data)
    if (!pointer || !remote) return []
    const isWanted = remote.state === 'coming'
    if (isWanted) enqueueDownload(ctx, messageId, remote.size)
    return [{ messageId, pointer, isWanted }]
  })
  return insertDownloads(ctx.db, downloads, ctx.now)
}

/** Enqueues a download; repeated requests are merged. */
export function enqueueDownload(ctx: Ctx, messageId: string, size: number | null, runAt?: Date): void {
  const slot = size !== null && size > LARGE ? 'large' : Number.parseInt(messageId.slice(-4), 16) % SLOTS
  const options = { key: `media:${messageId}`, queue: `media:${slot}`, priority: BEHIND_SENDING }
  ctx.enqueue(downloadJob, { messageId }, runAt ? { ...options, runAt } : options)
}

/**
 * Job that downloads the file of a stored message. After three attempts (at once if the provider lost it) the sender is
 * asked to upload it again; if that fails, the message says so, and readers may retry.
 */
export const downloadJob = job({
  name: 'conversations:download-media',
  schema: z.object({ messageId: z.uuid() }),
  async run(platform, { tenantId, messageId }, { requireOwnership }) {
    const found = await platform.db.read(tenantId, (db) => findDownload(db, messageId))
    if (!found?.wanted_at) return
    const of: Of = { platform, tenantId, messageId, found }
    if (found.is_deleted)
      return void (await unit(platform, { tenantId, user: null }, (ctx) => removeDownload(ctx.db, messageId)))
    const fetched = await fetchFile(of)
    if (isFailed(fetched)) return retryLater(of, fetched.waitSeconds)
    if (typeof fetched === 'string') return conclude(of, fetched)
    try {
      await platform.checkpoint('media downloaded')
      requireOwnership()
      await saveFile(of, fetched)
    } finally {
      await platform.storage.discard([fetched])
    }
  },
})

type Of = {
  readonly platform: Platform
  readonly tenantId: number
  readonly messageId: string
  readonly found: Download
}

/** Failed download; seconds until the next attempt, if the provider says so. */
type Failed = { readonly waitSeconds: number }
const isFailed = (fetched: StoredFile | Failed | string): fetched is Failed =>
  typeof fetched !== 'string' && 'waitSeconds' in fetched

async function fetchFile(of: Of): Promise<StoredFile | Failed | 'expired' | 'refused'> {
  const { platform, tenantId, messageId, found } = of
  const connection = { tenantId, connectionId: found.connection_id }
  const providerId = found.provider_id ?? ''
  const adapter = await adapterOf(platform, tenantId, found.connection_id)
  const pointer = decryptPointer(platform, connection, providerId, found.pointer)
  const first = await take(of, adapter, pointer)
  if (first !== 'gone' && !isFailed(first)) return first
  if (isFailed(first) && found.failures + 1 < MOST_FAILURES) return first
  const renewed = await adapter.ask?.('media', { pointer }).catch((err: unknown) => {
    platform.log.warn({ err, tenantId, messageId }, 'who sent a file could not be asked for it')
    return null
  })
  if (!renewed) return 'expired'
  const stored = encryptPointer(platform, connection, providerId, renewed.pointer)
  await unit(platform, { tenantId, user: null }, (ctx) => updateDownload(ctx.db, messageId, { pointer: stored }))
  const second = await take(of, adapter, renewed.pointer)
  return second === 'gone' || isFailed(second) ? 'expired' : second
}

async function take(
  { platform, tenantId, messageId, found }: Of,
  adapter: ChannelAdapter,
  pointer: ReturnType<typeof decryptPointer>,
): Promise<StoredFile | Failed | 'gone' | 'refused'> {
  const remote = remoteOf(found.data)
  const maxBytes = capabilitiesOf(found.channel).files[found.media_type as FileKind]?.maxBytes ?? MOST_BYTES
  if (remote?.size && remote.size > maxBytes) return 'refused'
  if (!adapter.download) return 'gone'
  try {
    const source = await adapter.download(pointer)
    return await platform.storage.save(tenantId, source, { name: remote?.name ?? '', maxBytes, now: platform.now() })
  } catch (error) {
    if (isInfrastructure(error)) throw error
    if (error instanceof AppError && (error.code === 'ERR_FILE_TOO_LARGE' || error.code === 'ERR_FILE_TYPE'))
      return 'refused'
    platform.log.warn({ err: error, tenantId, messageId }, 'a file was not downloaded')
    if (!isSendFailure(error)) return { waitSeconds: 0 }
    return error.kind === 'refused' ? 'gone' : { waitSeconds: error.waitSeconds ?? 0 }
  }
}

const retryLater = ({ platform, tenantId, messageId, found }: Of, waitSeconds: number): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const failures = found.failures + 1
    const pauseMs = Math.max(FIRST_PAUSE_MS * 4 ** found.failures, waitSeconds * 1000)
    const runAt = new Date(ctx.now.getTime() + pauseMs)
    if (await updateDownload(ctx.db, messageId, { failures, wanted_at: ctx.now }))
      enqueueDownload(ctx, messageId, remoteOf(found.data)?.size ?? null, runAt)
  })

/** Stores and publishes the state of a message's file. */
const conclude = ({ platform, tenantId, messageId, found }: Of, state: State): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const ticket = await lockLedgerTicket(ctx.db, found.ticket_id)
    if (!(await updateDownload(ctx.db, messageId, { wanted_at: null }))) return
    await updateRemote(
      ctx.db,
      messageId,
      { data: { ...adOf(found.data), remote: { ...remoteOf(found.data)!, state } } },
      ctx.now,
    )
    if (ticket) await announceMessage(ctx, messageId, ticket)
  })

const saveFile = ({ platform, tenantId, messageId, found }: Of, file: StoredFile): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const ticket = await lockLedgerTicket(ctx.db, found.ticket_id)
    if (!(await removeDownload(ctx.db, messageId))) return
    const { mime, mediaType } = kindOf(found.media_type, file.mime)
    const { durationMs, waveform } = remoteOf(found.data) ?? {}
    const fileId = await storeUpload(ctx, { ...file, mime }, { durationMs, waveform })
    await updateRemote(ctx.db, messageId, { file_id: fileId, media_type: mediaType, data: adOf(found.data) }, ctx.now)
    if (ticket) await announceMessage(ctx, messageId, ticket)
    await platform.checkpoint('before media commit')
  })

// A recording may have a container for films; a file of another kind is shown as a document.
function kindOf(type: MessageType, mime: string): { mime: string; mediaType: MessageType } {
  if (type === 'audio') mime = mime.replace(/^video\//, 'audio/')
  const kind = type === 'sticker' ? 'image' : type
  return { mime, mediaType: typeOfMime(mime) === kind ? type : 'document' }
}

/** Publishes the current form of a message. */
export async function announceMessage(
  ctx: Ctx,
  messageId: string,
  ticket: NonNullable<Awaited<ReturnType<typeof lockLedgerTicket>>>,
): Promise<void> {
  const [row] = await findMessages(ctx.db, [messageId])
  if (row) announceWaiting(ctx, row, ledgerFacts(ticket))
}

/** Enqueues downloads of requested files that have lost their job. */
export async function recoverDownloads(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - LOST_MS)
  const lost = await platform.db.asPlatform((db) => wantedBefore(db, before, RECOVERED_AT_ONCE))
  for (const { tenant_id: tenantId, message_id: messageId } of lost)
    await unit(platform, { tenantId, user: null }, async (ctx) => {
      const found = await findDownload(ctx.db, messageId)
      if (found) await updateDownload(ctx.db, messageId, { wanted_at: ctx.now })
      if (found) enqueueDownload(ctx, messageId, remoteOf(found.data)?.size ?? null)
    })
}
