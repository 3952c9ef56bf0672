import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { email, id, text } from '#kit/fields.ts'

/** Role of a user. */
export const profile = z.enum(PROFILES)

/** Route names, true = hidden. */
export const hiddenRoutes = z.record(z.string().max(60), z.boolean())

const ids = z.array(id).max(200, 'Escolha no máximo 200.')

const username = text(40)
  .toLowerCase()
  .refine((value) => value === '' || /^[a-z0-9._-]{3,40}$/.test(value), 'Use de 3 a 40 letras, números, ponto, _ ou -.')

/** Fields of a user's form for administrators. */
export const userFields = {
  name: text(50, 3),
  email,
  /** Alternative login name; empty for none. */
  username,
  /** Encrypted as in the login (decision A12), or plain over a secure connection. */
  password: z.string().min(1, 'Preencha este campo.').max(2000),
  /** Digits, with a plus sign if the country code is included; empty for none. */
  phone: text(30)
    .transform((value) => value.replace(/[\s().-]/g, ''))
    .refine((value) => /^(\+?\d{2,17})?$/.test(value), 'Informe um número com DDD, como (19) 99812-4407.'),
  profile,
  queueIds: ids,
  /** Connections on which the user may start conversations; empty: all. */
  whatsappIds: ids,
  businessHours: businessWeek.nullable(),
  /** Maximum number of open tickets assigned by distribution; null: the role's default. */
  capacity: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(0, 'Informe de 0 a 99.')
    .max(99, 'Informe de 0 a 99.')
    .nullable(),
  restrictedUser: z.boolean(),
  blockWavoip: z.boolean(),
  /** Route names hidden for this user (true = hidden). */
  menuPermissions: hiddenRoutes,
  isActive: z.boolean(),
  /** May be set by the superadmin only (decision A13). */
  isSupport: z.boolean(),
}

/** Schema of changes to a user; omitted fields remain unchanged. */
export const userChanges = z.strictObject(userFields).partial()

/** Schema of a new user; without a password the user is invited. */
export const newUser = userChanges.required({ name: true, email: true, profile: true })

/** Schema of the user's own name and phone. */
export const ownData = z.strictObject({ name: userFields.name, phone: userFields.phone })

/** Schema of a new login e-mail, with the present password. */
export const emailChange = z.strictObject({ email: userFields.email, current: userFields.password })
