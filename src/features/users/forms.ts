import { z } from 'zod'
import { PROFILES } from '#domain/access/profiles.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { email, id, text } from '#kit/fields.ts'

/** A role. */
export const profile = z.enum(PROFILES)

/** Route names, true = hidden. */
export const hiddenRoutes = z.record(z.string().max(60), z.boolean())

const ids = z.array(id).max(200, 'Escolha no máximo 200.')

const username = text(40)
  .toLowerCase()
  .refine((value) => value === '' || /^[a-z0-9._-]{3,40}$/.test(value), 'Use de 3 a 40 letras, números, ponto, _ ou -.')

/** What an administrator writes about somebody. */
export const userFields = {
  name: text(50, 3),
  email,
  /** Another name to log in with; empty for none. */
  username,
  /** Encrypted as in the login (decision A12); plain over a safe way. */
  password: z.string().min(1, 'Preencha este campo.').max(2000),
  /** Digits, with a plus sign where the country is named; empty for none. */
  phone: text(30)
    .transform((value) => value.replace(/[\s().-]/g, ''))
    .refine((value) => /^(\+?\d{2,17})?$/.test(value), 'Informe um número com DDD, como (19) 99812-4407.'),
  profile,
  queueIds: ids,
  /** Connections that the person may start conversations on; empty: all. */
  whatsappIds: ids,
  businessHours: businessWeek.nullable(),
  /** How many open tickets the person is given by distribution; null: as usual for the role. */
  capacity: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(0, 'Informe de 0 a 99.')
    .max(99, 'Informe de 0 a 99.')
    .nullable(),
  restrictedUser: z.boolean(),
  /** Route names hiddenRoutes for this person (true = hiddenRoutes). */
  menuPermissions: hiddenRoutes,
  isActive: z.boolean(),
  /** Only the superadmin sets it (decision A13). */
  isSupport: z.boolean(),
}

/** What a change of a user may carry; what is left out stays. */
export const userChanges = z.strictObject(userFields).partial()

/** What a new user is made from; without a password the person is invited. */
export const newUser = userChanges.required({ name: true, email: true, profile: true })

/** One's own name and phone. */
export const ownData = z.strictObject({ name: userFields.name, phone: userFields.phone })

/** Another e-mail to log in with, and the password of now. */
export const emailChange = z.strictObject({ email: userFields.email, current: userFields.password })
