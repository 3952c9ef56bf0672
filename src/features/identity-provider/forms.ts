import { z } from 'zod'
import { text } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { identityConfigs } from '#providers/identity/configs.ts'

/** Identity provider, whose configuration fields are part of the settings. */
export const identityConfig = identityConfigs[0]
const { clientSecret, ...values } = shapeOf(identityConfig.fields, { isDraft: true })

/** Schema of the issuer URL, required to query the provider. */
export const { issuer } = shapeOf(identityConfig.fields)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use no máximo 253 caracteres.')
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'Informe domínios como empresa.com.br.')

/** Settings of the provider: its address and its client. */
export const providerFields = {
  isOn: z.boolean(),
  label: text(40, 3),
  ...values,
  domains: z.array(domain).max(50, 'Use no máximo 50 domínios.'),
}

/** Schema of the superadmin's form; a secret that is omitted or masked remains unchanged. */
export const providerForm = z.strictObject({ ...providerFields, clientSecret: clientSecret.optional() })
