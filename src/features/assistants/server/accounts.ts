import { assistantConfigs } from '#providers/assistants/configs.ts'
import { providerAccounts } from '#server/providers/accounts.ts'

/** Kind of stored provider accounts that are assistants. */
export const KIND = 'assistant'

/** Store of assistants' accounts. */
export const accounts = providerAccounts({ kind: KIND, configs: assistantConfigs, notFound: 'ERR_NO_ASSISTANT_FOUND' })
