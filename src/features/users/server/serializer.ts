import type { z } from 'zod'
import type { emailStates, userDetail } from '../contract.ts'
import type { PersonRow } from './queries.ts'

const emailState = (row: PersonRow): z.output<typeof emailStates> => {
  if (row.waiting_email === row.email) return 'waiting'
  return row.proven_email === row.email ? 'proven' : 'unproven'
}

/** Serializes a user for colleagues. */
export const serializeUser = (row: PersonRow) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  profile: row.profile,
  isOnline: row.is_online,
  awayUntil: row.away_until,
  queues: row.queues.map(({ id, name }) => ({ id, queue: name })),
})

/** Serializes a user with the fields for user administrators. */
export const serializeManagedUser = (row: PersonRow) => ({
  ...serializeUser(row),
  username: row.username,
  phone: row.phone,
  whatsappAllowed: row.connections,
  restrictedUser: row.restricted_user,
  blockWavoip: row.block_wavoip,
  capacity: row.capacity,
  isActive: row.is_active,
  isSupport: row.is_support,
  isInvited: row.password_hash === null,
  emailState: emailState(row),
  newEmail: row.waiting_email === row.email ? null : row.waiting_email,
  lastLogin: row.last_login,
  secondFactor: row.second_factor,
})

/** Serializes a user with all fields of the form. */
export const serializeUserDetail = (row: PersonRow): z.input<typeof userDetail> => ({
  ...serializeManagedUser(row),
  businessHours: row.business_hours,
  menuPermissions: row.menu_permissions,
})
