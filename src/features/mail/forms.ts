import { z } from 'zod'
import { email, onOff, text } from '#kit/fields.ts'
import { missingOf, shapeOf } from '#kit/provider.ts'
import { mailConfigs } from '#providers/mail/configs.ts'

/** The provider of mails, whose fields are part of the settings. */
export const mailConfig = mailConfigs[0]
const { emailPass, ...server } = shapeOf(mailConfig.fields, { isDraft: true })
const fromAddress = z.union([email, z.literal('')], { error: 'Informe um e-mail válido.' })

/** How mails leave, named as the product's family names it. */
export const mailFields = { smtp: onOff, ...server, emailName: text(80), emailFrom: fromAddress }

/** What a form sends; a password that is left out or masked stays as it is, an empty one is removed. */
export const mailForm = z
  .strictObject({ ...mailFields, emailPass: emailPass.optional() })
  .superRefine((form, refuse) => {
    if (form.smtp !== 'enabled') return
    const missing = {
      ...missingOf(mailConfig.fields, form),
      ...(form.emailFrom ? {} : { emailFrom: 'Informe o e-mail do remetente.' }),
    }
    for (const [field, message] of Object.entries(missing)) refuse.addIssue({ code: 'custom', path: [field], message })
  })
