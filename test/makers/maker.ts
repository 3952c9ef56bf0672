import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import type { Product } from '#test/product.ts'

/** What an address names a row by. */
export type Id = number | string

/** Whose rows are made, and the person who has them. */
export type Owner = { tenantId: number; userId: number }

/** What a row is made for: on a product, for an owner, with the parameters that stand before it in the address. */
export type Making = Owner & { product: Product; beside: Readonly<Record<string, Id>>; op: Operation }

/**
 * What a feature's operations need beside their schemas, in tests that call every operation; a plain table needs none.
 * - `params` make the row that a parameter names: `family.parameter`, with `:uuid` where a family has ids of both kinds.
 * - `bodies`, `queries`: what a schema alone cannot tell, by operation: fields of which one is needed, and search terms.
 * - `shared`: parameters whose rows are no company's, so that whoever may see one may see them all.
 * - `writing`: what older callers ask for by GET and that writes all the same (decision A11).
 * - `open`: operations whose bodies take unknown fields on purpose.
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
