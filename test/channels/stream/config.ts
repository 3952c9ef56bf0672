import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'

/** A made-up channel whose connection stays open: linked once, messages that are delivered until they are acknowledged. */
export const streamConfig: ChannelConfig = {
  id: 'stream',
  types: [{ type: 'stream', name: 'Correnteza' }],
  look: { icon: 'phone', color: 'teal' },
  isPersistent: true,
  fields: [
    { name: 'port', label: 'Porta', kind: 'number', isRequired: true, min: 1, max: 65_535, isAddress: true },
    { name: 'account', label: 'Conta', kind: 'text', isRequired: true, isAccount: true, max: 40 },
    { name: 'token', label: 'Token', kind: 'secret', isRequired: true },
    { name: 'isStubborn', label: 'Não fecha', kind: 'boolean' },
  ],
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
