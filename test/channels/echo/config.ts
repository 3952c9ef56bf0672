import { type ChannelConfig, noCapabilities } from '#providers/channels/config.ts'

/** Minimal channel: one field to fill in, a connection, and texts. */
export const echoConfig: ChannelConfig = {
  id: 'echo',
  types: [{ type: 'echo', name: 'Eco' }],
  look: { icon: 'phone', color: 'teal' },
  about: { does: 'Um canal de teste.', asks: 'Nada.', takes: '1 minuto' },
  fields: {
    valley: { kind: 'text', label: 'Vale', hint: 'Onde se grita.', required: true, isAccount: true, max: 40 },
    token: { kind: 'secret', label: 'Senha do vale', required: true },
  },
  webhook: {},
  settings: {
    name: 'Montanha do eco',
    fields: { url: { kind: 'url', label: 'URL da montanha', required: true } },
  },
  capabilities: { ...noCapabilities, maxTextLength: 200, begins: 'anyone' },
}
