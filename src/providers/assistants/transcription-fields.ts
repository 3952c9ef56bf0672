import type { ProviderFields } from '#kit/provider.ts'

/** Fields of a provider that transcribes speech. */
export const transcriptionFields = (model: string) =>
  ({
    language: {
      kind: 'text',
      label: 'Idioma da transcrição',
      hint: 'Vazio: o que for falado.',
      max: 10,
      default: 'pt',
    },
    transcriptionModel: { kind: 'text', label: 'Modelo da transcrição', max: 120, default: model },
    audioPrice: { kind: 'number', label: 'Preço da transcrição (R$ por minuto)', min: 0 },
  }) as const satisfies ProviderFields
