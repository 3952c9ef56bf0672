import type { ChannelConfig } from '../config.ts'
import { phoneCapabilities } from '../phone-capabilities.ts'

/** Config of the virtual phones with a device that is linked first, by a QR code or a typed one, and may be lost. */
export const labDeviceConfig: ChannelConfig = {
  id: 'lab-device',
  types: [{ type: 'lab-device', name: 'Laboratório (aparelho)' }],
  look: { icon: 'lab', color: 'teal' },
  isPersistent: true,
  about: {
    does: 'Um número de mentira que se conecta por QR Code, para experimentar.',
    asks: 'Nada: o telefone virtual lê o código.',
    takes: 'menos de 1 minuto',
  },
  fields: {},
  capabilities: { ...phoneCapabilities, qr: true, pairingCode: true },
}
