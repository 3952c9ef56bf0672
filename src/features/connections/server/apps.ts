import { randomBytes } from 'node:crypto'
import { present } from '#domain/present.ts'
import { fail, required } from '#kit/errors.ts'
import { type ProviderFields, type StoredValues, shownValues } from '#kit/provider.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { implement } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { sha256 } from '#server/secrets.ts'
import { type ProviderApp, providerApps } from '../apps-contract.ts'
import { deleteApp, insertApp, listApps, lockApp, type StoredApp, updateApp } from './queries-apps.ts'
import { decrypt, encrypt, mergeValues } from './values.ts'

/** Returns the fields of an app of a channel; undefined if the channel has no apps. */
const appFieldsOf = (channel: string): ProviderFields | undefined =>
  channelConfigs.find(({ id }) => id === channel)?.app?.fields

const stored = ({ config, secrets }: StoredApp): StoredValues => ({ config, secrets })

const shown = (platform: Platform, row: StoredApp): ProviderApp => {
  return {
    id: row.id,
    channel: row.channel,
    name: row.name,
    values: shownValues(appFieldsOf(row.channel) ?? {}, stored(row)),
    webhookPath: `/api/hooks/${decrypt(platform, { appId: row.id }, row.path!)}`,
    unclaimedEvents: row.unclaimed_events,
  }
}
const named = ({ id: _, unclaimedEvents: __, webhookPath: ___, ...rest }: ProviderApp) => rest

/** Operations on the installation's apps, for the superadmin. */
export const appRoutes = implement(providerApps, {
  list: async ({ platform }) => ({
    apps: (await platform.db.asPlatform(listApps)).map((row) => shown(platform, row)),
  }),
  create: ({ platform, audit }, { body }) =>
    platform.db.asPlatform(async (db) => {
      const fields = appFieldsOf(body.channel) ?? fail('ERR_VALIDATION', { channel: 'Este canal não tem aplicativos.' })
      const path = randomBytes(16).toString('base64url')
      const { channel, name } = body
      const id = await insertApp(db, { channel, name, path_hash: sha256(path) })
      const values = mergeValues(platform, { appId: id }, fields, ['values', body.values])
      await updateApp(db, id, { ...values, path: encrypt(platform, { appId: id }, path) })
      const made = shown(platform, present(await lockApp(db, id)))
      audit({ target: { id }, after: named(made) })
      return made
    }),
  update: ({ platform, audit }, { params: { id }, body }) =>
    platform.db.asPlatform(async (db) => {
      const row = required(await lockApp(db, id), 'ERR_NO_PROVIDER_APP_FOUND')
      const fields = appFieldsOf(row.channel) ?? {}
      await updateApp(db, id, {
        name: body.name,
        ...mergeValues(platform, { appId: id }, fields, ['values', body.values], stored(row)),
      })
      const after = shown(platform, present(await lockApp(db, id)))
      audit({ before: named(shown(platform, row)), after: named(after) })
      return after
    }),
  remove: async ({ platform }, { params }) =>
    (await platform.db.asPlatform((db) => deleteApp(db, params.id)))
      ? { message: 'ok' }
      : fail('ERR_NO_PROVIDER_APP_FOUND'),
})
