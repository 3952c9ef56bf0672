import type { Manager } from '#domain/people/manage.ts'
import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { keepInDirectory } from '#server/db/directory.ts'
import { newToken } from '#server/secrets.ts'
import type { UserChange } from '../contract.ts'
import { holdManaged } from './save.ts'

const HOURS = 72

/** Whether somebody new is invited: who is to work now, and was given no password. */
export const isInvited = ({ password, isActive = true }: UserChange): boolean => password === undefined && isActive

/**
 * Gives a user a one-time code to set a password (decision A15), in place of any code before, and mails the link. Where
 * no mail can leave, the link (a path of ours) is answered instead, once.
 */
export async function invitePerson(
  ctx: Ctx,
  by: Manager,
  id: number,
): Promise<{ isMailed: boolean; link: string | null }> {
  const row = await holdManaged(ctx, by, id)
  if (!row.is_active) fail('ERR_NO_USER_FOUND')
  // A password of one's own is changed with the one of now.
  if (by.id === id) fail('ERR_OWN_ACCESS')
  const code = newToken()
  await keepInDirectory(ctx.db, 'invite', id, [code], new Date(ctx.now.getTime() + HOURS * 3_600_000))
  const link = `/login?tokenSetup=${code}`
  const isNew = row.password_hash === null
  const isMailed = await mailed(ctx, {
    to: row.email,
    subject: isNew ? `Seu acesso à ${ctx.settings.tenantName}` : 'Defina uma nova senha',
    template: {
      title: isNew ? `Olá, ${row.name}` : 'Defina uma nova senha',
      lines: isNew
        ? [
            `${by.name} convidou você a trabalhar com a equipe da ${ctx.settings.tenantName}. Falta só definir a sua senha.`,
          ]
        : [`Olá, ${row.name}. ${by.name} pediu que você defina uma nova senha.`],
      action: { label: 'Definir a senha', url: publicLink(ctx.platform, link) },
      note: `O link vale por ${HOURS} horas e para uma só vez.`,
    },
  })
  return { isMailed, link: isMailed ? null : link }
}

async function mailed(ctx: Ctx, mail: Parameters<typeof sendMail>[1]): Promise<boolean> {
  try {
    await sendMail(ctx, mail)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED') return false
    throw error
  }
}
