import { canMail, publicLink, sendPlatformMail } from '#features/mail/server/index.ts'
import { setPassword } from '#features/users/server/index.ts'
import { fail } from '#kit/errors.ts'
import { writeAudit } from '#server/audit.ts'
import { unit } from '#server/context.ts'
import { addToDirectory, findInDirectory, forgetSubject, takeFromDirectory } from '#server/db/directory.ts'
import { addPlatformJob } from '#server/db/platform-jobs.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { JobDefinition } from '#server/jobs.ts'
import { newHash, passwordOf } from '#server/passwords.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import { bumpTokenVersion, findReceiver } from './queries-recovery.ts'
import { revokeSessions } from './revoke.ts'

const KIND = 'reset'
const TASK = 'password-reset'
const PLACE = 'jobs/password-reset'
const LIFETIME_MS = 3600_000

/** Takes note of a request. Whether there is such an account is looked up later, so the answer cannot tell. */
export async function requestReset(platform: Platform, request: RequestInfo, email: string) {
  await platform.limits.use('resetAddress', networkOf(request.ip))
  await platform.limits.use('reset', email)
  if (!canMail(await platform.installation.get('all'))) fail('ERR_MAIL_NOT_CONFIGURED')
  const from = { ip: request.ip, userAgent: request.userAgent, id: request.id }
  const sealed = platform.secrets.encrypt(JSON.stringify({ email, from }), PLACE)
  await platform.db.asPlatform((db) => addPlatformJob(db, TASK, { sealed }))
  return { message: 'E-mail de recuperação de senha enviado.' }
}

/** Writes the link to whoever has the account; a link from before is worth nothing any more. */
export const resetJob: JobDefinition = {
  task: TASK,
  async run(platform, { sealed }) {
    const { email, from } = JSON.parse(platform.secrets.decrypt(sealed as string, PLACE))
    if (!canMail(await platform.installation.get('all'))) fail('ERR_MAIL_NOT_CONFIGURED')
    await platform.db.asPlatform(async (db) => {
      const known = await findInDirectory(db, 'login', email)
      if (known?.status !== 'active') return
      const { tenant_id: tenantId, subject_id: subjectId } = known
      const user = await findReceiver(db, tenantId, Number(subjectId))
      if (!user) return
      const key = newToken()
      const expiresAt = new Date(platform.now().getTime() + LIFETIME_MS)
      await forgetSubject(db, KIND, tenantId, subjectId)
      await addToDirectory(db, { kind: KIND, key, tenantId, subjectId, expiresAt })
      await sendPlatformMail(platform, db, {
        to: user.email,
        subject: 'Redefinir sua senha',
        template: {
          title: 'Redefinir sua senha',
          lines: [`Olá, ${user.name}.`, 'Recebemos um pedido para criar uma nova senha para a sua conta.'],
          action: { label: 'Criar nova senha', url: publicLink(platform, `/reset/${key}`) },
          note: 'O link vale por 1 hora e uma única vez. Se você não pediu, ignore este e-mail: sua senha continua a mesma.',
        },
      })
      await writeAudit(db, platform, tenantId, [{ action: 'password.requested', actor: user, from }])
    })
  },
}

/** Sets the password that a link permits; whoever was logged in with the one before is out, everywhere. */
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
  const link = await platform.db.asPlatform((db) => takeFromDirectory(db, KIND, input.token))
  if (!link || !isLive(link)) return fail('ERR_CODE_INVALID')
  const { tenant_id: tenantId, subject_id: subjectId } = link
  const userId = Number(subjectId)
  await unit(platform, { tenantId, user: null }, async (ctx) => {
    await setPassword(ctx, userId, passwordHash)
    await bumpTokenVersion(ctx.db, userId)
    await revokeSessions(ctx, userId, {}, 'revoked')
    ctx.stale(`actors ${tenantId}:${userId}`)
    ctx.record({ action: 'password.changed', actor: { id: userId, name: '' }, from: request })
  })
  return { message: 'Senha redefinida com sucesso!' }
}
