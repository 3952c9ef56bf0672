import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Tab of numbers in a provider's settings. */
export const numbersTab: ProviderTab = {
  key: 'numeros',
  name: t('Números e contas'),
  can: 'connections:write',
  isOf: ({ businessField }) => businessField !== undefined,
  load: async () => (await import('./Numbers.tsx')).Numbers,
}
