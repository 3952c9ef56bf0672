import { addPermissions, type PermissionPart } from '#kit/permissions.ts'
import { addPlanFeatures, type PlanFeaturePart } from '#kit/plan-features.ts'
import { addSettings, type SettingPart } from '#kit/settings.ts'

// What each feature has written down, found by the name of the file. A screen that speaks of every feature's permissions,
// settings or plan features imports this file; the others do not carry it.
const permissions = import.meta.glob<PermissionPart>('../features/*/permissions.ts', {
  eager: true,
  import: 'permissions',
})
const settings = import.meta.glob<SettingPart>('../features/*/settings.ts', { eager: true, import: 'settings' })
const plans = import.meta.glob<PlanFeaturePart>('../features/*/plan.ts', { eager: true, import: 'plan' })

for (const part of Object.values(permissions)) addPermissions(part)
for (const part of Object.values(settings)) addSettings(part)
for (const part of Object.values(plans)) addPlanFeatures(part)
