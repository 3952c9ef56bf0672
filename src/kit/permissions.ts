import { assignableOf } from '#domain/access/menu.ts'
import { type PermissionSpec, type Permitted, type Refusal, whyLacking } from '#domain/access/permissions.ts'
import { refusalOf } from '#domain/access/plan.ts'
import { PLATFORM, type Profile } from '#domain/access/profiles.ts'
import { keysIn } from '#domain/keys.ts'
import { type NamesOf, registry } from './registry.ts'

/** Permissions of one feature, by name; contracts refer to the one that an operation requires (`can`). */
export type PermissionPart = Readonly<Record<string, PermissionSpec>>

/** Permissions of the installation's owner only. */
const platformPermissions = {
  'platform:read': { allows: 'Ver as empresas, os planos e a saúde da instalação', profiles: PLATFORM },
  'platform:write': { allows: 'Administrar as empresas, os planos e a instalação', profiles: PLATFORM },
} as const satisfies PermissionPart

/** Registry of permissions: each feature adds its own (`declare module`). */
export interface Permissions {
  platform: typeof platformPermissions
}

/** Name of a permission, as used by contracts and screens. */
export type Permission = NamesOf<Permissions>

const { table, add } = registry<Permission, PermissionSpec>('permission', platformPermissions)

/** Registry of permissions by name, in the order of the permissions screen. */
export const PERMISSIONS = table

/** Adds the permissions of a feature. */
export const addPermissions = add

/** Returns the first reason why the person lacks the permission; null if they have it. */
export const whyNot = (person: Permitted, permission: Permission): Refusal | null =>
  whyLacking(person, PERMISSIONS[permission])

/** Whether the person has the permission. */
export const can = (person: Permitted, permission: Permission): boolean => whyNot(person, permission) === null

/** Returns the error code with which the person is refused the permission; null if they have it. */
export function refusalCode(
  person: Permitted,
  permission: Permission,
): 'ERR_NO_PERMISSION' | 'ERR_ASAAS_OVERDUE' | ReturnType<typeof refusalOf> | null {
  const reason = whyNot(person, permission)
  if (reason === 'overdue') return 'ERR_ASAAS_OVERDUE'
  return reason === 'plan' ? refusalOf(PERMISSIONS[permission].feature!) : reason && 'ERR_NO_PERMISSION'
}

/** Returns the permissions that the person has. */
export const permissionsOf = (person: Permitted): Permission[] =>
  keysIn(PERMISSIONS).filter((permission) => can(person, permission))

/** Returns the route names that may be hidden per person of this role. */
export const assignableRoutes = (profile: Profile): readonly string[] =>
  assignableOf(Object.values<PermissionSpec>(PERMISSIONS), profile)
