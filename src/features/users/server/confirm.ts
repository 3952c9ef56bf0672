import { present } from '#domain/present.ts'
import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import { newToken } from '#server/secrets.ts'
import { findPerson } from './queries.ts'

const HOURS = 72

/** The mail with the link that confirms an address. */
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

/** When a link made now is over. */
export const confirmationEnd = (now: Date): Date => new Date(now.getTime() + HOURS * 3_600_000)

/** A code that only who reads the mails of an address can have; it says which address that is. */
export const newConfirmation = (email: string): string => `${newToken()}${Buffer.from(email).toString('base64url')}`

/** The address that a code was made for. */
export const addressOf = (code: string): string => Buffer.from(code.slice(newToken().length), 'base64url').toString()

/** Where the link with a code leads. */
export const confirmationPath = (code: string): string => `/login?tokenSetup=${code}`

/**
 * Mails a link to the address that waits to be somebody's login name, through the installation's own server: a company's
 * could be read by who runs the company. Where there is none it answers false: the address waits, and its person
 * enters by a username.
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

/** Makes invitations worthless, and where the address is another one, links that confirm it. */
export async function removeLinks(ctx: Pick<Ctx, 'db'>, id: number, withConfirmation: boolean): Promise<void> {
  for (const kind of ['invite', 'mailed_invite', ...(withConfirmation ? (['email'] as const) : [])] as const)
    await saveInDirectory(ctx.db, kind, id, [])
}
