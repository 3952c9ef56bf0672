import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'

/** Sample channel with a persistent connection: a linked device, and messages that are delivered until acknowledged. */
export const streamConfig: ChannelConfig = {
  id: 'stream',
  types: [{ type: 'stream', name: 'Correnteza' }],
  look: { icon: 'phone', color: 'teal' },
  isPersistent: true,
  about: { does: 'Um canal de teste.', asks: 'Nada.', takes: '1 minuto' },
  fields: {
    port: { kind: 'number', label: 'Porta', required: true, min: 1, max: 65_535, asksAgain: true },
    account: { kind: 'text', label: 'Conta', required: true, isAccount: true, max: 40 },
    token: { kind: 'secret', label: 'Token', required: true },
    isStubborn: { kind: 'boolean', label: 'Não fecha' },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 1000,
    presence: true,
    receipts: ['delivered'],
    qr: true,
    begins: 'anyone',
    idempotentSending: true,
  },
}
