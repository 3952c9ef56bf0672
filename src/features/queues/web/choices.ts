import { users } from '#features/users/addresses.ts'
import { useChoices } from '#web/resource/read-all.ts'
import { queues } from '../addresses.ts'
import type { QueueRow } from '../contract.ts'

/** Every queue of the company, by name. */
export const useQueueChoices = (): readonly QueueRow[] => useChoices(queues.list, (page) => page.items)

/** Everybody who works for the company, by name. */
export const usePeople = (): readonly { id: number; name: string }[] => useChoices(users.list, (page) => page.users)
