import { z } from 'zod'
import { textFieldIn } from '#domain/keys.ts'
import { canMail, publicLink, sendPlatformMail } from '#features/mail/server/index.ts'
import {
  bumpTokenVersion,
  proveEmail,
  publishProof,
  revokeSessions,
  setPassword,
} from '#features/users/server/index.ts'
import { fail } from '#kit/errors.ts'
import { writeAudit } from '#server/audit.ts'
import { unit } from '#server/context.ts'
import { transactionTime } from '#server/db/db.ts'
import { addToDirectory, findInDirectory, forgetSubject, takeFromDirectory } from '#server/db/directory.ts'
import { addPlatformJob } from '#server/db/platform-jobs.ts'
import { rememberDevice, type Source, sourceOf } from '#server/http/device.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import { job } from '#server/job.ts'
import { newHash, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import { findPassword } from './queries.ts'
import { countLiving, findReceiver } from './queries-recovery.ts'

const KIND = 'reset'
const BOUND_TO = 'jobs/password-reset'
const LIFETIME_MS = 3600_000
const MOST_LINKS = 5

/** Accepts a request for a password link. The account is looked up later, so that the response reveals nothing. */
export async function requestReset(platform: Platform, request: RequestInfo, email: string) {
  await platform.limits.use('resetAddress', networkOf(request.ip))
  // Strangers may request links for an account: their requests count against their own limit.
  const source = await sourceOfName(platform, request, email)
  await platform.limits.use('reset', `${email}|${source.key}`)
  if (!canMail(await platform.installation.get('all'))) fail('ERR_MAIL_NOT_CONFIGURED')
  const from = { ip: request.ip, userAgent: request.userAgent, id: request.id }
  const sealed = platform.secrets.encrypt(JSON.stringify({ email, from }), BOUND_TO)
  await platform.db.asPlatform((db) => addPlatformJob(db, resetJob, { sealed }))
  return { message: 'E-mail de recuperação de senha enviado.' }
}

async function sourceOfName(platform: Platform, request: RequestInfo, name: string): Promise<Source> {
  const known = await platform.db.asPlatform((db) => findInDirectory(db, 'login', name))
  const { tenant_id: tenantId, subject_id: subject } = known ?? { tenant_id: 0, subject_id: '0' }
  const userId = Number(subject)
  const stored = await platform.db.read(tenantId, (db) => findPassword(db, userId))
  return sourceOf(platform, request, stored ? { tenantId, userId, tokenVersion: stored.token_version } : null)
}

/** Job that mails a password link to the account's owner, at most five valid ones; using one invalidates all. */
export const resetJob = job({
  name: 'password-reset',
  schema: z.object({ sealed: z.string() }),
  async run(platform, { sealed }) {
    const { email, from } = JSON.parse(platform.secrets.decrypt(sealed, BOUND_TO))
    if (!canMail(await platform.installation.get('all'))) fail('ERR_MAIL_NOT_CONFIGURED')
    await platform.db.asPlatform(async (db) => {
      const known = await findInDirectory(db, 'login', email)
      if (known?.status !== 'active') return
      const { tenant_id: tenantId, subject_id: subjectId } = known
      const user = await findReceiver(db, tenantId, Number(subjectId))
      if (!user) return
      const key = newToken()
      const expiresAt = new Date(transactionTime(db).getTime() + LIFETIME_MS)
      // Several links of an hour are valid side by side, so that a request by a stranger does not invalidate the owner's;
      // above the maximum no further mail is sent.
      if ((await countLiving(db, KIND, tenantId, subjectId, transactionTime(db))) >= MOST_LINKS) return
      await addToDirectory(db, { kind: KIND, key, tenantId, subjectId, expiresAt, data: { email: user.email } })
      await sendPlatformMail(platform, db, {
        to: user.email,
        subject: 'Redefinir sua senha',
        template: {
          title: 'Redefinir sua senha',
          lines: [
            `Olá, ${user.name}.`,
            `Recebemos um pedido para criar uma nova senha para a sua conta na ${user.tenant_name}.`,
          ],
          action: { label: 'Criar nova senha', url: publicLink(platform, `/reset/${key}`) },
          note: 'O link vale por 1 hora e uma única vez. Se você não pediu, ignore este e-mail: sua senha continua a mesma.',
        },
      })
      await writeAudit(db, platform, tenantId, [{ action: 'password.requested', actor: user, from }])
    })
  },
})

/** Sets the password that a link permits, and ends all sessions of the user. */
export async function resetPassword(
  platform: Platform,
  request: RequestInfo,
  input: { token: string; password: string },
) {
  await platform.limits.use('resetAddress', networkOf(request.ip))
  const password = passwordOf(request, input.password, platform.secrets)
  const isLive = (link: { expires_at: Date | null } | undefined) =>
    !!link?.expires_at && link.expires_at > platform.now()
  // A link that is over costs no hash.
  if (!isLive(await platform.db.asPlatform((db) => findInDirectory(db, KIND, input.token)))) fail('ERR_CODE_INVALID')
  const passwordHash = await newHash(password)
  const used = await platform.db.asPlatform(async (db) => {
    const link = await takeFromDirectory(db, KIND, input.token)
    if (!link || !isLive(link)) return null
    const who = { tenantId: link.tenant_id, userId: Number(link.subject_id) }
    await forgetSubject(db, KIND, link.tenant_id, link.subject_id)
    // Opening a mailed link proves the ownership of its address.
    const email = textFieldIn(link.data, 'email')
    return { ...who, proven: email ? await proveEmail(db, platform, who, email, request) : null }
  })
  if (!used) return fail('ERR_CODE_INVALID')
  const { tenantId, userId, proven } = used
  await publishProof(platform, proven)
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    await setPassword(ctx, userId, passwordHash)
    const tokenVersion = await bumpTokenVersion(ctx.db, userId)
    rememberDevice(platform, request, { tenantId, userId, tokenVersion })
    await revokeSessions(ctx, userId, {}, 'revoked')
    ctx.stale(`actors ${tenantId}:${userId}`)
    ctx.record({ action: 'password.changed', actor: { id: userId, name: '' }, from: request })
  })
  return { message: 'Senha redefinida com sucesso!' }
}
