import type { Album } from '#domain/messages/album.ts'
import { isComment, type MessageData, pollOf } from '#domain/messages/data.ts'
import { type FileKind, whyNotFile, whyNotOnce } from '#domain/messages/file-limits.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import {
  frameOf,
  hasInteractive,
  type InteractiveType,
  interactiveProblems,
  isInteractive,
} from '#domain/messages/interactive.ts'
import type { FileWish } from '#domain/messages/outgoing-files.ts'
import { scheduleProblem } from '#domain/messages/schedule.ts'
import { isSigned, signed } from '#domain/messages/signature.ts'
import { HUMAN_AGENT, PRIVATE_ANSWER, typeOfMime } from '#domain/messages/types.ts'
import { firstOf, itemAt } from '#domain/present.ts'
import { mentionedIn } from '#features/ledger/server/groups/index.ts'
import { afterMessages, messageOfTemplate, type WantedTemplate } from '#features/ledger/server/hooks/index.ts'
import {
  announceWaiting,
  findByIdFront,
  findMessages,
  isAnswered,
  type MessageRecord,
  serializeMessage,
} from '#features/ledger/server/messages/index.ts'
import { requireWritable } from '#features/ledger/server/outbox/index.ts'
import { deltaOf } from '#features/ledger/server/rows/index.ts'
import { enqueueDue } from '#features/ledger/server/scheduled/index.ts'
import {
  type LedgerTicket,
  ledgerFacts,
  lockLedgerTicket,
  type MessageSchedule,
} from '#features/ledger/server/ticket/index.ts'
import { type MessageDraft, writeMessages } from '#features/ledger/server/writing/index.ts'
import { isVisible, requireVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, reading, unit } from '#server/context.ts'
import { storeUpload } from '#server/files/store.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import { notifyMentioned, requireMentions } from '../mentions/mentions.ts'
import { addressed, type MailWish } from './mail-answer.ts'
import { type OutgoingFile, withOutgoing } from './outgoing.ts'

/** Message of an agent: text, files, or an internal note. */
export type SendInput = {
  ticketId: number
  idFront: string
  body: string
  isNote: boolean
  quotedMsgId?: string | null | undefined
  durationMs?: number | undefined
  /** Sends the files as view once. */
  isOnce?: boolean | undefined
  files: readonly OutgoingFile[]
  /** Kind of a message without text or file: contact card, location, poll or interactive message; content in `data`. */
  mediaType?: SpecialType
  /** Approved template to send instead of a free text. */
  template?: WantedTemplate | undefined
  /** Subject and recipients of a mail, where they differ from a reply to the last mail. */
  mail?: MailWish | undefined
  data?: MessageData
  /** Group members to mention beyond those in the text. */
  mentions?: MessageMentions
  /** Album of the picture or film; several files of one request form an album by themselves. */
  albumId?: string | undefined
  albumImages?: number | undefined
  albumVideos?: number | undefined
  /** Special kind of message; absent for an ordinary one. */
  sendType?: 'protocol' | typeof HUMAN_AGENT | typeof PRIVATE_ANSWER
  /** The sender declares that a person writes it (human agent), so that it may leave after the window has closed. */
  isHumanAgent?: boolean | undefined
  scheduleDate?: string | undefined
  cancelOnReply?: boolean | undefined
  repeat?: string | undefined
  /** Users and teams that a note mentions. */
  mentionedUsers?: readonly number[] | undefined
  mentionedTeams?: readonly number[] | undefined
}

/**
 * Stores an agent's messages and their outbox entries in one transaction. A repeated idFront returns the first message.
 * Rejects what the channel would refuse before storing anything.
 */
export async function sendMessages(
  platform: Platform,
  user: Actor,
  { isVoice, isSticker, ...input }: SendInput & Wishes,
) {
  const { tenantId } = user
  const base = { tenantId, user, isGuarded: true }
  const send = (files: SendInput['files']) =>
    unit(platform, base, (ctx) => sendWithin({ ...ctx, user }, { ...input, files }))
  if (input.files.length === 0 || input.isNote) return send(input.files)
  // Converting files takes time: check permission first.
  const { row } = await reading(platform, { tenantId, user }, (ctx) => requireVisible(ctx, input.ticketId))
  const wish = wishOf({ isVoice, isSticker, durationMs: input.durationMs })
  return withOutgoing(platform, { tenantId, channel: row.channel, files: input.files, wish }, send)
}

/** File conversions that the sender asks for. */
export type Wishes = { isVoice?: boolean | undefined; isSticker?: boolean | undefined }

/** Returns the requested conversion of a file; a given length implies a voice note. */
export const wishOf = ({ isVoice, isSticker, durationMs }: Wishes & Pick<SendInput, 'durationMs'>): FileWish | null =>
  isSticker ? 'sticker' : isVoice || durationMs !== undefined ? 'voice' : null

/** Sends messages like `sendMessages`, within the caller's unit of work. */
export const sendWithin = (ctx: Ctx & { user: Actor }, input: SendInput) =>
  store(ctx, input, (ticket) => isVisible(ctx, ledgerFacts(ticket)))

/** Stores messages of a ticket without a visibility check, in the caller's transaction. */
export const storeMessages = (ctx: Ctx & { user: Actor }, input: SendInput) => store(ctx, input, () => true)

async function store(ctx: Ctx & { user: Actor }, input: SendInput, maySee: (ticket: LedgerTicket) => boolean) {
  const { platform, user } = ctx
  const idFronts =
    input.files.length > 1
      ? input.files.map((_, index) => (index === 0 ? input.idFront : `${input.idFront}:${index}`))
      : [input.idFront]
  // Locks first: a concurrent repeat waits here and then finds the stored message.
  const [ticket, earlier] = await Promise.all([
    lockLedgerTicket(ctx.db, input.ticketId),
    findByIdFront(ctx.db, idFronts),
  ])
  if (!ticket || !maySee(ticket)) return fail('ERR_NO_TICKET_FOUND')
  const schedule = scheduleOf(ctx, input)
  if (earlier.length > 0) {
    if (earlier.some((message) => message.ticket_id !== input.ticketId)) fail('ERR_IDEMPOTENCY_MISMATCH')
    return { messages: earlier.map((row) => serializeMessage(platform, ctx.tenantId, row)), ticket: deltaOf(ticket) }
  }
  const quoted = input.quotedMsgId ? await requireQuotable(ctx, input.ticketId, input.quotedMsgId) : null
  const sent = input.template ? await asTemplate(ctx, ticket, input, input.template) : input
  const way = input.isNote ? {} : await wayOf(ctx, ticket, input, quoted)
  const given = { ...sent, ...way }
  check(ticket, given)
  checkInteractive(ctx, user, ticket, given)
  const mail = given.mail && !input.isNote ? await addressed(ctx, ticket, given.mail) : undefined
  // The window may be open by the time a scheduled message leaves.
  if (!input.isNote && !schedule && !input.template)
    await requireWritable(ctx, ticket, { ...way, quotedAt: quoted?.timestamp ?? null })
  const mentions = await mentionsIn(ctx, ticket, input)
  const drafts = await toDrafts(
    ctx,
    user,
    ticket,
    { ...given, mail, ...(mentions ? { data: { mentions } } : {}) },
    idFronts,
  )
  const sendAt = schedule?.date ?? (input.isNote ? null : undoableUntil(ctx))
  const waits = sendAt === null ? {} : { sendAt, ...(schedule ? { schedule, sendType: 'schedule' } : {}) }
  const written = await writeMessages(
    ctx,
    drafts.map((draft) => ({ ...draft, ...waits })),
  )
  const { messages, records: rows, tickets } = written
  await notifyMentioned(ctx, firstOf(messages), mentions)
  // Delayed messages run their hooks when they are sent.
  if (sendAt === null) await afterMessages(ctx, written)
  else enqueueDue(ctx, [sendAt])
  if (schedule) for (const row of rows) announceWaiting(ctx, row, ledgerFacts(ticket))
  return {
    messages: rows.map((row) => serializeMessage(platform, ctx.tenantId, row)),
    ticket: deltaOf(firstOf(tickets)),
  }
}

async function asTemplate(
  ctx: Ctx,
  ticket: LedgerTicket,
  input: SendInput,
  wanted: WantedTemplate,
): Promise<SendInput> {
  if (input.isNote || input.body.trim() !== '') fail('ERR_VALIDATION', { body: 'Um modelo vai sem texto seu.' })
  if (input.files.length > 1) fail('ERR_TEMPLATE_REFUSED', { file: 'Um modelo leva no máximo um arquivo.' })
  const [file] = input.files
  return { ...input, ...(await messageOfTemplate(ctx, ticket, wanted, file ? kindOf(file) : null)) }
}

/** Returns until when the user can undo a message sent now, in epoch ms; null: not at all. */
export const undoableUntil = ({ now, user }: { now: Date; user: Pick<Actor, 'undoSeconds'> }): number | null =>
  user.undoSeconds === 0 ? null : now.getTime() + user.undoSeconds * 1000

function mentionsIn(ctx: Ctx & { user: Actor }, ticket: LedgerTicket, input: SendInput) {
  const { isNote, mentionedUsers: userIds = [], mentionedTeams: teamIds = [] } = input
  if (!isNote && userIds.length + teamIds.length > 0)
    fail('ERR_VALIDATION', { mentionedUsers: 'Só notas internas mencionam colegas.' })
  return requireMentions(ctx, ledgerFacts(ticket), { userIds, teamIds })
}

// Returns the validated schedule; null to send at once.
function scheduleOf({ now }: Pick<Ctx, 'now'>, input: SendInput): MessageSchedule | null {
  const { scheduleDate, cancelOnReply = false, repeat = null } = input
  if (scheduleDate === undefined) {
    if (cancelOnReply || repeat !== null) fail('ERR_VALIDATION', { scheduleDate: 'Escolha também o horário.' })
    return null
  }
  if (input.isNote) fail('ERR_VALIDATION', { scheduleDate: 'Notas internas não são agendadas.' })
  const date = requireSchedulable(scheduleDate, now)
  return { date, cancelOnReply, repeat, repeatFrom: repeat === null ? null : date }
}

/** Returns a valid time for scheduled messages in epoch ms; throws 400 with a message otherwise. */
export function requireSchedulable(scheduleDate: string, now: Date): number {
  const date = Date.parse(scheduleDate)
  const problem = scheduleProblem(date, now.getTime())
  return problem ? fail('ERR_VALIDATION', { scheduleDate: problem }) : date
}

/**
 * Stores an internal note in a ticket that the caller may write to, in the caller's transaction; a repeated idFront stores
 * nothing.
 */
export async function storeNote(
  ctx: Ctx & { user: Actor },
  { ticketId, idFront, body }: Pick<SendInput, 'ticketId' | 'idFront' | 'body'>,
): Promise<void> {
  const ticket = (await lockLedgerTicket(ctx.db, ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
  const [earlier] = await findByIdFront(ctx.db, [idFront])
  if (earlier && earlier.ticket_id !== ticketId) fail('ERR_IDEMPOTENCY_MISMATCH')
  if (earlier) return
  const note = { ticketId, idFront, body, isNote: true, files: [] }
  await afterMessages(ctx, await writeMessages(ctx, await toDrafts(ctx, ctx.user, ticket, note, [idFront])))
}

function check(ticket: LedgerTicket, input: SendInput): void {
  if (input.files.length === 0 && !input.data && input.body.trim() === '') fail('ERR_MESSAGE_EMPTY')
  if (input.isNote) return
  // Scheduled messages neither reopen nor take a ticket.
  if (ticket.status === 'closed' && !input.scheduleDate) fail('ERR_MESSAGE_TICKET_CLOSED')
  if (ticket.status === 'pending' && !input.scheduleDate) fail('ERR_MESSAGE_TICKET_PENDING')
  if (!input.template) checkBody(ticket, textOf(ticket, input))
  if (input.mail && !capabilitiesOf(ticket.channel).threads) fail('ERR_CHANNEL_CANNOT')
  const capabilities = capabilitiesOf(ticket.channel)
  if (input.quotedMsgId && !capabilities.quote && input.sendType !== PRIVATE_ANSWER) fail('ERR_QUOTE_NOT_CARRIED')
  if (input.mediaType && !carries(capabilities, input.mediaType, input.data)) fail('ERR_CHANNEL_CANNOT')
  const files = input.files.map((file) => asVoice(file, input.durationMs))
  for (const file of files) requireCarried(capabilities, kindOf(file), file)
  if (input.isOnce) for (const file of files) requireOnce(capabilities, file)
  const caption = files[0] && capabilities.files[kindOf(files[0])]?.caption
  if (caption === false && input.body.trim() !== '') fail('ERR_CAPTION_NOT_CARRIED')
  if (caption && input.body.length > caption) fail('ERR_MESSAGE_TOO_LONG', { maxLength: caption })
}

/** Kinds of files in albums. */
const ALBUMS: ReadonlySet<FileKind> = new Set(['image', 'video'])

/** Returns the album of pictures and films that were sent together, in one or several requests. */
function albumOf(
  { isNote, isOnce, albumId, albumImages = 0, albumVideos = 0 }: SendInput,
  files: readonly (OutgoingFile | null)[],
  id: string,
): Album | null {
  if (isNote || isOnce) return null
  if (albumId) return albumImages + albumVideos > 1 ? { id: albumId, images: albumImages, videos: albumVideos } : null
  const count = (kind: FileKind) => files.filter((file) => file && kindOf(file) === kind).length
  const [images, videos] = [count('image'), count('video')]
  return images + videos > 1 ? { id, images, videos } : null
}

const kindOf = ({ kind, mime }: OutgoingFile): FileKind => kind ?? typeOfMime(mime)

/** Throws if the channel does not support a file; `details.reason` gives the reason and the remedy. */
export function requireCarried(
  { files }: ChannelCapabilities,
  kind: FileKind,
  file: Pick<StoredFile, 'mime' | 'size'>,
): void {
  const reason = whyNotFile(files, file, kind)
  if (reason) fail('ERR_FILE_NOT_CARRIED', { reason })
}

// View once is allowed for the kinds that the channel names; of audio only for voice notes.
function requireOnce({ viewOnce }: ChannelCapabilities, file: OutgoingFile): void {
  const reason = whyNotOnce(viewOnce, kindOf(file), file.voice !== undefined)
  if (reason) fail('ERR_FILE_NOT_CARRIED', { reason })
}

/** Message kinds other than text and file. */
type SpecialType = 'contact' | 'location' | 'poll' | InteractiveType

/**
 * Checks that a channel carries a contact card, a location, a poll with these options, or an interactive message of this
 * kind.
 */
export function carries(capabilities: ChannelCapabilities, type: SpecialType, data: unknown): boolean {
  if (isInteractive(type)) return hasInteractive(capabilities, type)
  const { contact, location, poll } = capabilities
  if (type !== 'poll') return type === 'contact' ? contact : location
  const options = pollOf(data)?.options ?? []
  return poll !== null && options.length <= poll.max && options.every((one) => one.length <= poll.chars)
}

// Counts the whole text as it is sent.
function checkInteractive(
  ctx: Ctx,
  user: Actor,
  { channel }: LedgerTicket,
  { mediaType: type, body, data }: SendInput,
) {
  if (!isInteractive(type)) return
  const message = { type, body: withSignature(ctx, user, body), data }
  const problems = interactiveProblems(capabilitiesOf(channel), message)
  if (Object.keys(problems).length > 0) fail('ERR_INTERACTIVE_REFUSED', problems)
}

// Channels with byte limits have text only: header and footer count too.
function textOf({ channel }: Pick<LedgerTicket, 'channel'>, { body, data }: Pick<SendInput, 'body' | 'data'>): string {
  const { header, footer } = frameOf(data)
  return capabilitiesOf(channel).maxTextBytes === null ? body : [header, body, footer].filter(Boolean).join('\n\n')
}

/** Throws if a text exceeds the limit of the ticket's channel. */
export function checkBody(ticket: Pick<LedgerTicket, 'channel'>, body: string): void {
  const { maxTextLength: maxLength } = capabilitiesOf(ticket.channel)
  if (isTooLong(ticket, body)) fail('ERR_MESSAGE_TOO_LONG', { maxLength })
}

/** Checks whether a text exceeds the limit of a ticket's channel. */
export function isTooLong({ channel }: Pick<LedgerTicket, 'channel'>, body: string): boolean {
  const { maxTextLength, maxTextBytes } = capabilitiesOf(channel)
  return body.length > maxTextLength || (maxTextBytes !== null && Buffer.byteLength(body) > maxTextBytes)
}

// A quote repeats its message: only messages of this conversation may be quoted.
async function requireQuotable(ctx: Ctx, ticketId: number, messageId: string): Promise<MessageRecord> {
  const [quoted] = await findMessages(ctx.db, [messageId])
  return quoted?.ticket_id === ticketId ? quoted : fail('ERR_FETCH_WAPP_MSG')
}

/**
 * Returns the send type of a private reply to a comment (once, text only, not scheduled), or of a message marked as from a
 * human agent.
 */
async function wayOf(
  ctx: Ctx,
  { channel }: LedgerTicket,
  input: SendInput,
  quoted: MessageRecord | null,
): Promise<Pick<SendInput, 'sendType'>> {
  const { humanAgentDays, commentDays } = capabilitiesOf(channel)
  const isScheduled = input.scheduleDate !== undefined
  if (quoted && !quoted.from_me && commentDays !== null && isComment(quoted.data)) {
    if (input.files.length > 0 || input.data) fail('ERR_COMMENT_WORDS')
    if (isScheduled) fail('ERR_VALIDATION', { scheduleDate: 'A resposta a um comentário vai na hora.' })
    if (await isAnswered(ctx.db, quoted.id)) fail('ERR_COMMENT_ANSWERED')
    return { sendType: PRIVATE_ANSWER }
  }
  if (!input.isHumanAgent) return {}
  if (humanAgentDays === null) fail('ERR_CHANNEL_CANNOT')
  if (isScheduled) fail('ERR_VALIDATION', { scheduleDate: 'O que vai como Agente Humano vai na hora.' })
  return { sendType: HUMAN_AGENT }
}

/** Prepends the signature for users who must sign, whatever the browser sends. */
export function withSignature({ settings }: Pick<Ctx, 'settings'>, user: Actor, body: string): string {
  const mustSign = isOn(settings, 'signed') && user.profile === 'user'
  return mustSign && !isSigned(body) ? signed(body, user.name) : body
}

async function toDrafts(
  ctx: Ctx,
  user: Actor,
  ticket: LedgerTicket,
  input: SendInput,
  idFronts: readonly string[],
): Promise<MessageDraft[]> {
  const isText = !input.template && (input.mediaType === undefined || isInteractive(input.mediaType))
  const body = input.isNote || !isText ? input.body : withSignature(ctx, user, input.body)
  const mentions = input.isNote ? null : (input.mentions ?? (await mentionedIn(ctx.db, ticket, body)))
  const parts = input.files.length > 0 ? input.files.map((file) => asVoice(file, input.durationMs)) : [null]
  const album = albumOf(input, parts, firstOf(idFronts))
  const drafts: MessageDraft[] = []
  for (const [index, file] of parts.entries()) {
    drafts.push({
      ticket,
      source: 'staff',
      by: user,
      isNote: input.isNote,
      mediaType: input.template
        ? 'template'
        : file
          ? kindOf(file)
          : input.isNote
            ? 'note'
            : (input.mediaType ?? 'text'),
      body: index === 0 ? body : '',
      ...(input.sendType ? { sendType: input.sendType } : {}),
      data: input.mail
        ? { mail: input.mail }
        : file && input.isOnce
          ? { viewOnce: true }
          : (index === 0 && input.data) || null,
      mentions: index === 0 ? mentions : null,
      album: file && ALBUMS.has(kindOf(file)) ? album : null,
      idFront: itemAt(idFronts, index),
      fileId: file ? await storeUpload(ctx, file, file.voice ?? { durationMs: input.durationMs }) : null,
      quotedId: index === 0 ? (input.quotedMsgId ?? null) : null,
      timestamp: Math.max(ctx.now.getTime(), ticket.last_message_at.getTime()) + index,
    })
  }
  return drafts
}

// Browsers record audio into video containers; a file with a recorded length is a voice note.
const asVoice = (file: OutgoingFile, durationMs: number | undefined): OutgoingFile =>
  durationMs === undefined ? file : { ...file, mime: file.mime.replace(/^video\//, 'audio/') }
