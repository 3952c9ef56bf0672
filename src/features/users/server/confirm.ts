import { present } from '#domain/present.ts'
import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { newToken } from '#server/secrets.ts'
import { findPerson } from './queries.ts'

const HOURS = 72

/** Returns the mail with the link that confirms an e-mail address. */
const confirmation = (name: string, tenantName: string, url: string) => ({
  subject: 'Confirme o seu e-mail',
  template: {
    title: 'Confirme o seu e-mail',
    lines: [
      `Olá, ${name}. Este e-mail foi informado em uma conta da ${tenantName}.`,
      'Confirme que ele é seu para entrar com ele. Se você não conhece essa empresa, ignore esta mensagem.',
    ],
    action: { label: 'Confirmar o e-mail', url },
    note: `O link vale por ${HOURS} horas e para uma só vez.`,
  },
})

/** Returns the expiry of a confirmation link made at `now`. */
export const confirmationEnd = (now: Date): Date => new Date(now.getTime() + HOURS * 3_600_000)

/** Returns a confirmation code that contains its e-mail address; only a reader of the address's mails can know it. */
export const newConfirmation = (email: string): string => `${newToken()}${Buffer.from(email).toString('base64url')}`

/** Returns the e-mail address of a confirmation code. */
export const addressOf = (code: string): string => Buffer.from(code.slice(newToken().length), 'base64url').toString()

/** Returns the path of the confirmation link. */
export const confirmationPath = (code: string): string => `/login?tokenSetup=${code}`

/**
 * Mails a confirmation link to the user's waiting e-mail through the installation's mail server; a company's server could be
 * read by its administrators. Returns false without such a server: the address keeps waiting and the user logs in by
 * username.
 */
export async function confirmByMail(ctx: Ctx, id: number): Promise<boolean> {
  const { name, email, waiting_email: waiting } = present(await findPerson(ctx.db, id))
  const to = waiting ?? email
  const code = newConfirmation(to)
  const mail = confirmation(name, ctx.settings.tenantName, publicLink(ctx.platform, confirmationPath(code)))
  try {
    await sendMail(ctx, { to, ...mail }, 'installation')
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED')) throw error
    return false
  }
  await saveInDirectory(ctx.db, 'email', id, [code], confirmationEnd(ctx.now))
  return true
}

/** Invalidates invitations and, if the e-mail changes, its confirmation links. */
export async function removeLinks(ctx: Pick<Ctx, 'db'>, id: number, withConfirmation: boolean): Promise<void> {
  for (const kind of ['invite', 'mailed_invite', ...(withConfirmation ? (['email'] as const) : [])] as const)
    await saveInDirectory(ctx.db, kind, id, [])
}
