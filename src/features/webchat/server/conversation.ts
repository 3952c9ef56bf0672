import { z } from 'zod'
import { type ButtonPress, buttonsOf, dataAsText } from '#domain/messages/data.ts'
import { unsigned } from '#domain/messages/signature.ts'
import { FORWARDED, typeOfMime } from '#domain/messages/types.ts'
import { lastOf } from '#domain/present.ts'
import { receive } from '#features/ledger/server/ingest/index.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail, required } from '#kit/errors.ts'
import type { ProviderEvent } from '#providers/channels/port.ts'
import { unit } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { fileUrl, storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import type { Accepted, MessagePage, VisitorMessage, webchat } from '../contract.ts'
import {
  type ChangeCursor,
  type ConversationRow,
  changedAfter,
  findShown,
  findVisitor,
  isJournaled,
  pageOf,
  unreadUpTo,
} from './queries.ts'
import type { Whose } from './visitors.ts'

// A change has the time of its transaction's start but is visible after the commit: repeated reads look back a minute.
const OVERLAP_MS = 60_000

/** Maximum number of changes in one response. */
const CHANGES_PAGE = 100
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const changeCursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?$/), z.uuid()])

function parseCursor(cursor: string): ChangeCursor {
  const read = changeCursor.safeParse(decodeCursor(cursor, 2))
  if (!read.success) return fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
  const [changedAt, id] = read.data
  return { changedAt, id }
}

/** Pattern of message keys from a page (`keyOf`); messages from mails have the mail's id. */
const OF_PAGE = /^[0-9a-f-]{36}\/(.+)$/

const KINDS: Readonly<Record<string, VisitorMessage['kind']>> = {
  image: 'image',
  sticker: 'image',
  audio: 'audio',
  video: 'video',
  document: 'document',
}

const statusOf = (row: ConversationRow): VisitorMessage['status'] => {
  if (!row.fromMe) return row.isRead ? 'read' : 'sent'
  return row.status === 'played' || row.status === 'read' ? 'read' : row.status === 'delivered' ? 'delivered' : 'sent'
}

/** Serializes a message for its visitor. */
export function asVisitorSees(platform: Platform, tenantId: number, row: ConversationRow): VisitorMessage {
  const isFile = row.fileId !== null && !row.isDeleted
  const buttons = row.mediaType === 'buttons' ? buttonsOf(row.data) : null
  const { quotedId, quotedFromMe, quotedAuthor, quotedBody, quotedFileName, quotedMediaType } = row
  return {
    id: row.id,
    idFront: row.fromMe ? null : (row.providerId?.match(OF_PAGE)?.[1] ?? null),
    fromVisitor: !row.fromMe,
    author: row.fromMe ? row.author : null,
    kind: isFile ? (KINDS[row.mediaType] ?? 'document') : 'text',
    body: row.isDeleted ? '' : (dataAsText(row.mediaType, row.data) ?? unsigned(row.body, row.author)),
    quoted: quotedId
      ? {
          id: quotedId,
          fromVisitor: !quotedFromMe,
          author: quotedFromMe ? quotedAuthor : null,
          kind: quotedFileName ? (KINDS[quotedMediaType!] ?? 'document') : 'text',
          body: unsigned(quotedBody!, quotedAuthor),
          name: quotedFileName,
        }
      : null,
    media: isFile
      ? {
          url: fileUrl(platform, tenantId, row.fileId!, row.fileName!),
          name: row.fileName!,
          mime: row.fileMime!,
          size: row.fileSize,
        }
      : null,
    status: statusOf(row),
    deleted: row.isDeleted,
    edited: row.edition !== null,
    asksRating: row.fromMe && row.sendType === 'evaluation',
    forwarded: row.sendType === FORWARDED,
    reactions: [
      ...(row.reaction ? [{ emoji: row.reaction, fromVisitor: true }] : []),
      ...(row.reactionFromMe ? [{ emoji: row.reactionFromMe, fromVisitor: false }] : []),
    ],
    buttons: row.isDeleted ? [] : [...(buttons?.buttons ?? [])],
    footer: row.isDeleted ? '' : (buttons?.footer ?? ''),
    timestamp: row.timestamp.getTime(),
  }
}

/** Writes receipts of messages that reached the visitor to the journal, like those of every channel. */
export function report(
  platform: Platform,
  visitor: Whose,
  status: 'delivered' | 'read',
  ids: readonly string[],
): Promise<void> {
  const events = ids.map(
    (id): ProviderEvent => ({
      type: 'receipt',
      dedupeKey: `${status}:${id}`,
      conversationKey: visitor.visitorId,
      providerId: id,
      status,
      timestamp: platform.now().getTime(),
    }),
  )
  return receive(platform, visitor, events)
}

/**
 * Returns a page of the conversation, or its changes since an earlier response, in pages; the team's messages count as
 * delivered.
 */
export async function readConversation(
  platform: Platform,
  visitor: Whose,
  { before, since, cursor, limit }: z.output<typeof webchat.list.query>,
): Promise<MessagePage> {
  const asOf = platform.now().getTime() - OVERLAP_MS
  const after = cursor === undefined ? null : parseCursor(cursor)
  const found = await platform.db.read(visitor.tenantId, async (db) => {
    const page = after ? [] : await pageOf(db, visitor, { before, limit })
    const from = after ?? (since === undefined ? null : { changedAt: new Date(since).toISOString(), id: FIRST_ID })
    const changed = from ? await changedAfter(db, visitor, from, CHANGES_PAGE + 1) : []
    return {
      page: page.slice(0, limit),
      changed: changed.slice(0, CHANGES_PAGE),
      isAll: changed.length <= CHANGES_PAGE,
      hasMore: page.length > limit,
    }
  })
  const last = found.isAll ? undefined : found.changed.at(-1)
  const rows = [...new Map([...found.changed, ...found.page].map((row) => [row.id, row])).values()]
  const arrived = rows.filter((row) => row.fromMe && row.status === 'sent').map((row) => row.id)
  // Reading works without database writes or disk; the next response reports the remaining receipts.
  await report(platform, visitor, 'delivered', arrived).catch((error: unknown) => {
    if (!isInfrastructure(error)) throw error
  })
  rows.sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime() || a.seq - b.seq)
  return {
    messages: rows.map((row) => asVisitorSees(platform, visitor.tenantId, row)),
    hasMore: found.hasMore,
    nextCursor: last ? encodeCursor([last.changedAt, last.id]) : null,
    asOf,
  }
}

/** Returns the name of a visitor without one: short, stable, never like a phone number. */
const nameOf = (name: string | undefined, visitorId: string): string =>
  name || `Visitante ${visitorId.slice(-4).toUpperCase()}`

type Written = {
  idFront: string
  type: 'text' | 'interactive_reply' | ReturnType<typeof typeOfMime>
  body: string
  quotedId?: string | undefined
  fileId?: string
  data?: ButtonPress
}

const keyOf = (visitor: Whose, idFront: string): string => `${visitor.visitorId}/${idFront}`

/** Writes a visitor's message or button press to the journal. */
export async function take(platform: Platform, visitor: Whose, written: Written): Promise<Accepted> {
  const { idFront, fileId, type, body, quotedId, data } = written
  const { known, quoted } = await platform.db.read(visitor.tenantId, async (db) => ({
    known: await findVisitor(db, visitor.visitorId),
    quoted: quotedId && required((await findShown(db, visitor, quotedId))?.providerId, 'ERR_FETCH_WAPP_MSG'),
  }))
  const timestamp = platform.now().getTime()
  const providerId = keyOf(visitor, idFront)
  await receive(platform, visitor, [
    {
      type: 'message',
      dedupeKey: providerId,
      conversationKey: visitor.visitorId,
      sender: { identity: visitor.visitorId, name: nameOf(known?.name, visitor.visitorId) },
      message: {
        providerId,
        timestamp,
        type,
        body,
        ...(fileId ? { fileId } : {}),
        ...(quoted ? { quotedProviderId: quoted } : {}),
        ...(data ? { data } : {}),
      },
    },
  ])
  return { idFront, timestamp }
}

/** Writes a visitor's text to the journal before answering; repeating the same `idFront` has no effect. */
export async function takeText(
  platform: Platform,
  visitor: Whose,
  { idFront, text, quotedId }: z.output<typeof webchat.send.body>,
): Promise<Accepted> {
  await platform.limits.use('widget', visitor.visitorId)
  return take(platform, visitor, { idFront, type: 'text', body: text, quotedId })
}

/** Writes a visitor's stored file with its caption to the journal; repeating the same `idFront` has no effect. */
export async function takeFile(
  platform: Platform,
  visitor: Whose,
  { idFront, caption, quotedId, file }: z.output<NonNullable<typeof webchat.upload.body>> & { file: StoredFile },
): Promise<Accepted> {
  const { tenantId, connectionId } = visitor
  const isRepeated = await platform.db.read(tenantId, (db) => isJournaled(db, connectionId, keyOf(visitor, idFront)))
  if (isRepeated) return { idFront, timestamp: platform.now().getTime() }
  const fileId = await unit(platform, { tenantId, user: null }, (ctx) => storeUpload(ctx, file))
  return take(platform, visitor, { idFront, type: typeOfMime(file.mime), body: caption, quotedId, fileId })
}

/** Maximum number of receipts per write to the journal. */
const READ_AT_ONCE = 500

/** Records that the visitor has read the team's messages, up to one. */
export async function takeRead(platform: Platform, visitor: Whose, upTo: string): Promise<void> {
  for (let after: string | null = null; ; ) {
    const ids = await platform.db.read(visitor.tenantId, (db) =>
      unreadUpTo(db, visitor, { upTo, after, most: READ_AT_ONCE }),
    )
    await report(platform, visitor, 'read', ids)
    if (ids.length < READ_AT_ONCE) return
    after = lastOf(ids)
  }
}
