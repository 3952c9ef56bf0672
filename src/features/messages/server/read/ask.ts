import { remoteOf } from '#domain/messages/data.ts'
import { firstOf } from '#domain/present.ts'
import { enqueueDownload, findDownload, updateDownload, updateRemote } from '#features/ledger/server/media/index.ts'
import { announceWaiting, findMessages, serializeMessage } from '#features/ledger/server/messages/index.ts'
import { requireVisibleMessage } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'

/**
 * Requests a message's file from the channel again and publishes that it is pending; does nothing if it is already
 * downloaded.
 */
export async function askForMedia(ctx: Ctx & { user: Actor }, id: string) {
  const [message] = await findMessages(ctx.db, [id])
  if (!message) return fail('ERR_FETCH_WAPP_MSG')
  const { facts } = await requireVisibleMessage(ctx, message.ticket_id)
  const remote = remoteOf((await findDownload(ctx.db, id))?.data)
  const isAsked =
    remote !== null &&
    remote.state !== 'refused' &&
    (await updateDownload(ctx.db, id, { failures: 0, wanted_at: ctx.now }))
  if (isAsked) {
    await updateRemote(ctx.db, id, { data: { remote: { ...remote, state: 'coming' } } }, ctx.now)
    enqueueDownload(ctx, id, remote.size)
  }
  const row = firstOf(await findMessages(ctx.db, [id]))
  if (!isAsked && !row.file_id) fail('ERR_NO_MEDIA')
  if (isAsked && remote.state !== 'coming') announceWaiting(ctx, row, facts)
  return serializeMessage(ctx.platform, ctx.tenantId, row)
}
