import { ackOf } from '#domain/messages/status.ts'
import { findByIdFront } from '#features/ledger/server/messages/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { type OutgoingFile, sendWithin, withOutgoing } from '#features/messages/server/send/index.ts'
import { contactAt, ticketWith, writeToContacts } from '#features/tickets/server/begin/index.ts'
import { fail, required } from '#kit/errors.ts'
import { may } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import { once } from '#server/http/idempotency.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import type { Program } from './asking.ts'
import { messageKeyOf } from './message-key.ts'

/** Message that a program requests to send, with its recipient. */
export type Wanted = {
  /** Phone number in any notation, or a group id. */
  readonly number: string
  readonly body: string
  readonly externalKey?: string | undefined
  readonly isGroup?: boolean
  /** Whether to open a ticket; else an existing ticket remains unchanged. */
  readonly opensTicket?: boolean
}

/** Sends a message over the key's connection, idempotent by `externalKey`; returns the message and its ticket. */
export async function send(
  platform: Platform,
  program: Program,
  operation: string,
  wanted: Wanted,
  file: StoredFile | null,
  isVoice = false,
) {
  const { actor, key } = program
  const { tenantId } = actor
  const run = (files: readonly OutgoingFile[]) =>
    unit(platform, { tenantId, user: actor }, (inner) => {
      const ctx = { ...inner, user: actor }
      const content = files.map(({ sha256 }) => Buffer.from(sha256).toString('hex'))
      const { number, body, externalKey } = wanted
      const repeatKey = externalKey === undefined ? undefined : `api:${key.id}:${externalKey}`
      return once(ctx, repeatKey, operation, { params: null, body: { number, body, content } }, () =>
        write(ctx, program, wanted, files),
      )
    })
  if (!file) return run([])
  const outgoing = { tenantId, channel: key.channel, files: [file], wish: isVoice ? ('voice' as const) : null }
  return withOutgoing(platform, outgoing, run)
}

async function write(
  ctx: Ctx & { user: Program['actor'] },
  { key }: Program,
  { number, body, externalKey, isGroup = false, opensTicket = false }: Wanted,
  files: readonly OutgoingFile[],
) {
  for (const permission of ['tickets:start', 'tickets:write'] as const)
    if (!may(ctx.user, ctx.settings, permission)) fail('ERR_NO_PERMISSION')
  const contactId = isGroup ? await groupOf(ctx, number, key.channel) : await contactAt(ctx, number, key.channel)
  const idFront = messageKeyOf(key.id, externalKey ?? null, ctx.newId())
  const [file] = files
  if (opensTicket) {
    const ticketId = await ticketWith(ctx, contactId, key.connection_id)
    await sendWithin(ctx, { ticketId, idFront, body, isNote: false, files })
  } else {
    const stored = file && { id: await storeUpload(ctx, file, file.voice ?? {}), mime: file.mime }
    const about = { connectionId: key.connection_id, contactIds: [contactId], body, file: stored ?? null }
    const refused = (await writeToContacts(ctx, { ...about, sendType: 'API', idFront })).get(contactId)
    if (refused) fail(refused)
  }
  const message = required((await findByIdFront(ctx.db, [idFront]))[0], 'ERR_UNIDENTIFIED')
  const { status } = message
  return {
    ...{ messageId: message.id, ticketId: message.ticket_id, contactId, externalKey: externalKey ?? null },
    ...{ status, ack: ackOf(status) },
  }
}

/** Returns the contact of a group, by its id with or without the channel's suffix. */
async function groupOf({ db }: Ctx, id: string, channel: string): Promise<number> {
  const [bare = ''] = id.split('@')
  const senders = [id, bare, `${bare}@g.us`].map((identity) => ({
    channel,
    identity,
    name: '',
    number: null,
    email: '',
  }))
  const [group] = (await contactBook().find(db, senders)).values()
  return required(group, 'ERR_NO_CONTACT_FOUND').id
}
