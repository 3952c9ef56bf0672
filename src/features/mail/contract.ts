import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { email } from '#kit/fields.ts'
import * as at from './addresses.ts'
import { mailFields, mailForm } from './forms.ts'

const shown = z.object({
  ...mailFields,
  /** Whether a password is kept; the password itself is never shown. */
  hasPassword: z.boolean(),
  /** Whether mails leave without these settings, through the installation's. */
  hasFallback: z.boolean(),
  /** Base URL of links in mails. */
  address: z.string(),
})

/** Mail settings, as API responses return them. */
export type MailSettings = z.output<typeof shown>

const schemas = (whose: string) =>
  ({
    read: { summary: `E-mail ${whose}: configuração, sem a senha`, returns: shown },
    save: {
      summary: `E-mail ${whose}: salvar`,
      mode: 'slow',
      body: mailForm,
      returns: shown,
      audit: true,
    },
    test: {
      summary: `E-mail ${whose}: enviar um teste com o que está salvo`,
      mode: 'slow',
      body: z.strictObject({ to: email }),
      returns: z.object({ success: z.literal(true) }),
      errors: ['ERR_MAIL_TEST', 'ERR_MAIL_NOT_CONFIGURED', 'ERR_RATE_LIMIT'],
    },
  }) as const

/** API contract of the company's own mail server (product facts 5.6). */
export const companyMail = contract(at.companyMail, schemas('da empresa'))

/** API contract of the installation's mail server, for companies without one and for passwords (product facts 2.9). */
export const installationMail = contract(at.installationMail, schemas('da instalação'))

declare module '#kit/contract.ts' {
  interface Contracts {
    companyMail: typeof companyMail
    installationMail: typeof installationMail
  }
}
