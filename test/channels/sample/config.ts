import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'

/** A made-up gateway with everything that a channel may ask of the product: fields, a secret, accounts, signed calls. */
export const sampleConfig: ChannelConfig = {
  id: 'sample',
  types: [{ type: 'sample', name: 'Pombo-correio' }],
  look: { icon: 'sms', color: 'grey' },
  fields: [
    { name: 'address', label: 'URL da API', kind: 'url', isRequired: true },
    { name: 'loft', label: 'Pombal', kind: 'text', isRequired: true, isAccount: true, max: 40 },
    { name: 'token', label: 'Token', kind: 'secret', isRequired: true },
    { name: 'speed', label: 'Pombos por minuto', kind: 'number', min: 1, max: 60 },
    {
      name: 'bird',
      label: 'Ave',
      kind: 'choice',
      choices: [
        { value: 'pigeon', label: 'Pombo' },
        { value: 'swallow', label: 'Andorinha' },
      ],
    },
    { name: 'sings', label: 'Avisar com canto', kind: 'boolean' },
  ],
  capabilities: {
    ...noCapabilities,
    maxTextLength: 160,
    files: { image: { maxBytes: 1000, mimes: ['image/png'] } },
    receipts: ['delivered'],
    windowHours: 24,
    begins: 'anyone',
    idempotentSending: true,
  },
  webhook: { maxBytes: 4096 },
  app: { fields: [{ name: 'token', label: 'Token', kind: 'secret', isRequired: true }] },
}
