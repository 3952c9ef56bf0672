import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import sharp from 'sharp'
import { expect } from 'vitest'
import { until } from '#test/until.ts'
import type { World } from './world.ts'

/** Returns a contact's picture of one colour. */
export const pictureOf = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 640, channels: 3, background } })
    .jpeg()
    .toBuffer()

/** The colour of a picture, as a name; null without one. */
async function colourOf({ product: { platform }, tenantId, conversationKey }: World): Promise<string | null> {
  const row = await platform.db.read(tenantId, (db) =>
    db
      .selectFrom('contacts')
      .innerJoin('contact_identities', 'contact_identities.contact_id', 'contacts.id')
      .leftJoin('files', 'files.id', 'contacts.profile_pic_file')
      .where('identity', '=', conversationKey)
      .select(['files.path', 'files.mime', 'files.width', 'files.height'])
      .executeTakeFirstOrThrow(),
  )
  if (row.path === null) return null
  expect(row).toMatchObject({ mime: 'image/webp', width: row.height })
  const { channels } = await sharp(await buffer(platform.storage.read(row.path))).stats()
  return ['red', 'green', 'blue'][
    channels.slice(0, 3).reduce((top, { mean }, n, all) => (mean > all[top]!.mean ? n : top), 0)
  ]!
}

/** Dates all picture requests an hour back, since a contact's picture is requested at most once a minute. */
const longAgo = ({ product, tenantId }: World) =>
  product.platform.db.write(tenantId, (db) =>
    db
      .updateTable('contact_identities')
      .set({ picture_asked_at: new Date(product.platform.now().getTime() - 3_600_000) })
      .execute(),
  )

/** The contact looks as their channel shows them from the first message on, and otherwise when they do there. */
export async function pictureCheck(world: World): Promise<void> {
  const owner = new pg.Client({ connectionString: world.product.ownerUrl })
  await owner.connect()
  await pictured(world, owner).finally(() => owner.end())
}

async function pictured(world: World, owner: pg.Client): Promise<void> {
  // A round that ends just now asks for the next in a minute.
  const hurry = () =>
    owner.query('update graphile_worker._private_jobs set run_at = now() where key like $1 and locked_at is null', [
      `contacts:pictures:${world.tenantId}:%`,
    ])
  const looks = (colour: string | null) =>
    until(async () => {
      if ((await colourOf(world)) === colour) return true
      await hurry()
      return false
    }, world.patienceMs)
  await looks('red')
  // Only for channels that report changed pictures.
  if (!world.end.look) return
  await longAgo(world)
  await world.end.look(await pictureOf('#10d020'))
  await looks('green')
  await longAgo(world)
  await world.end.look(null)
  await looks(null)
}
