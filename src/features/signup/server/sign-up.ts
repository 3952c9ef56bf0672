import type { z } from 'zod'
import { passwordProblem } from '#domain/access/password.ts'
import { canMail, publicLink, sendPlatformMail } from '#features/mail/server/index.ts'
import { createTenant, setOwner, trialEnd } from '#features/tenants/server/index.ts'
import { createUser } from '#features/users/server/index.ts'
import { fail } from '#kit/errors.ts'
import { writeAudit } from '#server/audit.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { newHash, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import type { signup } from '../contract.ts'
import { isSignupOpen } from './plans.ts'
import { findPlan, keepPhone } from './queries.ts'

/**
 * Makes a company, its limits by the plan, and its administrator, all or nothing (product facts 2.7). Fails with
 * ERR_USER_CREATION_DISABLED while the installation takes nobody, with ERR_DUPLICATED where the e-mail has an account.
 */
export async function signUp(
  platform: Platform,
  request: RequestInfo,
  input: z.output<(typeof signup)['create']['body']>,
): Promise<{ message: string }> {
  if (!(await isSignupOpen(platform))) fail('ERR_USER_CREATION_DISABLED')
  const password = passwordOf(request, input.password, platform.secrets)
  const problem = passwordProblem(password)
  if (problem) fail('ERR_VALIDATION', { password: problem })
  // Counted when everything is filled in right: a mistake in a field costs nobody an attempt.
  await platform.limits.use('signUp', networkOf(request.ip))
  const passwordHash = await newHash(password)
  const greets = canMail(await platform.installation.get('all'))
  const { name, userName = name.slice(0, 50), email } = input
  await platform.db.asPlatform(async (db) => {
    const plan = await findPlan(db, input.planId)
    if (!plan?.is_active) return fail('ERR_NO_PLAN_FOUND')
    const tenantId = await createTenant(db, {
      name,
      plan_id: plan.id,
      max_users: plan.users,
      max_connections: plan.connections,
      trial_ends_at: plan.trial ? trialEnd(platform.now(), plan.trial_period) : null,
      identity: input.cpfCnpj,
    })
    const userId = await createUser(db, { tenantId, name: userName, email, profile: 'admin', passwordHash })
    await setOwner(db, tenantId, userId)
    await keepPhone(db, tenantId, userId, input.mobilePhone)
    if (greets)
      await sendPlatformMail(platform, db, {
        to: email,
        subject: 'Sua conta está pronta',
        template: {
          title: `Boas-vindas, ${userName}!`,
          lines: [`A conta de ${name} está pronta. Entre com o e-mail ${email} e a senha que você escolheu.`],
          action: { label: 'Entrar', url: publicLink(platform, '/login') },
        },
      })
    const event = {
      action: 'tenant.created',
      actor: { id: userId, name: userName, profile: 'admin' },
      from: request,
      target: { tenantId, planId: plan.id },
    } as const
    await writeAudit(db, platform, tenantId, [event])
    await writeAudit(db, platform, 'platform', [event])
  })
  return { message: 'Cliente criado com sucesso.' }
}
