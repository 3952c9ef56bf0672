import { randomBytes } from 'node:crypto'
import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'voiceDevices.id': (making) =>
      rowsOf(making).insert('voice_devices', making.tenantId, { name: randomBytes(8).toString('hex') }),
  },
  bodies: { 'voiceDevices.create': { name: 'Linha', wavoipToken: 'um token de teste' } },
}
