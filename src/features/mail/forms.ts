import { z } from 'zod'
import { email, onOff, text } from '#kit/fields.ts'
import { missingOf, shapeOf } from '#kit/provider.ts'
import { mailConfigs } from '#providers/mail/configs.ts'

/** Mail provider, whose configuration fields are part of the settings. */
export const mailConfig = mailConfigs[0]
const { emailPass, ...server } = shapeOf(mailConfig.fields, { isDraft: true })
const fromAddress = z.union([email, z.literal('')], { error: 'Informe um e-mail válido.' })

/** Settings of outgoing mail, with the wire's names. */
export const mailFields = { smtp: onOff, ...server, emailName: text(80), emailFrom: fromAddress }

/** Schema of the mail settings form; a password that is omitted or masked remains unchanged, an empty one is removed. */
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
