import { addresses } from '#kit/addresses.ts'

/** API routes of `audit`. */
export const audit = addresses('audit', {
  list: { method: 'GET', path: '/audit', can: 'audit:read' },
  options: { method: 'GET', path: '/audit/options', can: 'audit:read' },
  verify: { method: 'GET', path: '/audit/verify', can: 'audit:read' },
  platformList: { method: 'GET', path: '/audit/platform', can: 'platform:read' },
  platformOptions: { method: 'GET', path: '/audit/platform/options', can: 'platform:read' },
  platformVerify: { method: 'GET', path: '/audit/platform/verify', can: 'platform:read' },
})
