import type { z } from 'zod'
import { passwordProblem } from '#domain/access/password.ts'
import { billNewCompany, isConnected } from '#features/billing/server/index.ts'
import { canMail, publicLink, sendPlatformMail } from '#features/mail/server/index.ts'
import { createTenant, setOwner, trialEnd } from '#features/tenants/server/index.ts'
import {
  confirmationEnd,
  confirmationPath,
  createUser,
  newConfirmation,
  savePhone,
} from '#features/users/server/index.ts'
import { fail } from '#kit/errors.ts'
import { writeAudit } from '#server/audit.ts'
import { type Tx, transactionTime } from '#server/db/db.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { newHash, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import type { signup } from '../contract.ts'
import { isSignupOpen } from './plans.ts'
import { isWaiting, planRows } from './queries.ts'

/**
 * Creates a company with its plan's limits and its administrator, in one transaction (product facts 2.7). Throws
 * ERR_USER_CREATION_DISABLED while signup is closed, ERR_DUPLICATED if the e-mail has an account. An unproven e-mail belongs
 * to the user who opens its mailed link; until then it cannot be used to log in to the new company.
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
  // Counted after validation only: an invalid field does not use up an attempt.
  await platform.limits.use('signUp', networkOf(request.ip))
  const passwordHash = await newHash(password)
  const { name, userName = name.slice(0, 50), email } = input
  const canProve = canMail(await platform.installation.get('all'))
  const isBilled = await isConnected(platform)
  const isWaitingForLink = await platform.db.asPlatform(async (db) => {
    const plan = await planRows.find(db, input.planId)
    if (!plan?.isActive) return fail('ERR_NO_PLAN_FOUND')
    const trialEndsAt = plan.trial ? trialEnd(transactionTime(db), plan.trialPeriod) : null
    const tenantId = await createTenant(db, {
      name,
      plan_id: plan.id,
      max_users: plan.users,
      max_connections: plan.connections,
      max_assistant_answers: plan.assistantAnswers,
      trial_ends_at: trialEndsAt,
      identity: input.cpfCnpj,
    })
    const userId = await createUser(db, { tenantId, name: userName, email, profile: 'admin', passwordHash, canProve })
    await setOwner(db, tenantId, userId)
    await savePhone(db, tenantId, userId, input.mobilePhone)
    if (isBilled) await billNewCompany(db, { companyId: tenantId, value: plan.value, trialEndsAt })
    const waits = await isWaiting(db, tenantId, userId)
    if (canProve) {
      const sentence = waits
        ? `A conta de ${name} está pronta. Confirme que este e-mail é seu e entre com ele e a senha que você escolheu.`
        : `A conta de ${name} está pronta. Entre com o e-mail ${email} e a senha que você escolheu, e confirme que ele é seu.`
      await mailConfirmation(platform, db, { tenantId, userId, userName, email, sentence })
    }
    const event = {
      action: 'tenant.created',
      actor: { id: userId, name: userName, profile: 'admin' },
      from: request,
      target: { tenantId, planId: plan.id },
    } as const
    await writeAudit(db, platform, tenantId, [event])
    await writeAudit(db, platform, 'platform', [event])
    return waits
  })
  return {
    message: isWaitingForLink
      ? `Conta criada. Para entrar, abra o link que enviamos para ${email}.`
      : 'Cliente criado com sucesso.',
  }
}

/** Mails the link that confirms the address of a new company's administrator. */
async function mailConfirmation(
  platform: Platform,
  db: Tx,
  of: { tenantId: number; userId: number; userName: string; email: string; sentence: string },
): Promise<void> {
  const { tenantId, userId, userName, email, sentence } = of
  const code = newConfirmation(email)
  const expiresAt = confirmationEnd(transactionTime(db))
  await addToDirectory(db, { kind: 'email', key: code, tenantId, subjectId: String(userId), expiresAt })
  await sendPlatformMail(platform, db, {
    to: email,
    subject: 'Sua conta está pronta',
    template: {
      title: `Boas-vindas, ${userName}!`,
      lines: [sentence],
      action: { label: 'Confirmar o e-mail', url: publicLink(platform, confirmationPath(code)) },
    },
  })
}
