import type { ProviderFields } from '#kit/provider.ts'

/** Form fields of every account, regardless of its provider. */
export const accountFields = {
  name: { kind: 'text', label: 'Nome', max: 80, hint: 'Como a equipe a vê ao escolher.' },
  isActive: { kind: 'boolean', label: 'Ligada', default: true, hint: 'Desligada, não responde em lugar nenhum.' },
  isDefault: { kind: 'boolean', label: 'Padrão', hint: 'A que responde onde nenhuma outra está escolhida.' },
} as const satisfies ProviderFields
