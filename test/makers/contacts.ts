import { insertImport } from '#features/contacts/server/imports/queries.ts'
import { merge } from '#features/contacts/server/merges/merge.ts'
import { unit } from '#server/context.ts'
import { uuidv7 } from '#server/ids.ts'
import { connectionOf, type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'contacts.id': (making) => rowsOf(making).contact(making.tenantId),
    'contactChecks.id': connectionOf('lab'),
    'contactImports.id:uuid': async ({ product: { platform }, tenantId, userId }) => {
      const id = uuidv7()
      await platform.db.write(tenantId, (db) =>
        insertImport(db, {
          ...{ id, kind: 'csv', name: 'contatos.csv', user_id: userId, is_dry_run: true, created_at: platform.now() },
          ...{
            phase: 'check',
            status: 'done',
            options: JSON.stringify({ tags: [], wallets: [], onDuplicate: 'update', addTags: false, onlyFor: null }),
          },
        }),
      )
      return id
    },
    'contactViews.id': (making) =>
      rowsOf(making).insert('contact_views', making.tenantId, {
        name: 'Visão',
        audience: 'person',
        user_id: making.userId,
        created_at: making.product.platform.now(),
        updated_at: making.product.platform.now(),
      }),
    'contacts.number': async (making) => {
      const number = `5521${980_000_000 + Math.floor(Math.random() * 9_999_999)}`
      await rowsOf(making).contact(making.tenantId, { number })
      return number
    },
    'contacts.mergeId': async (making) => {
      const [a, b] = [await rowsOf(making).contact(making.tenantId), await rowsOf(making).contact(making.tenantId)]
      return unit(making.product.platform, { tenantId: making.tenantId, user: null }, (ctx) =>
        merge(ctx, { id: a, otherId: b, proof: 'person' }),
      )
    },
  },
  queries: { 'contacts.previewMerge': { contactId: 1 } },
  bodies: { 'contactImports.check': { columns: [] }, 'contactsBulk.start': { ids: [1], action: 'block' } },
}
