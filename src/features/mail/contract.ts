import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import type { ErrorCode } from '#kit/errors.ts'
import { email, onOff, text } from '#kit/fields.ts'
import type { Permission } from '#kit/permissions.ts'

const host = text(253).regex(
  /^$|^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$|^[0-9a-f:]+$/i,
  'Informe o nome ou endereço do servidor.',
)
const fromAddress = z.union([email, z.literal('')], { error: 'Informe um e-mail válido.' })

/** How mails leave, named as the product's family names it; `emailSecure` is how the connection is protected. */
const shape = {
  smtp: onOff,
  emailHost: host,
  emailPort: z.number({ error: 'Informe a porta.' }).int('Informe a porta.').min(1).max(65_535),
  emailSecure: z.enum(['starttls', 'tls', 'none'], { error: 'Escolha a segurança.' }),
  emailUser: text(254),
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

/** What a form sends; a password that is left out stays as it is, an empty one is removed. */
export const mailForm = z
  .strictObject({ ...shape, emailPass: z.string().max(500, 'Use no máximo 500 caracteres.').optional() })
  .superRefine((form, refuse) => {
    if (form.smtp !== 'enabled') return
    if (!form.emailHost) refuse.addIssue({ code: 'custom', path: ['emailHost'], message: 'Informe o servidor.' })
    if (!form.emailFrom)
      refuse.addIssue({ code: 'custom', path: ['emailFrom'], message: 'Informe o e-mail do remetente.' })
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
