import { publicLink, sendMail } from '#features/mail/server/index.ts'
import { AppError } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import { findAdmins } from './queries-outages.ts'

/** Mail to administrators: sentences, and a button that opens a screen. */
type Notice = {
  readonly title: string
  readonly sentences: readonly string[]
  readonly action: { readonly label: string; readonly path: string }
}

/** Mails the company's administrators; sends nothing without a mail server. */
export async function mailAdmins(ctx: Ctx, { title, sentences, action: { label, path } }: Notice): Promise<void> {
  const template = { title, lines: sentences, action: { label, url: publicLink(ctx.platform, path) } }
  try {
    for (const { email } of await findAdmins(ctx.db)) await sendMail(ctx, { to: email, subject: title, template })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ERR_MAIL_NOT_CONFIGURED')) throw error
  }
}
