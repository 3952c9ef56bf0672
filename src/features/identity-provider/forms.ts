import { z } from 'zod'
import { text } from '#kit/fields.ts'

// Plain http would carry the secret in the open; a provider on the same machine is what tests and developers have.
const isSafe = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, search, hash, username } = new URL(address)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && !search && !hash && !username
}

/** The address of a provider of logins. */
export const issuer = text(300, 1).refine(isSafe, 'Informe um endereço https, como https://accounts.google.com.')

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
  issuer,
  clientId: text(300),
  domains: z.array(domain).max(50, 'Use no máximo 50 domínios.'),
}

/** What the superadmin sets; a secret that is left out stays as it is. */
export const providerForm = z.strictObject({ ...providerFields, clientSecret: text(500, 1).optional() })
