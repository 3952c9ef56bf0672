import type { Profile } from '#domain/access/profiles.ts'
import { type BusinessDay, weekProblems } from '#domain/calendar/business-hours.ts'
import { assignableRoutes } from '#kit/permissions.ts'
import '#web/registries.ts'
import type { CallInput } from '#kit/contract.ts'
import { t } from '#web/t.ts'
import type { users } from '../contract.ts'
import { newUser } from '../forms.ts'

/** Form values of a user; an empty password invites a new user and keeps an existing user's password. */
export type FormValues = {
  name: string
  email: string
  username: string
  phone: string
  password: string
  profile: Profile
  queueIds: number[]
  whatsappIds: number[]
  businessHours: readonly BusinessDay[] | null
  menuPermissions: Record<string, boolean>
  capacity: number | null
  restrictedUser: boolean
  blockWavoip: boolean
  isActive: boolean
  isSupport: boolean
}

/** Initial form values of a new user. */
export const emptyValues: FormValues = {
  name: '',
  email: '',
  username: '',
  phone: '',
  password: '',
  profile: 'user',
  queueIds: [],
  whatsappIds: [],
  businessHours: null,
  menuPermissions: {},
  capacity: null,
  restrictedUser: false,
  blockWavoip: false,
  isActive: true,
  isSupport: false,
}

type Known = Partial<Omit<FormValues, 'username' | 'queueIds' | 'whatsappIds'>> & {
  username?: string | null
  queues?: readonly { id: number }[]
  whatsappAllowed?: readonly { id: number }[]
}

/** Returns the form values of a stored user. */
export const valuesOf = ({ username, queues = [], whatsappAllowed = [], ...known }: Known): FormValues => ({
  ...(Object.fromEntries(
    Object.keys(emptyValues).map((key) => [key, emptyValues[key as keyof FormValues]]),
  ) as FormValues),
  ...Object.fromEntries(Object.entries(known).filter(([key, value]) => key in emptyValues && value !== undefined)),
  username: username ?? '',
  queueIds: queues.map((one) => one.id),
  whatsappIds: whatsappAllowed.map((one) => one.id),
})

type Body = CallInput<typeof users.update>['body']

/** Returns the request body: all fields of a new user, the changed ones of an existing user; a password only if typed. */
export function bodyOf({ password, ...values }: FormValues, changed?: readonly string[]): Body {
  const hidden = Object.fromEntries(
    assignableRoutes(values.profile)
      .filter((name) => values.menuPermissions[name])
      .map((name) => [name, true]),
  )
  const all = { ...values, menuPermissions: hidden, ...(password ? { password } : {}) }
  const entries = Object.entries(all).filter(([key]) => !changed || changed.includes(key))
  return Object.fromEntries(entries)
}

/** Sections of the form in order, with their fields. */
export const sections = [
  { key: 'dados', name: t('Dados'), fields: ['name', 'email', 'username', 'phone', 'password', 'profile'] },
  { key: 'filas', name: t('Filas e canais'), fields: ['queueIds', 'whatsappIds', 'capacity'] },
  {
    key: 'acesso',
    name: t('Acesso'),
    fields: ['isActive', 'restrictedUser', 'blockWavoip', 'isSupport', 'menuPermissions'],
  },
  { key: 'horario', name: t('Horário'), fields: ['businessHours'] },
] as const satisfies readonly { key: string; name: string; fields: readonly (keyof FormValues)[] }[]

/** Key of a form section. */
export type Section = (typeof sections)[number]['key']

/** Validator of the form, from the API contract. */
export const checker = { safeParse: (values: FormValues) => newUser.safeParse(bodyOf(values)) }

/** Returns the problems of a week by day, for its editor. */
export const hoursErrors = (week: FormValues['businessHours']): Record<string, string> =>
  Object.fromEntries(weekProblems(week ?? []).map(({ day, problem }) => [day, problem]))
