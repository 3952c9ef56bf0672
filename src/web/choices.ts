import { useQuery } from '@tanstack/react-query'
import type { Address } from '#kit/addresses.ts'
import type { Answer } from '#kit/contract.ts'
import { choicesOf } from './resource/read-all.ts'

/** Registry of rows from which screens of other features choose, by family: each feature adds its own (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: features merge theirs into it.
export interface Choices {}

type Family = keyof Choices
type ChoiceList<Row> = { readonly list: Address; readonly rowsOf: (page: never) => readonly Row[] }

/** Lists of a feature from which choices are read, by family. */
export type ChoiceLists = { readonly [F in Family]?: ChoiceList<Choices[F]> }

const lists: Record<string, ChoiceList<unknown>> = {}

/** Defines the list of a feature's choices: its operation, and the rows of a page. */
export const choiceList = <O extends Address, Row>(
  list: O,
  rowsOf: (page: Answer<O>) => readonly Row[],
): ChoiceList<Row> => ({ list, rowsOf })

/** Registers the lists of choices. */
export const addChoices = (added: ChoiceLists = {}): void => void Object.assign(lists, added)

/** Returns the query of every row of a family, or of those that match `query`. */
export function choices<F extends Family>(family: F, query: Readonly<Record<string, unknown>> = {}) {
  const { list, rowsOf } = lists[family] as unknown as {
    list: Address
    rowsOf: (page: unknown) => readonly Choices[F][]
  }
  return choicesOf(list, rowsOf, query)
}

/** Returns every row of a family, as choices for filters and forms. */
export const useChoices = <F extends Family>(family: F): readonly Choices[F][] => useQuery(choices(family)).data ?? []
