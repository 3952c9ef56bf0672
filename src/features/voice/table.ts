import type { ProviderFields } from '#kit/provider.ts'
import type { ListedSpec, TableSpec } from '#kit/resource.ts'
import { voiceConfig } from '#providers/voice/configs.ts'

/** Fields of a voice device. */
export const deviceFields = {
  name: { label: 'Nome', kind: 'text', required: true, max: 60, hint: 'Como a equipe a vê ao ligar.' },
  number: { label: 'Número', kind: 'phone', hint: 'O número de WhatsApp do dispositivo, para o registro de ligações.' },
  ...voiceConfig.fields,
  isActive: { label: 'Ativa', kind: 'boolean', default: true, hint: 'Inativa, não faz nem recebe ligações.' },
} as const satisfies ProviderFields

const { name, number, isActive } = deviceFields

/** Table definition of voice devices, for list, filters and SQL. */
export const deviceTable = {
  table: 'voice_devices',
  title: 'Linhas de voz',
  singular: 'Linha de voz',
  gender: 'f',
  fields: { name, number, isActive: { ...isActive, column: 'is_active', filter: true } },
  search: ['name', 'number'],
  order: 'name',
} as const satisfies TableSpec & ListedSpec
