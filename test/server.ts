import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { CHANGES, changeInstallation, ENCRYPTION_KEY } from '#server/db/installation.ts'
import { endCompanies } from '#test/peers/channel.ts'
import * as product from './product.ts'

export { call, type Product, type Reply, testSecrets } from './product.ts'

/** Creates a separate database, cloned from the migrated template of this test run; returns the owner's URL. */
export const createDatabase = (): Promise<string> => product.createDatabase(inject('postgresUrl'))

/** Starts a separate product, on a new database unless one is given. */
export async function startProduct(options: product.TestOptions = {}, ownerUrl?: string): Promise<product.Product> {
  return product.startProduct(ownerUrl ?? (await createDatabase()), options)
}

/** A product with the demo, cloned. */
export const startDemo = (): Promise<product.Product> =>
  product.startDemo({ url: inject('postgresUrl'), folder: inject('postgresFolder') })

/** Options of a file for the shared product; a clock that it moves, always forward, is reset for the next file. */
type Hooks = Pick<product.TestOptions, 'checkpoint' | 'now'>

// Files of a worker run one after the other: what is at a checkpoint is the one that runs.
let ofWorker: Promise<product.Product> | undefined
let hooks: Hooks = {}
let environment: object = {}

/**
 * Returns the product shared by all files of a worker. A file creates companies in it, and counts and reads only their rows.
 * A file that needs a separate installation uses `ownProduct`.
 */
export function withProduct(options: product.TestOptions = {}): () => product.Product {
  if (!isShared(options)) return ownProduct('changes its options', options)
  return during(async () => {
    hooks = options
    ofWorker ??= startShared()
    const shared = await ofWorker.catch((error) => {
      ofWorker = undefined
      throw error
    })
    return {
      product: shared,
      end: async () => {
        hooks = {}
        await giveBack(shared)
        shared.check()
      },
    }
  })
}

/** Starts a product for all tests of a file on a separate database; `_why` documents the reason. */
export function ownProduct(_why: string, options: product.TestOptions = {}): () => product.Product {
  return during(() => startOwn(options))
}

async function startOwn(options: product.TestOptions) {
  const own = await startProduct(options)
  return { product: own, end: () => own.close() }
}

function during(
  start: () => Promise<{ product: product.Product; end: () => Promise<void> | void }>,
): () => product.Product {
  let started: Awaited<ReturnType<typeof start>> | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started?.end())
  return () => started!.product
}

/** Ends with the worker; its files go with the run. */
async function startShared(): Promise<product.Product> {
  const shared = await startProduct({
    env: {
      OUTBOUND_ALLOW: ['127.0.0.1'],
      DATA_DIR: mkdtempSync(join(inject('postgresFolder'), 'files-')),
    },
    now: () => hooks.now?.() ?? new Date(),
    checkpoint: async (...at) => hooks.checkpoint?.(...at),
  })
  environment = { ...shared.platform.env }
  return shared
}

/** Resets for the next file the settings of the whole installation (mail server, sign-up, host names) and its test channel. */
async function giveBack({ platform }: product.Product): Promise<void> {
  for (const name of Object.keys(platform.env)) if (!(name in environment)) Reflect.deleteProperty(platform.env, name)
  Object.assign(platform.env, environment)
  await platform.db.asPlatform(async (db) => {
    const { data } = await db.selectFrom('installation').select('data').executeTakeFirstOrThrow()
    for (const name of Object.keys(data as object))
      if (![CHANGES, ENCRYPTION_KEY].includes(name)) await changeInstallation(db, name, null)
    await db.deleteFrom('directory').where('kind', '=', 'domain').execute()
    const { last } = await db.selectFrom('tenants').select(db.fn.max('id').as('last')).executeTakeFirstOrThrow()
    endCompanies(platform, Number(last))
  })
  platform.installation.clear()
}

const isShared = ({ env = {}, checkpoint: _, now: __, ...rest }: product.TestOptions): boolean =>
  Object.keys(rest).length === 0 &&
  Object.entries(env).every(([name, value]) => name === 'OUTBOUND_ALLOW' && String(value) === '127.0.0.1')
