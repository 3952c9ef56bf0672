import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { email, onOff, text } from '#kit/fields.ts'
import type { Permission } from '#kit/permissions.ts'
import { missingOf, shapeOf } from '#kit/provider.ts'
import { mailConfigs } from '#providers/mail/configs.ts'

/** The provider of mails, whose fields are part of the settings. */
export const mailConfig = mailConfigs[0]
const { emailPass, ...server } = shapeOf(mailConfig.fields, { isDraft: true })
const fromAddress = z.union([email, z.literal('')], { error: 'Informe um e-mail válido.' })

/** How mails leave, named as the product's family names it. */
const shape = {
  smtp: onOff,
  ...server,
  emailName: text(80),
  emailFrom: fromAddress,
}

const shown = z.object({
  ...shape,
  /** Whether a password is kept; the password itself is never shown. */
  hasPassword: z.boolean(),
  /** Whether mails leave without these settings, through the installation's. */
  hasFallback: z.boolean(),
  /** Where the links in mails lead. */
  address: z.string(),
})

/** What a form sends; a password that is left out or masked stays as it is, an empty one is removed. */
export const mailForm = z.strictObject({ ...shape, emailPass: emailPass.optional() }).superRefine((form, refuse) => {
  if (form.smtp !== 'enabled') return
  const missing = {
    ...missingOf(mailConfig.fields, form),
    ...(form.emailFrom ? {} : { emailFrom: 'Informe o e-mail do remetente.' }),
  }
  for (const [field, message] of Object.entries(missing)) refuse.addIssue({ code: 'custom', path: [field], message })
})

/** Settings as a screen reads them. */
export type MailSettings = z.output<typeof shown>

const operations = <F extends string, P extends string, C extends Permission>(
  family: F,
  path: P,
  whose: string,
  can: C,
) =>
  contract(family, {
    read: { method: 'GET', path, summary: `E-mail ${whose}: configuração, sem a senha`, can, returns: shown },
    save: {
      method: 'PUT',
      path,
      summary: `E-mail ${whose}: salvar`,
      can,
      mode: 'slow',
      body: mailForm,
      returns: shown,
      touches: [family],
      audit: true,
    },
    test: {
      method: 'POST',
      path,
      summary: `E-mail ${whose}: enviar um teste com o que está salvo`,
      can,
      mode: 'slow',
      body: z.strictObject({ to: email }),
      returns: z.object({ success: z.literal(true) }),
      errors: ['ERR_MAIL_TEST', 'ERR_MAIL_NOT_CONFIGURED', 'ERR_RATE_LIMIT'] satisfies ErrorCode[],
    },
  })

/** The company's own mail server (product facts 5.6). */
export const companyMail = operations('companyMail', '/email', 'da empresa', 'settings:write')

/** The installation's mail server, for companies without one and for passwords (product facts 2.9). */
export const installationMail = operations('installationMail', '/emailTenant', 'da instalação', 'platform:write')
