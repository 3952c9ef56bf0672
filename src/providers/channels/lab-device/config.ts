import type { ChannelConfig } from '../config.ts'
import { labConfig } from '../lab/config.ts'

/** The virtual phones behind a device that has to be linked first, by a QR code or a typed one, and may be lost. */
export const labDeviceConfig: ChannelConfig = {
  id: 'lab-device',
  types: [{ type: 'lab-device', name: 'Laboratório (aparelho)' }],
  look: { icon: 'lab', color: 'teal' },
  isPersistent: true,
  fields: {},
  capabilities: { ...labConfig.capabilities, qr: true, pairingCode: true },
}
