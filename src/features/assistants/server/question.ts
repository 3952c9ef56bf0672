import { buffer } from 'node:stream/consumers'
import { LISTENING_MS } from '#domain/assistants/time.ts'
import { isOneOf } from '#domain/keys.ts'
import { FILE_KINDS } from '#domain/messages/file-limits.ts'
import { present } from '#domain/present.ts'
import { findSession } from '#features/ledger/server/commands/index.ts'
import { filledIn } from '#features/ledger/server/writing/index.ts'
import { assistantConfigs } from '#providers/assistants/configs.ts'
import type { Attachment, Question } from '#providers/assistants/port.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredAccount } from '#server/providers/queries.ts'
import { callbackFor } from './deferred.ts'
import { readFiles } from './files.ts'
import { findAbout, findTalk, lastRead, type SituationRow, type TurnRow, type WrittenRow } from './queries-turns.ts'
import { transcribeAll } from './transcribe.ts'

/** Maximum number of customer messages read in one turn. */
const MOST_AT_ONCE = 30
/** Maximum time that a turn waits for the files of its messages to be downloaded, in ms. */
const COMING_MS = 30_000

const KINDS: Readonly<Record<string, string>> = {
  image: '[imagem]',
  video: '[vídeo]',
  audio: '[áudio]',
  voice: '[áudio]',
  document: '[documento]',
  sticker: '[figurinha]',
  location: '[localização]',
  contact: '[contato]',
}

/** Question of a turn as the database has it; files and transcripts are added by `complete`. */
export type Asking = {
  readonly question: Omit<Question, 'signal'>
  /** Customer's messages of the turn, with their files. */
  readonly written: readonly WrittenRow[]
  /** Number of the last message it reads, and of the message after which its history begins. */
  readonly lastSeq: number
  readonly since: number
}

/** Builds the question of a turn: what the customer wrote since the last answer, and the conversation before it. */
export async function questionOf(ctx: Ctx, turn: TurnRow, account: StoredAccount): Promise<Asking> {
  const { ticket_id: ticketId, provider, flow } = turn
  const { prompt = '', historySize } = account.config
  const session = flow?.isFirst ? null : ((await findSession(ctx.db, ticketId, provider)) ?? null)
  const remembered = session?.memory as { since?: number; adapter?: unknown } | null | undefined
  const read = await lastRead(ctx.db, ticketId)
  // A cleared memory begins after the last message that was read.
  const since = remembered?.since ?? read
  const most = Number(historySize ?? 20)
  const talk = await findTalk(ctx.db, ticketId, since, most + MOST_AT_ONCE)
  const lastOf = (which: (row: WrittenRow) => boolean) => talk.findLast(which)?.seq ?? 0
  const answeredUpTo =
    read > 0 && !flow?.isFirst
      ? Math.max(
          read,
          lastOf((row) => row.isPersons),
        )
      : lastOf(({ fromMe }) => fromMe)
  const unread = talk.filter(({ fromMe, seq }) => !fromMe && seq > answeredUpTo)
  const written = unread.length > 0 ? unread : talk.filter(({ fromMe }) => !fromMe).slice(-1)
  const before = talk.filter((row) => !written.includes(row)).slice(-most)
  const about = present(await findAbout(ctx.db, ticketId))
  const question: Omit<Question, 'signal'> = {
    system: flow?.prompt || (prompt ? await filledIn(ctx, ticketId, String(prompt)) : ''),
    history: most === 0 ? [] : before.map((row) => ({ by: row.fromMe ? 'company' : 'customer', text: textOf(row) })),
    text: written.map(textOf).join('\n'),
    files: [],
    sessionId: `guiche-${ctx.tenantId}-${ticketId}`,
    customerId: `guiche-${ctx.tenantId}-${about.contactId}`,
    handle: session?.handle ?? null,
    memory: remembered?.adapter ?? null,
    about: {
      contact: { id: about.contactId, name: about.name, number: about.number ?? '', email: about.email ?? '' },
      ticket: { id: ticketId, status: about.status, queueId: about.queueId },
      connection: { id: about.connectionId, name: about.connectionName, type: about.connectionType },
    },
    callbackUrl: callbackFor(ctx, turn.id),
  }
  return { question, written, since, lastSeq: Math.max(read, ...talk.map(({ seq }) => seq)) }
}

const plainTextOf = ({ body, transcript }: WrittenRow): string => body || transcript || ''

const textOf = (row: WrittenRow): string => [KINDS[row.mediaType], plainTextOf(row)].filter(Boolean).join(' ')

/** Whether files of a turn's messages are still being downloaded that its assistant could read; not for longer than a while. */
export function areFilesComing(
  ctx: Ctx,
  { written }: Asking,
  { provider }: StoredAccount,
  { transcribes }: Pick<SituationRow, 'transcribes'>,
): boolean {
  const config = assistantConfigs.find(({ id }) => id === provider)
  if (!transcribes && config?.kind !== 'model' && !config?.takesAttachments) return false
  const since = new Date(ctx.now.getTime() - COMING_MS)
  return written.some(({ isComing, createdAt }) => isComing && createdAt > since)
}

/** Adds files and transcripts to a question, as far as they are available now. */
export async function complete(
  of: { readonly platform: Platform; readonly tenantId: number },
  { question, written }: Asking,
  { transcribes }: { readonly transcribes: boolean },
): Promise<Omit<Question, 'signal'>> {
  const transcribed = transcribes ? await listened(of, written) : written
  return {
    ...question,
    text: transcribed.map(textOf).join('\n'),
    plainText: transcribed.map(plainTextOf).filter(Boolean).join('\n'),
    files: await readFiles(of.platform, transcribed),
    attachments: transcribed
      .filter(({ mediaType }) => isOneOf(FILE_KINDS, mediaType))
      .map((row) => attachmentOf(of.platform, row)),
  }
}

/** Returns the customer's messages with the transcripts of their recordings that are made in time. */
async function listened(
  of: { readonly platform: Platform; readonly tenantId: number },
  written: readonly WrittenRow[],
): Promise<readonly WrittenRow[]> {
  const unheard = written.filter(({ mediaType, transcript }) => KINDS[mediaType] === '[áudio]' && transcript === null)
  if (unheard.length === 0) return written
  const spoken = await transcribeAll(
    of,
    unheard.map(({ id }) => id),
    LISTENING_MS,
  )
  return written.map((row) => ({ ...row, transcript: row.transcript ?? spoken.get(row.id) ?? null }))
}

const attachmentOf = ({ storage }: Platform, { file }: WrittenRow): Attachment => ({
  name: file?.name ?? '',
  mime: file?.mime ?? '',
  size: file?.size ?? 0,
  read: async () => (file ? await buffer(storage.read(file.path)).catch(() => null) : null),
})
