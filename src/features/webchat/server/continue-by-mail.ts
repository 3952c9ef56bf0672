import { z } from 'zod'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { firstOf } from '#domain/present.ts'
import {
  beginContinuation,
  type Continuation,
  noteContinuation,
  withdrawContinuation,
} from '#features/ledger/server/continuation/index.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { type ContinuationMail, isSendFailure, sendFailure } from '#providers/channels/port.ts'
import { type Ctx, unit } from '#server/context.ts'
import { insist } from '#server/db/insist.ts'
import { job } from '#server/job.ts'
import { lookOf } from './channels.ts'
import { asVisitorSees } from './conversation.ts'
import { mailTextOf } from './mail-text.ts'
import { handOver, type Mailer, mailerOf } from './mailer.ts'
import { messagesById, pageOf } from './queries.ts'
import { findMailed } from './queries-mail.ts'
import { sentence } from './sentences.ts'

/** Time after the team's last message from which a visitor without delivery counts as gone. */
const AWAY_MS = 5 * 60_000
/** Maximum time for retries while the mail server does not answer. */
const MOST_WAIT_MS = 24 * 3_600_000
/** Maximum time for storing a mail's result while the database fails. */
const INSIST_MS = 600_000
/** Maximum number of messages quoted before the unread ones, and maximum size of attached files in bytes. */
const MOST_QUOTED = 5
const MOST_BYTES = 20_000_000

const enqueue = (ctx: Pick<Ctx, 'enqueue' | 'tenantId' | 'now'>, ticketId: number): void => {
  const key = `webchat:mail:${ctx.tenantId}:${ticketId}`
  ctx.enqueue(mailJob, { ticketId }, { key, queue: key, runAt: new Date(ctx.now.getTime() + AWAY_MS) })
}

/** Hook that schedules a check of a team message to a visitor, at the time when it should have been delivered. */
export const mailWhenAway: Hook<'onMessageSent'> = {
  name: 'webchat-mail',
  concerns: ({ channel, fromMe, isNote, isAutomatic }) => channel === 'webchat' && fromMe && !isNote && !isAutomatic,
  run: async (ctx, batch) => {
    for (const ticketId of new Set(batch.map((item) => item.ticketId))) enqueue(ctx, ticketId)
    return {}
  },
}

/**
 * Job that mails undelivered messages, once, to a visitor who has left an address, if the company has mail. The messages are
 * claimed before the call: after an uncertain result they are not sent again.
 */
export const mailJob = job({
  name: 'webchat:mail',
  schema: z.object({ ticketId: z.number() }),
  async run(platform, { tenantId, ticketId }, { requireOwnership }) {
    const within = <T>(work: (ctx: Ctx) => Promise<T>) => unit(platform, { tenantId, user: null }, work)
    const mailer = await platform.db.read(tenantId, mailerOf)
    const mail = await within((ctx) => prepare(ctx, ticketId, mailer))
    if (!mailer || !mail) return
    await platform.checkpoint('mail of a conversation claimed')
    requireOwnership()
    const failure = await handOver(platform, tenantId, mailer, mail).then(
      () => null,
      (error: unknown) => (isSendFailure(error) ? error : sendFailure('unknown', 'falha inesperada no e-mail')),
    )
    await platform.checkpoint('mail of a conversation handed over')
    if (failure) platform.log.warn({ err: failure, tenantId, ticketId }, 'a mail of a conversation did not leave')
    await insist(INSIST_MS, () => within((ctx) => conclude(ctx, ticketId, mail, failure)))
  },
})

async function prepare(ctx: Ctx, ticketId: number, mailer: Mailer | null): Promise<ContinuationMail | null> {
  const mailed = await findMailed(ctx.db, ticketId)
  const isWanted = mailer !== null && mailed !== undefined && (mailed.config.mails ?? true)
  if (!isWanted || !MAIL_ADDRESS.test(mailed.email)) return null
  const begun = await beginContinuation(ctx, ticketId)
  if (!begun) return null
  const { platform, tenantId, settings } = ctx
  const seen = (rows: Parameters<typeof asVisitorSees>[2][]) =>
    rows.map((row) => asVisitorSees(platform, tenantId, row))
  const ids = begun.messages.map(({ id }) => id)
  const earlier = await pageOf(ctx.db, mailed, { before: firstOf(ids), limit: MOST_QUOTED })
  const { language } = mailed
  const title = sentence(lookOf(mailed.config.look, mailed.name).title, language)
  const content = mailTextOf({
    ...{ title, language, timeZone: settings.timezone, takesAnswers: mailer.takesAnswers },
    messages: seen((await messagesById(ctx.db, ids)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))),
    earlier: seen(earlier.slice(0, MOST_QUOTED).reverse()),
  })
  return { ...content, id: begun.id, to: mailed.email, references: begun.references, files: filesOf(begun) }
}

function filesOf({ messages }: Continuation): ContinuationMail['files'] {
  let bytes = 0
  return messages.flatMap(({ file }) => {
    bytes += file?.size ?? 0
    return file && bytes <= MOST_BYTES ? [file] : []
  })
}

async function conclude(
  ctx: Ctx,
  ticketId: number,
  { id }: ContinuationMail,
  failure: ReturnType<typeof sendFailure> | null,
): Promise<void> {
  if (!failure) return noteContinuation(ctx, id, 'sent')
  const { kind, message: reason, providerText } = failure
  const detail = { reason, ...(providerText ? { providerText } : {}) }
  if (kind === 'unknown') return noteContinuation(ctx, id, 'uncertain', detail)
  const [last] = await messagesById(ctx.db, [id])
  const isOver = !last || ctx.now.getTime() - last.timestamp.getTime() > MOST_WAIT_MS
  if (kind === 'refused' || isOver) return noteContinuation(ctx, id, 'failed', detail)
  await withdrawContinuation(ctx, id, detail)
  enqueue(ctx, ticketId)
}
