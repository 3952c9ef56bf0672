import { expect, test } from 'vitest'
import { can, PERMISSIONS, type Permission, type Permitted } from './permissions.ts'
import { PROFILES, seesWide } from './profiles.ts'

test.each<[Permitted, Permission, boolean]>([
  [{ profile: 'user' }, 'tickets:read', true],
  [{ profile: 'user' }, 'tickets:all', false],
  [{ profile: 'user' }, 'contacts:write', true],
  [{ profile: 'user' }, 'contacts:delete', false],
  [{ profile: 'user' }, 'queues:read', true],
  [{ profile: 'user' }, 'queues:write', false],
  [{ profile: 'user' }, 'lab:use', false],
  [{ profile: 'user', restrictedUser: true }, 'contacts:read', false],
  [{ profile: 'user', restrictedUser: true }, 'messages:forward', false],
  [{ profile: 'user', restrictedUser: true }, 'tickets:write', true],
  [{ profile: 'super' }, 'tickets:all', true],
  [{ profile: 'super', supervisorsLimited: true }, 'tickets:all', false],
  [{ profile: 'super', supervisorsLimited: true }, 'tags:write', true],
  [{ profile: 'super' }, 'users:write', false],
  [{ profile: 'super' }, 'settings:write', false],
  [{ profile: 'admin', supervisorsLimited: true }, 'tickets:all', true],
  [{ profile: 'admin' }, 'users:write', true],
  [{ profile: 'admin' }, 'contacts:force-delete', true],
  [{ profile: 'admin' }, 'platform:read', false],
  [{ profile: 'superadmin' }, 'platform:write', true],
  [{ profile: 'superadmin', supervisorsLimited: true }, 'tickets:all', true],
])('%o %s: %s', (user, permission, expected) => {
  expect(can(user, permission)).toBe(expected)
})

test('the superadmin has what an admin has, and alone the installation', () => {
  const names = Object.keys(PERMISSIONS) as Permission[]
  expect(names.filter((name) => can({ profile: 'superadmin' }, name))).toEqual(names)
  const others = names.filter((name) => !can({ profile: 'admin' }, name))
  expect(others).toEqual(['platform:read', 'platform:write'])
})

test('an admin has whatever a supervisor has, a supervisor whatever a user has', () => {
  for (const name of Object.keys(PERMISSIONS) as Permission[]) {
    if (can({ profile: 'user' }, name)) expect(can({ profile: 'super' }, name), name).toBe(true)
    if (can({ profile: 'super' }, name)) expect(can({ profile: 'admin' }, name), name).toBe(true)
  }
})

test('seeing wide and the permission for it are the same rule', () => {
  for (const profile of PROFILES) {
    for (const supervisorsLimited of [true, false]) {
      expect(can({ profile, supervisorsLimited }, 'tickets:all')).toBe(seesWide(profile, supervisorsLimited))
    }
  }
})
