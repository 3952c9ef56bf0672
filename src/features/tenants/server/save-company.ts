import type { z } from 'zod'
import { present } from '#domain/present.ts'
import { storeSettings } from '#features/settings/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import { channelTypeIds } from '#providers/channels/configs.ts'
import type { Tx } from '#server/db/db.ts'
import { addToDirectory, findInDirectory, forgetSubject } from '#server/db/directory.ts'
import type { RequestInfo, SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { CompanyChange } from '../companies.ts'
import type { newCompany } from '../forms.ts'
import { createTenant } from './queries.ts'
import {
  type CompanyRow,
  findCompany,
  lockDomains,
  notifyCompany,
  type TenantChange,
  updateCompany,
} from './queries-companies.ts'
import { nextTrial, trialDays } from './trial.ts'

const DOMAIN = 'domain'

/** Creates a company with the defaults of a signup, without users. */
export async function makeCompany(
  ctx: SlowCtx,
  request: RequestInfo,
  { name, ...form }: z.output<typeof newCompany>,
): Promise<CompanyRow> {
  const made = await ctx.platform.db.asPlatform(async (db) => {
    const id = await createTenant(db, { name })
    return apply(ctx, request, db, required(await findCompany(db, id, true), 'ERR_NO_TENANT_FOUND'), form)
  })
  ctx.audit({ target: { tenantId: made.id }, after: audited(made) })
  return made
}

/** Changes a company; takes effect at once for its users: menus, permissions, and logout when it becomes inactive. */
export async function changeCompany(
  ctx: SlowCtx,
  request: RequestInfo,
  id: number,
  form: CompanyChange,
): Promise<CompanyRow> {
  const { before, after } = await ctx.platform.db.asPlatform(async (db) => {
    const before = required(await findCompany(db, id, true), 'ERR_NO_TENANT_FOUND')
    return { before, after: await apply(ctx, request, db, before, form) }
  })
  ctx.platform.bus.stale(`settings ${id}`)
  ctx.audit({ target: { tenantId: id }, before: audited(before), after: audited(after) })
  return after
}

async function apply(
  { platform, tenantId, now }: SlowCtx,
  request: RequestInfo,
  db: Tx,
  before: CompanyRow,
  form: CompanyChange,
): Promise<CompanyRow> {
  const { id } = before
  if (form.status === 'inactive' && (id === 1 || id === tenantId))
    fail('ERR_VALIDATION', { status: `Não é possível desativar a Empresa ${id}!` })
  await updateCompany(db, id, { ...columnsOf(form), ...trialOf(before, form, now) })
  if (form.menuVisibility) await storeSettings(db, id, { menuVisibility: JSON.stringify(form.menuVisibility) })
  if (form.domains) await saveDomains(db, platform, request, before, form.domains)
  await notifyCompany(db, id)
  return present(await findCompany(db, id))
}

function columnsOf(form: CompanyChange): TenantChange {
  const { name, status, identity, timezone, domains, allowedChannels } = form
  const given = {
    name,
    status,
    identity,
    timezone,
    domains,
    max_users: form.maxUsers,
    max_connections: form.maxConnections,
    max_assistant_answers: form.maxAssistantAnswers,
    plan_id: form.planId,
    // A company with all channel types also gets future ones.
    allowed_channels:
      allowedChannels && (channelTypeIds().every((type) => allowedChannels.includes(type)) ? null : allowedChannels),
    excluded_features: form.excludedFeatures,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function trialOf(before: CompanyRow, form: CompanyChange, now: Date): TenantChange {
  const { status = before.status } = form
  const next = nextTrial({ began: before.trial_began_at, ends: before.trial_ends_at }, form, now)
  if (next === 'days') return fail('ERR_VALIDATION', { trialPeriod: 'Informe quantos dias dura o teste.' })
  const ends = next ? next.ends : before.trial_ends_at
  const isTouched = next !== null || (form.status !== undefined && form.status !== before.status)
  if (isTouched && status === 'active' && ends && ends <= now)
    fail('ERR_VALIDATION', { trialPeriod: 'Com estes dias o teste já terminou. Aumente-os ou desligue o teste.' })
  return next ? { trial_started_at: next.ends && next.began, trial_ends_at: next.ends } : {}
}

/** Replaces a company's host names; those of another company or of the installation are refused. */
async function saveDomains(
  db: Tx,
  { env }: Platform,
  request: RequestInfo,
  { id: tenantId, domains: before }: CompanyRow,
  domains: readonly string[],
): Promise<void> {
  const home = [request.host.toLowerCase(), env.PUBLIC_URL && new URL(env.PUBLIC_URL).hostname]
  const shared = domains.find((domain) => home.includes(domain) && !before.includes(domain))
  if (shared) fail('ERR_VALIDATION', { domains: `${shared} é o endereço da instalação, por onde todas entram.` })
  await lockDomains(db)
  await forgetSubject(db, DOMAIN, tenantId, DOMAIN)
  for (const key of domains) {
    await addToDirectory(db, { kind: DOMAIN, key, tenantId, subjectId: DOMAIN })
    if ((await findInDirectory(db, DOMAIN, key))?.tenant_id !== tenantId)
      fail('ERR_DUPLICATED', { domains: `${key} já é de outra empresa.` })
  }
}

// Company data for audit records.
const audited = (row: CompanyRow) => ({
  name: row.name,
  status: row.status,
  maxUsers: row.max_users,
  maxConnections: row.max_connections,
  maxAssistantAnswers: row.max_assistant_answers,
  identity: row.identity,
  plan: row.plan_name,
  trialPeriod: trialDays(row.trial_began_at, row.trial_ends_at),
  trialEndsAt: row.trial_ends_at,
  timezone: row.timezone,
  domains: row.domains,
  allowedChannels: row.allowed_channels ?? channelTypeIds(),
  excludedFeatures: row.excluded_features,
  menuVisibility: JSON.parse(row.menu_visibility),
})
