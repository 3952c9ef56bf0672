import { randomBytes } from 'node:crypto'
import { sha256 } from '#server/secrets.ts'
import { connectionOf, type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'connections.id': connectionOf('lab'),
    'providers.id': async () => 'sample',
    'proxies.id': (making) =>
      rowsOf(making).insert('proxies', making.tenantId, {
        ...{ name: randomBytes(8).toString('hex'), type: 'http', host: '203.0.113.1', port: 8080 },
      }),
    'providerApps.id': async ({ product: { platform } }) => {
      const [path, at] = [randomBytes(16).toString('base64url'), platform.now()]
      return platform.db.asPlatform(async (db) => {
        const row = { channel: 'sample', name: path, path_hash: sha256(path), created_at: at, updated_at: at }
        const { id } = await db.insertInto('provider_apps').values(row).returning('id').executeTakeFirstOrThrow()
        const encrypted = platform.secrets.encrypt(path, `provider_apps/${id}`)
        await db.updateTable('provider_apps').set({ path: encrypted }).where('id', '=', id).execute()
        return id
      })
    },
  },
  shared: ['providerApps.id', 'providers.id'],
  bodies: {
    'connections.create': {
      type: 'sample',
      config: { address: 'https://pombal.test', loft: 'um', token: 'um token de teste' },
    },
    'connections.update': { config: {} },
    'providers.save': { url: 'https://pombal.test', key: 'uma chave de teste' },
    'providers.test': { url: 'https://pombal.test', key: 'uma chave de teste' },
    'providerApps.create': { channel: 'sample', values: { token: 'um token de teste' } },
    'providerApps.update': { values: { token: 'um token de teste' } },
  },
}
