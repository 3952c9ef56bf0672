import { addPermissions, type PermissionPart } from '#kit/permissions.ts'
import { addPlanFeatures, type PlanFeaturePart } from '#kit/plan-features.ts'
import { addSettings, type SettingPart } from '#kit/settings.ts'

// Collects the features' permissions, settings and plan features by file name. Only screens that show those of every
// feature import this file.
const permissions = import.meta.glob<PermissionPart>('../features/*/permissions.ts', {
  eager: true,
  import: 'permissions',
})
const settings = import.meta.glob<SettingPart>('../features/*/settings.ts', { eager: true, import: 'settings' })
const plans = import.meta.glob<PlanFeaturePart>('../features/*/plan.ts', { eager: true, import: 'plan' })

for (const part of Object.values(permissions)) addPermissions(part)
for (const part of Object.values(settings)) addSettings(part)
for (const part of Object.values(plans)) addPlanFeatures(part)
