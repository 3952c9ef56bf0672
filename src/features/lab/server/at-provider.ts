import { channelType } from '#providers/channels/configs.ts'
import type { ProviderNumber, ProviderTemplate } from '#providers/channels/port.ts'
import type { StoredFaults } from './faults.ts'

/** Maximum number of new conversations per day of a lab number with limits switched on. */
const LIMITED_TO = 20

/** Returns the provider's state of a laboratory number of a type; without limits until they are switched on. */
export const numberState = (
  type: string,
  { lowQuality, restricted, limited }: Pick<StoredFaults, 'lowQuality' | 'restricted' | 'limited'>,
): ProviderNumber => ({
  ...{ business: '', shownNumber: '+55 19 3000-4000', name: 'Laboratório', nameStatus: 'APPROVED' },
  ...{ quality: lowQuality || restricted ? 'RED' : 'GREEN', isVerified: true },
  ...{ status: restricted ? 'RESTRICTED' : 'CONNECTED' },
  dailyLimit: limited ? LIMITED_TO : channelType(type)?.config.businessField === undefined ? 0 : 1000,
})

const plain = { format: 'POSITIONAL', header: null, footer: '', buttons: [] } as const
const approved = { language: 'pt_BR', status: 'APPROVED', quality: 'GREEN', reason: '' } as const

/** Approved templates of the virtual phones' provider. */
export const TEMPLATES: readonly ProviderTemplate[] = [
  {
    ...{ ...plain, ...approved, id: 'lab-1', name: 'retomada', category: 'UTILITY' },
    ...{ body: 'Olá {{1}}, podemos continuar a nossa conversa?', samples: { 1: 'Ana' } },
    buttons: [{ kind: 'reply', text: 'Sim' }],
  },
  {
    ...{ ...plain, ...approved, id: 'lab-2', name: 'pedido_enviado', category: 'UTILITY' },
    ...{ body: 'O pedido {{1}} saiu para entrega hoje.', samples: { 1: '10' } },
  },
]
