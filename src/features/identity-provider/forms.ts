import { z } from 'zod'
import { text } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { identityConfigs } from '#providers/identity/configs.ts'

/** The provider of identities, whose fields are part of the settings. */
export const identityConfig = identityConfigs[0]
const { clientSecret, ...values } = shapeOf(identityConfig.fields, { isDraft: true })

/** The address of a provider, without which it cannot be asked who it is. */
export const { issuer } = shapeOf(identityConfig.fields)

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use no máximo 253 caracteres.')
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'Informe domínios como empresa.com.br.')

/** Where and for whom people are sent to log in. */
export const providerFields = {
  isOn: z.boolean(),
  label: text(40, 3),
  ...values,
  domains: z.array(domain).max(50, 'Use no máximo 50 domínios.'),
}

/** What the superadmin sets; a secret that is left out or masked stays as it is. */
export const providerForm = z.strictObject({ ...providerFields, clientSecret: clientSecret.optional() })
