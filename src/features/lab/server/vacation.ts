import { required } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { labEvents } from '../contract.ts'
import { bringJob } from './from-phone.ts'
import { mailFrom } from './mail.ts'
import { labAudience, shownMessage } from './phones.ts'
import { findMessage, insertMessage } from './queries.ts'
import type { PhoneRow } from './rows.ts'

const BODY = 'Estou fora do escritório e volto na segunda-feira. Esta é uma resposta automática.'

/** Writes the out-of-office reply of a mailbox to a mail, whatever its author. */
export async function answerByItself(ctx: Ctx, mailbox: PhoneRow, answers: string): Promise<void> {
  const [id, phoneId] = [ctx.newId(), mailbox.id]
  const { mail, thread } = await mailFrom(ctx, mailbox, { id, body: BODY, answers })
  await insertMessage(ctx.db, {
    ...{ id, phoneId, fromPhone: true, mediaType: 'text', body: BODY, fileId: null, quotedId: null },
    ...{ data: { mail: { ...mail, isAutomatic: true }, thread }, isForwarded: false, status: 'pending' },
    timestamp: ctx.now,
  })
  const row = required(await findMessage(ctx.db, phoneId, id), 'ERR_NOT_FOUND')
  ctx.emit(labEvents.message, shownMessage(ctx.platform, ctx.tenantId, row), labAudience)
  ctx.enqueue(bringJob, { phoneId, messageId: id }, { key: `lab:bring:${id}` })
}
