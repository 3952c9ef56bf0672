import { assistantConfigs } from '#providers/assistants/configs.ts'
import { providerAccounts } from '#server/providers/accounts.ts'

/** The kind under which accounts of assistants are stored. */
export const KIND = 'assistant'

/** The accounts of assistants. */
export const accounts = providerAccounts({ kind: KIND, configs: assistantConfigs, notFound: 'ERR_NO_ASSISTANT_FOUND' })
