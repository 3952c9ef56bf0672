import type { Manager } from '#domain/people/manage.ts'
import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { newToken } from '#server/secrets.ts'
import { lockManaged } from './save.ts'

const HOURS = 72

/**
 * Creates a one-time code to set a password (decision A15), which replaces any earlier code, and mails its link. If no mail
 * can be sent, returns the link (a path) instead, once.
 */
export async function invitePerson(
  ctx: Ctx,
  by: Manager,
  id: number,
): Promise<{ isMailed: boolean; link: string | null }> {
  const row = await lockManaged(ctx, by, id)
  if (!row.is_active) fail('ERR_NO_USER_FOUND')
  // The own password is changed with the present one.
  if (by.id === id) fail('ERR_OWN_ACCESS')
  const code = newToken()
  const link = `/login?tokenSetup=${code}`
  const isNew = row.password_hash === null
  // An address that another account has is proven by this link only where it leaves through the installation's server; a link
  // that is handed over opens the account all the same, which is entered by its username.
  const isWaiting = row.waiting_email === row.email
  const server = await mailed(ctx, isWaiting, {
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
  // Only a mail by the installation's own server was certainly read by the address's owner.
  const [kind, other] =
    server === 'installation' ? (['mailed_invite', 'invite'] as const) : (['invite', 'mailed_invite'] as const)
  await saveInDirectory(ctx.db, kind, id, [code], new Date(ctx.now.getTime() + HOURS * 3_600_000))
  await saveInDirectory(ctx.db, other, id, [])
  return { isMailed: server !== null, link: server ? null : link }
}

async function mailed(ctx: Ctx, isWaiting: boolean, mail: Parameters<typeof sendMail>[1]) {
  try {
    return await sendMail(ctx, mail, isWaiting ? 'installation' : undefined)
  } catch (error) {
    if (error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED') return null
    throw error
  }
}
