import { tags } from '#features/catalog/addresses.ts'
import { users } from '#features/users/addresses.ts'
import { useChoices } from '#web/resource/read-all.ts'

/** What filters and forms offer: the value on the wire, its name, and a tag's colour. */
export type Option = { id: number; name: string; color?: string; isActive?: boolean }

/** The company's tags by name. */
export const useTags = (): readonly Option[] =>
  useChoices(tags.list, (page) => page.items.map(({ tag, ...rest }) => ({ ...rest, name: tag })))

/** The colleagues by name, each of whom can have a wallet. */
export const useColleagues = (): readonly Option[] => useChoices(users.list, (page) => page.users)
