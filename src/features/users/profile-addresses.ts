import { addresses } from '#kit/addresses.ts'

/** API routes of `ownProfile`. */
export const ownProfile = addresses('ownProfile', {
  save: { method: 'PUT', path: '/profile', can: 'session', touches: ['users', 'account'] },
  changeEmail: { method: 'PUT', path: '/profile/email', can: 'users:write', touches: ['users', 'account'] },
  changePassword: { method: 'PUT', path: '/profile/password', can: 'session', touches: ['devices'] },
})
