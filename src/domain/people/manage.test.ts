import { expect, test } from 'vitest'
import type { Profile } from '../access/profiles.ts'
import { type AccountChange, type Others, type Person, refuseManaging } from './manage.ts'

const person = (profile: Profile, part: Partial<Person> = {}): Person => ({
  id: 2,
  profile,
  isActive: true,
  isSupport: false,
  ...part,
})
const by = (profile: Profile, id = 1, isAtHome = true) => ({ id, profile, isAtHome })
const many: Others = { admins: 2, superadmins: 2 }

test.each<[Profile, Profile, AccountChange, string | null]>([
  ['user', 'user', {}, 'ERR_NO_PERMISSION'],
  ['super', 'user', {}, 'ERR_NO_PERMISSION'],
  ['admin', 'user', { profile: 'super' }, null],
  ['admin', 'user', { profile: 'admin' }, null],
  ['admin', 'user', { isActive: false }, null],
  ['admin', 'admin', { profile: 'user' }, null],
  ['admin', 'user', { profile: 'superadmin' }, 'ERR_NO_PERMISSION'],
  ['admin', 'superadmin', {}, 'ERR_NO_PERMISSION'],
  ['admin', 'superadmin', { isActive: false }, 'ERR_NO_PERMISSION'],
  ['admin', 'superadmin', { profile: 'user' }, 'ERR_NO_PERMISSION'],
  ['admin', 'user', { isSupport: true }, 'ERR_NO_PERMISSION'],
  ['admin', 'user', { isSupport: false }, null],
  ['superadmin', 'user', { isSupport: true }, null],
  ['superadmin', 'user', { profile: 'superadmin' }, null],
  ['superadmin', 'superadmin', { profile: 'user' }, null],
])('a %s changing a %s to %o: %s', (profile, target, change, expected) => {
  expect(refuseManaging(by(profile), person(target), change, many)).toBe(expected)
})

test('a support user is left what they are by whoever may not make one', () => {
  const support = person('user', { isSupport: true })
  expect(refuseManaging(by('admin'), support, { isActive: false }, many)).toBeNull()
  expect(refuseManaging(by('admin'), support, { isSupport: false }, many)).toBe('ERR_NO_PERMISSION')
})

test('a superadmin is made at home alone', () => {
  const away = by('superadmin', 1, false)
  expect(refuseManaging(away, person('user'), { profile: 'superadmin' }, many)).toBe('ERR_NO_PERMISSION')
  expect(refuseManaging(away, person('user'), { profile: 'admin' }, many)).toBeNull()
})

test.each<[AccountChange, string | null]>([
  [{}, null],
  [{ profile: 'admin', isActive: true }, null],
  [{ profile: 'user' }, 'ERR_OWN_ACCESS'],
  [{ profile: 'superadmin' }, 'ERR_NO_PERMISSION'],
  [{ isActive: false }, 'ERR_OWN_ACCESS'],
])('an admin changing themselves to %o: %s', (change, expected) => {
  expect(refuseManaging(by('admin', 2), person('admin'), change, many)).toBe(expected)
})

test.each<[Profile, Person, AccountChange, Others, string | null]>([
  ['admin', person('admin'), { profile: 'super' }, { admins: 0, superadmins: 0 }, 'ERR_LAST_ADMIN'],
  ['admin', person('admin'), { isActive: false }, { admins: 0, superadmins: 0 }, 'ERR_LAST_ADMIN'],
  ['admin', person('admin'), { profile: 'super' }, { admins: 1, superadmins: 0 }, null],
  ['admin', person('admin'), { profile: 'admin' }, { admins: 0, superadmins: 0 }, null],
  ['admin', person('admin', { isActive: false }), { profile: 'user' }, { admins: 0, superadmins: 0 }, null],
  ['superadmin', person('admin'), { isActive: false }, { admins: 0, superadmins: 0 }, 'ERR_LAST_ADMIN'],
  ['superadmin', person('superadmin'), { profile: 'admin' }, { admins: 3, superadmins: 0 }, 'ERR_LAST_ADMIN'],
  ['superadmin', person('superadmin'), { profile: 'admin' }, { admins: 3, superadmins: 1 }, null],
])('a company keeps an administrator: %s, %o, %o, others %o: %s', (profile, target, change, others, expected) => {
  expect(refuseManaging(by(profile), target, change, others)).toBe(expected)
})
