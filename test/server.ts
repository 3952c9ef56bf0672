import { afterAll, beforeAll, inject } from 'vitest'
import * as product from './product.ts'

export { call, type Product, type Reply, testSecrets } from './product.ts'

/** A database of its own, cloned from the migrated template of this test run; answers the owner's address. */
export const createDatabase = (): Promise<string> => product.createDatabase(inject('postgresUrl'))

/** A product of its own, on a database of its own unless one is given. */
export async function startProduct(options: product.TestOptions = {}, ownerUrl?: string): Promise<product.Product> {
  return product.startProduct(ownerUrl ?? (await createDatabase()), options)
}

/** A product with the demo, cloned. */
export const startDemo = (): Promise<product.Product> =>
  product.startDemo({ url: inject('postgresUrl'), folder: inject('postgresFolder') })

/** One product for all tests of a file. */
export function withProduct(options: product.TestOptions = {}): () => product.Product {
  let started: product.Product | undefined
  beforeAll(async () => {
    started = await startProduct(options)
  })
  afterAll(() => started?.close())
  return () => started!
}
