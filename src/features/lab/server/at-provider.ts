import type { ProviderNumber, ProviderTemplate } from '#providers/channels/port.ts'

/** How a number stands to which virtual phones write. */
export const numberState = (isLow: boolean): ProviderNumber => ({
  ...{ business: '', shownNumber: '+55 19 3000-4000', name: 'Laboratório', nameStatus: 'APPROVED' },
  ...{ quality: isLow ? 'RED' : 'GREEN', dailyLimit: 1000, status: 'CONNECTED', isVerified: true },
})

const plain = { format: 'POSITIONAL', header: null, footer: '', buttons: [] } as const
const approved = { language: 'pt_BR', status: 'APPROVED', quality: 'GREEN', reason: '' } as const

/** The templates that the virtual phones' provider has approved. */
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
