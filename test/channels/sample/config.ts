import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'

/** Sample gateway with everything that a channel may ask of the product: fields, a secret, accounts, signed calls. */
export const sampleConfig: ChannelConfig = {
  id: 'sample',
  types: [{ type: 'sample', name: 'Pombo-correio' }],
  look: { icon: 'sms', color: 'grey' },
  about: { does: 'Um canal de teste.', asks: 'Nada.', takes: '1 minuto' },
  fields: {
    address: { kind: 'url', label: 'URL da API', required: true },
    loft: { kind: 'text', label: 'Pombal', required: true, isAccount: true, max: 40 },
    token: { kind: 'secret', label: 'Token', required: true },
    speed: {
      kind: 'number',
      label: 'Pombos por minuto',
      hint: 'Quantos saem por minuto.',
      min: 1,
      max: 60,
      default: 1,
    },
    bird: {
      kind: 'choice',
      label: 'Ave',
      required: true,
      options: { pigeon: 'Pombo', swallow: 'Andorinha' },
      default: 'pigeon',
    },
    sings: { kind: 'boolean', label: 'Avisar com canto' },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 160,
    files: { image: { maxBytes: 1000, mimes: ['image/png'] } },
    react: true,
    list: { rows: 6, title: 12, description: 20, button: 10, section: 10 },
    editMinutes: 15,
    revokeHours: 1,
    receipts: ['delivered'],
    numberCheck: true,
    picture: true,
    history: true,
    templates: true,
    windowHours: 24,
    begins: 'anyone',
    idempotentSending: true,
  },
  webhook: { maxBytes: 4096 },
  settings: {
    name: 'Pombal central',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true },
      key: { kind: 'secret', label: 'Chave global', required: true },
    },
  },
  app: { fields: { token: { kind: 'secret', label: 'Token', required: true } } },
}
