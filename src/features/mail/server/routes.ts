import { storeSettings } from '#features/settings/server/index.ts'
import { fail } from '#kit/errors.ts'
import { changeInstallation } from '#server/db/installation.ts'
import { implement, type Route } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import type { Platform } from '#server/platform.ts'
import { companyMail, installationMail } from '../contract.ts'
import { deliver } from './deliver.ts'
import { findMail, KEY } from './queries.ts'
import { renderMail } from './render.ts'
import { canMail } from './send.ts'
import { changedMail, mailOfInstallation, type Owner, parseMail, type StoredMail, shownMail } from './settings.ts'

const ofCompany = async (platform: Platform, tenantId: number) => parseMail(await platform.db.read(tenantId, findMail))

const ofInstallation = async (platform: Platform) => mailOfInstallation(await platform.installation.get('all'))

/** Sends a mail with the saved settings, and returns the server's answer. */
async function test(
  platform: Platform,
  { owner, tenantId, to }: { owner: Owner; tenantId: number; to: string },
  stored: StoredMail | null,
) {
  await platform.limits.use('mailTest', String(tenantId))
  if (stored?.smtp !== 'enabled') return fail('ERR_MAIL_NOT_CONFIGURED')
  const rendered = renderMail({
    title: 'O envio de e-mails funciona',
    lines: ['Este é um e-mail de teste do Guichê. Se você o está lendo, a configuração está certa.'],
  })
  const outcome = await deliver(platform, owner, stored, { id: uuidv7(), to, subject: 'E-mail de teste', ...rendered })
  if (!outcome.ok) fail('ERR_MAIL_TEST', { reason: outcome.text })
  return { success: true as const }
}

/** Routes that read, save and test the mail settings of a company and of the installation. */
export const mailRoutes: Route[] = [
  ...implement(companyMail, {
    read: async ({ platform, installation, db }) =>
      shownMail(platform, parseMail(await findMail(db)), canMail(installation)),
    save: async ({ platform, tenantId }, { body }) => {
      const next = changedMail(platform, tenantId, await ofCompany(platform, tenantId), body)
      await platform.db.write(tenantId, (db) => storeSettings(db, tenantId, { [KEY]: JSON.stringify(next) }))
      return shownMail(platform, next, canMail(await platform.installation.get('all')))
    },
    test: async ({ platform, tenantId }, { body }) =>
      test(platform, { owner: tenantId, tenantId, to: body.to }, await ofCompany(platform, tenantId)),
  }),
  ...implement(installationMail, {
    read: ({ platform, installation }) => shownMail(platform, mailOfInstallation(installation), false),
    save: async ({ platform }, { body }) => {
      const next = changedMail(platform, 'installation', await ofInstallation(platform), body)
      await platform.db.asPlatform((db) => changeInstallation(db, 'mail', next))
      platform.bus.stale('installation all')
      return shownMail(platform, next, false)
    },
    test: async ({ platform, tenantId }, { body }) =>
      test(platform, { owner: 'installation', tenantId, to: body.to }, await ofInstallation(platform)),
  }),
]
