import type { z } from 'zod'
import { askSecondStep } from '#features/second-factor/server/index.ts'
import { fail } from '#kit/errors.ts'
import { findInDirectory } from '#server/db/directory.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { entered } from '../contract.ts'
import { openSession } from './sessions.ts'

/** Authenticated user. */
export type Known = { tenantId: number; userId: number }

/**
 * Completes every first factor: opens the session, or returns the missing second step. A passkey counts as both factors.
 * Throws INVALID_DOMAIN at another company's domain, and ERR_TENANT_INACTIVE.
 */
export async function enter(
  platform: Platform,
  request: RequestInfo,
  { tenantId, userId }: Known,
  method: 'password' | 'code' | 'oidc',
): Promise<z.input<typeof entered>> {
  await checkDomain(platform, request, tenantId)
  const step = await askSecondStep(platform, { tenantId, userId, method })
  return step ? { requiresA2F: true, ...step } : openSession(platform, request, tenantId, userId, { method })
}

/** Throws if the company is inactive, or the domain belongs to another company. */
export async function checkDomain(platform: Platform, request: RequestInfo, tenantId: number): Promise<void> {
  const domain = await platform.db.askAsPlatform((db) => findInDirectory(db, 'domain', request.host.toLowerCase()))
  if (domain && domain.tenant_id !== tenantId) fail('INVALID_DOMAIN')
  if ((await platform.settings.get(String(tenantId))).tenantStatus !== 'active') fail('ERR_TENANT_INACTIVE')
}
