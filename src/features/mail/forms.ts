import { z } from 'zod'
import { email, onOff, text } from '#kit/fields.ts'

const host = text(253).regex(
  /^$|^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$|^[0-9a-f:]+$/i,
  'Informe o nome ou endereço do servidor.',
)

const fromAddress = z.union([email, z.literal('')], { error: 'Informe um e-mail válido.' })

/** How mails leave, named as the product's family names it; `emailSecure` is how the connection is protected. */
export const mailFields = {
  smtp: onOff,
  emailHost: host,
  emailPort: z.number({ error: 'Informe a porta.' }).int('Informe a porta.').min(1).max(65_535),
  emailSecure: z.enum(['starttls', 'tls', 'none'], { error: 'Escolha a segurança.' }),
  emailUser: text(254),
  emailName: text(80),
  emailFrom: fromAddress,
}

/** What a form sends; a password that is left out stays as it is, an empty one is removed. */
export const mailForm = z
  .strictObject({ ...mailFields, emailPass: z.string().max(500, 'Use no máximo 500 caracteres.').optional() })
  .superRefine((form, refuse) => {
    if (form.smtp !== 'enabled') return
    if (!form.emailHost) refuse.addIssue({ code: 'custom', path: ['emailHost'], message: 'Informe o servidor.' })
    if (!form.emailFrom)
      refuse.addIssue({ code: 'custom', path: ['emailFrom'], message: 'Informe o e-mail do remetente.' })
  })
