import { addPermissions, type PermissionPart } from '#kit/permissions.ts'

// What each feature has written down, found by the name of the file. A screen that speaks of every feature's permissions
// imports this file; the others do not carry it.
const permissions = import.meta.glob<PermissionPart>('../features/*/permissions.ts', {
  eager: true,
  import: 'permissions',
})
for (const part of Object.values(permissions)) addPermissions(part)
