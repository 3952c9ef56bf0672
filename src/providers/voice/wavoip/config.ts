import type { VoiceConfig } from '../port.ts'

/** Config of a Wavoip device: a WhatsApp number that makes and takes voice calls. */
export const wavoipConfig = {
  id: 'wavoip',
  name: 'Wavoip',
  environment: ['WAVOIP_URL'],
  fields: {
    wavoipToken: {
      ...{ kind: 'secret', label: 'Token do dispositivo', required: true, missing: 'Informe o token do dispositivo.' },
      hint: 'No painel da Wavoip, em Dispositivos.',
    },
  },
} as const satisfies VoiceConfig
