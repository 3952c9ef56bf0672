import type { PaymentsConfig } from '../port.ts'

/** Config of Asaas; the key itself says whether it belongs to production or to the sandbox. */
export const asaasConfig = {
  id: 'asaas',
  name: 'Asaas',
  environment: ['ASAAS_URL'],
  fields: {
    asaasToken: {
      ...{ kind: 'secret', label: 'Chave de API', required: true, missing: 'Informe a chave de API.' },
      hint: 'No Asaas: Integrações › Chaves de API. Começa com $aact_.',
    },
  },
} as const satisfies PaymentsConfig

/** Whether a key belongs to the sandbox, where no money moves. */
export const isSandboxKey = (key: string): boolean => key.startsWith('$aact_hmlg_')
