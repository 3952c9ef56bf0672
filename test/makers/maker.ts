import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'

/** Value that names a row in an address. */
export type Id = number | string

/** Company and person for whom rows are created. */
export type Owner = { tenantId: number; userId: number }

/** Input of a maker: product, owner, and the parameters that precede the row's in the address. */
export type Making = Owner & { product: Product; beside: Readonly<Record<string, Id>>; op: Operation }

/**
 * Values that a feature's operations need besides their schemas, in tests that call every operation; plain tables need none.
 * - `params`: makers of the rows that parameters name: `family.parameter`, with `:uuid` if a family has ids of both kinds.
 * - `bodies`, `queries`: fields that a schema alone does not show, by operation: one of several required ones, search terms.
 * - `shared`: parameters whose rows belong to no company; a user who may read one may read all.
 * - `writing`: GET operations of older clients that write (decision A11).
 * - `open`: operations whose bodies accept unknown fields on purpose.
 */
export type FeatureMakers = {
  readonly params?: Readonly<Record<string, (making: Making) => Promise<Id>>>
  readonly bodies?: Readonly<Record<string, object>>
  readonly queries?: Readonly<Record<string, object>>
  readonly shared?: readonly string[]
  readonly writing?: readonly string[]
  /** GET operations whose query names a row. */
  readonly rowInQuery?: readonly string[]
  readonly open?: readonly string[]
}

/** The factory of a product's rows. */
export const rowsOf = ({ product }: Making) => make(product.platform)

/** The person for whom rows are made. */
export const self = async ({ userId }: Making): Promise<Id> => userId

/** The company for which rows are made. */
export const ownCompany = async ({ tenantId }: Making): Promise<Id> => tenantId

/** An open ticket of the owner's. */
export const ticketOf = (making: Making): Promise<number> =>
  rowsOf(making).ticket(making.tenantId, { user_id: making.userId, status: 'open' })

/** A connection of a type. */
export const connectionOf =
  (type: string) =>
  (making: Making): Promise<number> =>
    rowsOf(making).connection(making.tenantId, { type })
