import type { ProviderTab } from '#features/connections/web/index.ts'
import { t } from '#web/t.ts'

/** Where the numbers at a provider are seen and kept, beside its settings. */
export const numbersTab: ProviderTab = {
  key: 'numeros',
  name: t('Números e contas'),
  can: 'connections:write',
  isOf: ({ businessField }) => businessField !== undefined,
  load: async () => (await import('./Numbers.tsx')).Numbers,
}
